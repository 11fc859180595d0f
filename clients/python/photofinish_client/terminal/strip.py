"""A race that has closed, as a photo finish in text: one lane per claim, with a mark at its time."""

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from photofinish_client.terminal.words import seat_name
from photofinish_protocol.messages import Mark, RaceReport

LANE: Final = 14


def strip(said: RaceReport, names: Sequence[str]) -> list[Text]:
    """The claims that this client may see, fastest first. The shaded part is the uncertainty of each time."""
    timed = sorted(said.marks, key=lambda it: it.score)
    slowest = max((max(it.score, it.hi) for it in timed), default=0)
    return [_lane(it, slowest, names) for it in timed]


def _lane(mark: Mark, slowest: int, names: Sequence[str]) -> Text:
    def place(time: int) -> int:
        return max(0, min(LANE - 1, round(time * (LANE - 1) / slowest))) if slowest else 0

    line = Text(f"{seat_name(names, mark.seat).removesuffix(' (bot)'):<6.6} ")
    for n in range(LANE):
        if n == place(mark.score):
            line.append("●", "bold yellow" if mark.verdict == "done" else "red")
        else:
            line.append("░" if place(mark.lo) <= n <= place(mark.hi) else "─", "#5f6b78")
    notes = [word for word, is_so in (("dead heat", mark.heat), ("late", mark.late)) if is_so]
    notes += [mark.verdict] if mark.verdict != "done" else []
    line.append(f" {mark.score / 1000:.1f} ms")
    return line.append(f" {', '.join(notes)}" if notes else "", "dim")
