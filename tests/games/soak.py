"""The promises, checked for a million steps per game: `make soak`, or `python -m tests.games.soak --game cambio`.

Every portion is one table (seats and options drawn by its number) and plays whole games until its steps are
used up. A portion that fails names its number: `--portion N --game G` plays it alone. The game of the tests
themselves, `magpies`, is played when it is named.
"""

import argparse
import os
import sys
import traceback
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from photofinish.engine import AnyGame, Rng, Seat
from photofinish.games import all_games
from tests.games.leaks import Variation
from tests.games.promises import Proof
from tests.games.sample.game import MAGPIES
from tests.games.tables import options_for

PORTION = 2_000
"""Steps in one piece of work."""
EVERY = 10
"""Steps between two close looks, on average: `make hunt` looks at every step of whole rooms besides."""
LONGEST = 30_000


@dataclass
class SoakResult:
    """The result of one portion, or of several."""

    game: str
    portion: int = 0
    steps: int = 0
    games: int = 0
    refusals: int = 0
    compared: int = 0
    fault: str = ""

    def add(self, other: "SoakResult") -> None:
        self.steps += other.steps
        self.games += other.games
        self.refusals += other.refusals
        self.compared += other.compared
        self.fault = self.fault or other.fault


def games() -> dict[str, AnyGame]:
    return {MAGPIES.key: MAGPIES, **all_games()}


def play_portion(key: str, portion: int, steps: int) -> SoakResult:
    """So many steps at the table with this number."""
    game, result = games()[key], SoakResult(key, portion)
    seats = game.seats[portion % len(game.seats)]
    options = options_for(game, seats, portion // 2)  # every second one plays as hosts mostly will
    options = game.options() if portion % 2 else options
    variation = Variation()
    try:
        while result.steps < steps:
            seed = bytes(Rng(f"soak {key} {portion}".encode(), result.games).shuffled(range(32)))
            previous = (Seat(portion % seats),) if result.games % 2 else ()
            proof = Proof(game, seats, options, seed, previous, EVERY, vary_every=2, variation=variation)
            proof.run(steps - result.steps, to_the_end=LONGEST if portion % 2 else 0)
            result.add(SoakResult(key, portion, proof.steps, 1, proof.refusals, proof.compared))
        result.fault = "; ".join(variation.faults())
    except Exception:  # noqa: BLE001 - whatever a game does wrong is what we are here to tell
        result.fault = traceback.format_exc()
    return result


def soak(keys: list[str], steps: int, jobs: int, console: Console) -> list[SoakResult]:
    totals = {key: SoakResult(key) for key in keys}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as progress, ProcessPoolExecutor(jobs) as pool:
        work = {}
        tasks = {key: progress.add_task(key, total=steps) for key in keys}
        for portion in range(-(-steps // PORTION)):
            for key in keys:
                size = min(PORTION, steps - portion * PORTION)
                work[pool.submit(play_portion, key, portion, size)] = key
        for done in as_completed(work):
            result = done.result()
            if result.fault and not totals[result.game].fault:
                progress.console.print(f"[red]{result.game}, portion {result.portion}[/]")
                progress.console.print(result.fault, markup=False)
            totals[result.game].add(result)
            progress.advance(tasks[result.game], result.steps)
    return list(totals.values())


def as_table(totals: list[SoakResult]) -> Table:
    table = Table(title="soak")
    table.add_column("game")
    for heading in ("steps", "games", "refusals judged", "steps in two worlds", "promises"):
        table.add_column(heading, justify="right")
    for result in totals:
        verdict = "[red]broken[/]" if result.fault else "kept"
        figures = (result.steps, result.games, result.refusals, result.compared)
        table.add_row(result.game, *(f"{n:,}" for n in figures), verdict)
    return table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1_000_000, help="for each game")
    parser.add_argument("--game", choices=sorted(games()), help="only this one")
    parser.add_argument("--portion", type=int, help="only this portion, in this process")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    keys = [args.game] if args.game else sorted(all_games())
    console = Console()
    if args.portion is not None:
        totals = [play_portion(key, args.portion, PORTION) for key in keys]
        for result in totals:
            console.print(result.fault, markup=False)
    else:
        totals = soak(keys, args.steps, args.jobs, console)
    console.print(as_table(totals))
    return 1 if any(result.fault for result in totals) else 0


if __name__ == "__main__":
    sys.exit(main())
