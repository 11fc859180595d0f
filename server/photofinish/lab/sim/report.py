"""The laboratory's figures beside their goals: as a table, as bars, as JSON."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from photofinish.lab.sim.gains import Gain, Loss, worst
from photofinish.lab.sim.screens import HZ_60, NO_SCREEN, SCREENS
from photofinish.lab.sim.simulate import MixTally

BUCKETS = ((0, 2), (2, 5), (5, 10), (10, 20), (20, 40), (40, 80), (80, 1000))
"""Gaps in ms, for the bars."""

LIES = ((HZ_60, (3, 5, 25)), (NO_SCREEN, (5, 7, 30)))
"""The most that any liar with such a screen may gain: in all races, in the first 30, in those it chooses."""


@dataclass(frozen=True, slots=True)
class GoalRow:
    """One goal of `protocol/RACES.md`."""

    figure: str
    first_come: str
    goal: str
    measured: str
    is_met: bool


@dataclass(frozen=True, slots=True)
class Figures:
    """The results of all mixes."""

    clean: MixTally
    noisy: MixTally
    region: MixTally
    lively: MixTally
    mixed: MixTally
    proxy: MixTally
    unforced: MixTally
    scripted: Sequence[MixTally]
    gains: Sequence[Gain]
    losses: Sequence[Loss]

    @property
    def tallies(self) -> tuple[MixTally, ...]:
        mixes = (self.clean, self.noisy, self.region, self.lively, self.mixed, self.proxy, self.unforced)
        return (*mixes, *self.scripted)

    def rows(self) -> list[GoalRow]:
        return [*self._winners(), *self._waits(), *self._lies(), self._record()]

    def _winners(self) -> list[GoalRow]:
        slowest = self.noisy.seats - 1
        missed = self.noisy.share_error(slowest)
        return [
            _share("right winner, mix A, clean, gap ≥ 5 ms", self.clean, 5, 0.995),
            _share("right winner, mix A, noisy, gap ≥ 10 ms", self.noisy, 10, 0.975),
            _share("right winner, one region, noisy, gap ≥ 10 ms", self.region, 10, 0.97),
            _share("right winner, mix A, noisy, behind a proxy, gap ≥ 10 ms", self.proxy, 10, 0.965),
            _share("right winner, mix A, noisy, ACKs not forced, gap ≥ 10 ms", self.unforced, 10, 0.965),
            _share("right verdict, lively races, noisy, gap ≥ 10 ms", self.lively, 10, 0.955),
            *(_share(f"right winner, {it.name}", it, 0, 0.99) for it in self.scripted),
            GoalRow(
                "slowest seat's wins against its true share",
                f"{self.noisy.share_error(slowest, first_come=True):+.1f} points",
                "within 1 point",
                f"{missed:+.2f} points",
                abs(missed) <= 1,
            ),
        ]

    def _waits(self) -> list[GoalRow]:
        rows = []
        for name, tally, half, most in (
            ("mix A", self.noisy, 300, 390),
            ("one region", self.region, 70, 160),
        ):
            p50, p99 = tally.wait(0.5), tally.wait(0.99)
            rows.append(
                GoalRow(
                    f"first claim to verdict, {name}, p50/p99",
                    "0",
                    f"≤ {half}/{most} ms",
                    f"{p50:.0f}/{p99:.0f} ms",
                    p50 <= half and p99 <= most,
                )
            )
        return rows

    def _lies(self) -> list[GoalRow]:
        return [
            GoalRow(
                f"{screen.name}: {gain.liar}: gain in all / first 30 / chosen races",
                "0",
                f"≤ {mean} / ≤ {early} / ≤ {chosen} ms",
                f"{gain.mean:.1f} / {gain.early:.1f} / {gain.chosen:.1f} ms",
                gain.mean <= mean and gain.early <= early and gain.chosen <= chosen,
            )
            for screen, (mean, early, chosen) in LIES
            for gain in worst(self.gains, screen)
        ]

    def _record(self) -> GoalRow:
        checked = sum(tally.checked for tally in self.tallies)
        sound = checked - sum(tally.unsound for tally in self.tallies)
        return GoalRow(
            "verdicts recomputed from the record", "–", "100 %", f"{sound} of {checked}", sound == checked
        )


def print_table(rows: Sequence[GoalRow], console: Console) -> None:
    table = Table("figure", "first come, first served", "goal", "measured", "")
    for row in rows:
        mark = "[green]met[/]" if row.is_met else "[red]missed[/]"
        table.add_row(row.figure, row.first_come, row.goal, row.measured, mark)
    console.print(table)


def print_bars(tally: MixTally, console: Console) -> None:
    """The share of races that the right seat won, by its lead."""
    console.print(f"\nRight winner by gap, {tally.name} (█ arbiter, ░ first come, first served)")
    for least, most in BUCKETS:
        runs = [run for run in tally.runs if least <= run.gap < most]
        if not runs:
            continue
        for glyph, share in (
            ("█", sum(run.winner == run.truth for run in runs) / len(runs)),
            ("░", sum(run.first_come == run.truth for run in runs) / len(runs)),
        ):
            label = f"{least:>3}–{most if most < 1000 else '…':<4}" if glyph == "█" else " " * 8
            console.print(f"{label} {glyph * round(50 * share)} {100 * share:.1f} %", highlight=False)


def print_odds(tallies: Sequence[MixTally], console: Console) -> None:
    """How often a race ended in one of the rare ways."""
    table = Table("mix", "races", "dead heats", "late moves", "released by HARD")
    for it in tallies:
        table.add_row(it.name, str(len(it.runs)), str(it.ties), str(it.late), str(it.hard))
    console.print(table)


def print_losses(losses: Sequence[Loss], console: Console) -> None:
    """What an honest player's screen costs."""
    table = Table("honest player", "scores worse than with 60 Hz by, mean (least to most), in ms")
    for screen in SCREENS:
        worse = [it.mean for it in losses if it.screen == screen.name]
        mean = sum(worse) / len(worse)
        table.add_row(screen.name, f"{mean:+.1f} ({min(worse):+.1f} to {max(worse):+.1f})")
    console.print(table)


def as_json(figures: Figures, races: int, seed: int) -> dict[str, Any]:
    """For the file: every figure, and how to repeat it."""
    return {
        "races": races,
        "seed": seed,
        "goals": [asdict(row) for row in figures.rows()],
        "mixes": [
            {
                "name": it.name,
                "races": len(it.runs),
                "right": {str(gap): it.right(gap) for gap in (0, 2, 5, 10, 20)},
                "first_come_right": {str(gap): it.right(gap, first_come=True) for gap in (0, 2, 5, 10, 20)},
                "wait_ms": {str(q): it.wait(q) for q in (0.5, 0.9, 0.99)},
                "dead_heats": it.ties,
                "late": it.late,
                "hard": it.hard,
            }
            for it in figures.tallies
        ],
        "gains_ms": [asdict(gain) for gain in figures.gains],
        "losses_ms": [asdict(loss) for loss in figures.losses],
    }


def _share(figure: str, tally: MixTally, gap: float, goal: float) -> GoalRow:
    right = tally.right(gap)
    return GoalRow(
        figure,
        f"{100 * tally.right(gap, first_come=True):.1f} %",
        f"≥ {100 * goal:g} %",
        f"{100 * right:.2f} %",
        right >= goal,
    )
