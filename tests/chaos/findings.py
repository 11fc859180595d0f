"""The result of one scenario: counts, durations, and everything that went wrong."""

import math
from dataclasses import dataclass, field


@dataclass
class Findings:
    """`wrongs` must stay empty; the rest is for the report."""

    fault: str
    counts: dict[str, int] = field(default_factory=dict)
    spans: dict[str, list[float]] = field(default_factory=dict)
    """Durations in seconds, by the name of what was timed."""
    wrongs: list[str] = field(default_factory=list)

    def count(self, what: str, times: int = 1) -> None:
        self.counts[what] = self.counts.get(what, 0) + times

    def most(self, what: str, number: int) -> None:
        """Keep the largest value seen."""
        self.counts[what] = max(self.counts.get(what, 0), number)

    def time(self, what: str, *seconds: float) -> None:
        self.spans.setdefault(what, []).extend(seconds)

    def quantile(self, what: str, share: float) -> float:
        """The smallest of the times that `share` of them do not exceed; 0 if none was taken."""
        times = sorted(self.spans.get(what, []))
        return times[max(0, math.ceil(share * len(times)) - 1)] if times else 0.0

    def limit(self, what: str, share: float, seconds: float) -> None:
        """This share of the times must lie within `seconds`, or it is a finding."""
        found = self.quantile(what, share)
        if found > seconds:
            self.wrongs.append(f"{what}: {found:.2f} s at {share:.0%}, more than {seconds:g} s")
