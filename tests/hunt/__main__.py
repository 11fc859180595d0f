"""A million steps of whole rooms per game, every viewer, every frame: `make hunt`, or `python -m tests.hunt`.

`tests/hunt/room_driver.py` describes what is compared, and how often. A portion is one table; its number determines the
seats, options and the spectators' delay. A failure names the number: `--portion N --game G` runs it alone.
"""

import argparse
import os
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from photofinish.games import all_games
from tests.hunt.portion import PORTION, HuntResult, hunt_portion


def hunt(keys: list[str], steps: int, jobs: int, console: Console, first: int = 0) -> list[HuntResult]:
    totals = {key: HuntResult(key) for key in keys}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as progress, ProcessPoolExecutor(jobs) as pool:
        work = []
        tasks = {key: progress.add_task(key, total=steps - first * PORTION) for key in keys}
        for portion in range(first, -(-steps // PORTION)):
            size = min(PORTION, steps - portion * PORTION)
            work += [pool.submit(hunt_portion, key, portion, size) for key in keys]
        for done in as_completed(work):
            result = done.result()
            if result.fault:
                progress.console.print(f"[red]{result.game}, portion {result.portion}[/]")
            if result.fault and not totals[result.game].fault:
                progress.console.print(result.fault, markup=False)
            totals[result.game].add(result)
            progress.advance(tasks[result.game], result.seen.steps)
    return list(totals.values())


def as_table(totals: list[HuntResult]) -> Table:
    table = Table(title="leak hunt")
    headings = (
        "steps",
        "games",
        "views made again",
        "steps in two worlds",
        "parted",
        "other input",
        "acts left out",
        "held moves left out",
        "choices made otherwise",
        "frames",
    )
    for heading in ("game", *headings, "log lines", "ms per step", "leaks"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for result in totals:
        it = result.seen
        left_out = sum(it.hidden[kind] for kind in ("refused", "repeated", "done"))
        hidden = (left_out, it.hidden["held"], it.hidden["another choice"])
        worlds = (it.looks, it.twins, it.parted, it.other, *hidden)
        figures = (it.steps, it.games, *worlds, it.frames.total(), it.lines)
        pace = f"{1000 * result.seconds / max(1, it.steps):.2f}"
        verdict = "[red]found[/]" if result.fault else "none"
        table.add_row(result.game, *(f"{n:,}" for n in figures), pace, verdict)
    return table


def as_list(totals: list[HuntResult]) -> Table:
    """The count of each kind of frame that was seen."""
    frames: Counter[str] = Counter()
    for result in totals:
        frames.update(result.seen.frames)
    table = Table("frame", title="frames by kind")
    table.add_column("sent", justify="right")
    for kind, count in frames.most_common():
        table.add_row(kind, f"{count:,}")
    return table


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.hunt", description=__doc__)
    parser.add_argument("--steps", type=int, default=1_000_000, help="for each game")
    parser.add_argument("--game", choices=sorted(all_games()), help="only this one")
    parser.add_argument("--portion", type=int, help="only this portion, in this process")
    parser.add_argument("--first", type=int, default=0, help="leave out the portions before this one")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    keys = [args.game] if args.game else sorted(all_games())
    console = Console()
    if args.portion is not None:
        totals = [hunt_portion(key, args.portion, min(PORTION, args.steps)) for key in keys]
        for result in totals:
            console.print(result.fault, markup=False)
    else:
        totals = hunt(keys, args.steps, args.jobs, console, args.first)
    console.print(as_list(totals))
    console.print(as_table(totals))
    return 1 if any(result.fault for result in totals) else 0


if __name__ == "__main__":
    sys.exit(main())
