"""A race that has closed, in a few lines: one lane a claim, the mark where the hand came down."""

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from photofinish_client.terminal.words import plain, seat_name
from photofinish_protocol.messages import Mark, RaceSaid

LANE: Final = 14


def strip(said: RaceSaid, names: Sequence[str]) -> list[Text]:
    """The claims this receiver may know of, fastest first."""
    timed = sorted((it for it in said.marks if it.score is not None), key=lambda it: it.score or 0)
    slowest = max((it.score or 0 for it in timed), default=0)
    lines = [_lane(it, slowest, names) for it in timed]
    lines += [
        Text(f"  {seat_name(names, it.seat)}: {plain(it.move)} {it.verdict}", style="dim")
        for it in said.marks
        if it.score is None
    ]
    return lines


def _lane(mark: Mark, slowest: int, names: Sequence[str]) -> Text:
    score = mark.score or 0
    at = round(score * (LANE - 1) / slowest) if slowest else 0
    notes = [word for word, is_so in (("dead heat", mark.heat), ("late", mark.late)) if is_so]
    notes += [mark.verdict] if mark.verdict != "released" else []
    line = Text(f"  {seat_name(names, mark.seat):<8.8} ")
    line.append("─" * at, "dim").append("●", "bold yellow").append("─" * (LANE - 1 - at), "#4a525c")
    return line.append(f" {score / 1000:.1f} ms").append(f" {', '.join(notes)}" if notes else "", "dim")
