"""A figure: the measured value and its limits."""

import statistics
from collections.abc import Sequence

import msgspec
from rich.table import Table


class Bar(msgspec.Struct, frozen=True):
    """The value that must be reached (`must`), and the better value that is wanted (`goal`)."""

    must: float
    goal: float
    is_least: bool = False
    """The value must be at least this; otherwise at most."""

    def holds(self, value: float, bar: float) -> bool:
        return value >= bar if self.is_least else value <= bar


class Figure(msgspec.Struct, frozen=True):
    name: str
    unit: str
    values: tuple[float, ...]
    """One per round. The figure is their median."""
    bar: Bar | None = None
    note: str = ""

    @property
    def value(self) -> float:
        return statistics.median(self.values)

    @property
    def verdict(self) -> str:
        if self.bar is None:
            return ""
        if self.bar.holds(self.value, self.bar.goal):
            return "goal"
        return "holds" if self.bar.holds(self.value, self.bar.must) else "MISSED"


def as_table(figures: Sequence[Figure]) -> Table:
    table = Table(title="medians of the rounds; lowest and highest in brackets")
    table.add_column("figure")
    for name in ("value", "must", "goal", ""):
        table.add_column(name, justify="right")
    for it in figures:
        sign = "" if it.bar is None else "≥ " if it.bar.is_least else "≤ "
        asked = ("", "") if it.bar is None else (f"{sign}{it.bar.must:g}", f"{sign}{it.bar.goal:g}")
        table.add_row(it.name, _with_spread(it), *asked, it.verdict)
    return table


def as_plain(it: Figure) -> dict[str, object]:
    return {"value": it.value, "verdict": it.verdict, **msgspec.to_builtins(it)}


def _with_spread(it: Figure) -> str:
    text = f"{it.value:,.3g} {it.unit}" if it.value < 1_000 else f"{it.value:,.0f} {it.unit}"
    if len(it.values) == 1:
        return text
    return f"{text} ({min(it.values):,.3g}–{max(it.values):,.3g})"
