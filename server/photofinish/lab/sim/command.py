"""`photofinish race-lab`: runs the arbiter on simulated networks and compares the figures with the goals."""

from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from photofinish.lab.sim.gains import EVENING, EVERYBODY, LIAR_SCREENS, cells, gains, losses
from photofinish.lab.sim.mixes import (
    LIVELY,
    MIX_A,
    MIX_A_CLEAN,
    PROXY,
    REGION,
    SCREENS_MIXED,
    SCRIPTED,
    UNFORCED,
)
from photofinish.lab.sim.report import Figures, as_json, print_bars, print_losses, print_odds, print_table
from photofinish.lab.sim.screens import SCREENS
from photofinish.lab.sim.simulate import simulate

SHORT = 2_000


def race_lab(races: int = 20_000, seed: int = 1, out: Path | None = None, short: bool = False) -> int:
    """Simulate this many races in each mix, print the goals and the results, and write JSON to `out`.

    Returns 0 if every goal was met. `short` runs a tenth, for a first look: shares then have an error of
    about half a point.
    """
    console = Console()
    races = min(races, SHORT) if short else races
    figures = run(races, seed, console)
    rows = figures.rows()
    print_table(rows, console)
    print_losses(figures.losses, console)
    print_odds(figures.tallies, console)
    print_bars(figures.noisy, console)
    if out is not None:
        out.write_bytes(msgspec.json.format(msgspec.json.encode(as_json(figures, races, seed))))
        console.print(f"\nwritten to {out}")
    return 0 if all(row.is_met for row in rows) else 1


def run(races: int, seed: int, console: Console) -> Figures:
    evenings = max(1, races // 20 // EVENING)
    bars = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
    )
    with bars:
        tallies = []
        for mix in (MIX_A_CLEAN, MIX_A, REGION, LIVELY, SCREENS_MIXED, PROXY, UNFORCED):
            task = bars.add_task(mix.name, total=races)
            tallies.append(simulate(mix, races, seed, lambda n, task=task: bars.advance(task, n)))  # type: ignore[misc]  # bound in the loop on purpose
        scripted = []
        for mix in SCRIPTED:
            task = bars.add_task(mix.name, total=races // 4)
            scripted.append(simulate(mix, races // 4, seed, lambda n, task=task: bars.advance(task, n)))  # type: ignore[misc]
        task = bars.add_task("liars", total=len(EVERYBODY) * len(cells(LIAR_SCREENS)))
        gained = gains(evenings, seed, lambda n: bars.advance(task, n))
        task = bars.add_task("honest screens", total=len(cells(SCREENS)))
        lost = losses(evenings, seed, lambda n: bars.advance(task, n))
    clean, noisy, region, lively, mixed, proxy, unforced = tallies
    return Figures(clean, noisy, region, lively, mixed, proxy, unforced, scripted, gained, lost)
