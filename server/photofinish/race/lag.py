"""What we know of the way to one socket: fed with pings and kernel readings, asked for a `Path`."""

from collections import deque

from photofinish.engine import Micros
from photofinish.race.params import Path

WINDOW = Micros(300_000_000)
"""How long a least round trip is believed: the kernel's own window."""
LAST = 16
"""How many pings the 90th percentile looks at."""


ENOUGH = 4
"""So many of the kernel's samples say what is usual on a line."""


class Lag:
    """The lag of one connection. Times are the node's own clock and must not run backwards."""

    def __init__(self, *, behind_proxy: bool = False) -> None:
        self._behind_proxy = behind_proxy
        self._pings = _Least()
        self._kernel = _Least()
        self._last: deque[Micros] = deque(maxlen=LAST)
        self._echo: Micros | None = None
        self._sample: Micros | None = None
        self._resent = False
        self._samples: deque[Micros] = deque(maxlen=LAST)

    def ponged(self, round_trip: Micros, at: Micros) -> None:
        """One of our own pings came back."""
        self._pings.add(round_trip, at)
        self._last.append(round_trip)

    def triggered(self) -> None:
        """A trigger went out, and a ping right behind it. What we knew of the last race's is worth nothing now."""
        self._echo = self._sample = None
        self._resent = False

    def echoed(self, round_trip: Micros, sample: Micros | None = None, *, resent: bool = False) -> None:
        """That ping came back: so slow is the way in this race.

        `sample` is the trigger's own round trip as the kernel saw it, None where it never says, 0 where it cannot say
        in this race; `resent`: it had to send something again meanwhile.
        """
        self._echo, self._sample, self._resent = round_trip, sample, resent
        if sample:
            self._samples.append(sample)

    def kernel(self, min_rtt: Micros, at: Micros) -> None:
        """The kernel was asked for its least round trip. It says 0 or a huge number when it knows none."""
        if 0 < min_rtt < 0xFFFF_FFFF:
            self._kernel.add(min_rtt, at)

    def path(self, now: Micros) -> Path:
        slow = self._usual() if self._echo is None else self._echo
        return Path(
            self._kernel.least(now),
            self._pings.least(now),
            slow,
            self._behind_proxy,
            self._mean(),
            self._echo,
            None if self._behind_proxy else self._sample,
            self._resent,
        )

    def _mean(self) -> Micros | None:
        """Without the slowest eighth: of the kernel's samples, which no program stretches, or else of our pings."""
        last = self._samples if len(self._samples) >= ENOUGH else self._last
        if not last:
            return None
        count = max(1, len(last) * 7 // 8)
        return Micros(sum(sorted(last)[:count]) // count)

    def _usual(self) -> Micros | None:
        """The nearest rank: of sixteen the fifteenth, so that one spike alone does not count."""
        if not self._last:
            return None
        ordered = sorted(self._last)
        return ordered[-(-9 * len(ordered) // 10) - 1]


class _Least:
    """The least of the readings of the last 300 s, kept as a rising staircase."""

    def __init__(self) -> None:
        self._stairs: deque[tuple[Micros, Micros]] = deque()

    def add(self, reading: Micros, at: Micros) -> None:
        while self._stairs and self._stairs[-1][1] >= reading:
            self._stairs.pop()
        self._stairs.append((at, reading))

    def least(self, now: Micros) -> Micros | None:
        # The newest reading stays even when it is old: an old figure is better than none.
        while len(self._stairs) > 1 and self._stairs[0][0] < now - WINDOW:
            self._stairs.popleft()
        return self._stairs[0][1] if self._stairs else None
