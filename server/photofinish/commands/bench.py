"""Measure what an action costs the server."""

import asyncio
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from cyclopts import Parameter
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from photofinish.commands.base import AtLeast1, Json, app, console, need_writable, print_json
from photofinish.engine.inputs import no_race
from photofinish.games import shelf
from photofinish.lab.bench.idle import as_line, as_plain, measure_idle
from photofinish.lab.bench.report import as_json, as_table, warnings
from photofinish.lab.bench.rounds import COUNTER, ECHO_BROADCAST, ECHO_SEND, Plan, Series, Subject, run

IDLE_ROOMS = 300


@app.command
def bench(
    *,
    work: Literal["counter", "games", "idle"] = "counter",
    rounds: AtLeast1 = 7,
    seconds: Annotated[float, Parameter(help="Length of one measurement.")] = 3.0,
    out: Path | None = None,
    json: Json = False,
) -> int:
    """Measure the processor time per action, next to a bare websocket echo in the same run.

    The server has one core; Redis (every write synced to the disk) and the load generator have another.

    Parameters
    ----------
    work
        counter: a game whose rules cost nothing; games: every game without races, played at random, next to it;
        idle: 300 rooms in which nobody moves.
    rounds
        How often each subject is measured.
    out
        Write all figures to this file as JSON.
    """
    need_writable(out)
    if work == "idle":
        idle = asyncio.run(measure_idle(IDLE_ROOMS, max(seconds, 5.0)))
        if json:
            print_json(as_plain(idle))
        else:
            console.print(as_line(idle))
        return 0
    plan = Plan(_subjects(work), rounds=rounds, seconds=seconds)
    every = asyncio.run(_measured(plan))
    if out is not None:
        out.write_bytes(msgspec.json.format(msgspec.json.encode(as_json(every))))
    if json:
        print_json(as_json(every))
        return 0
    console.print(as_table(every))
    for line in warnings(every):
        console.print(f"Note: {line}.")
    return 0


def _subjects(work: str) -> tuple[Subject, ...]:
    if work == "counter":
        return (ECHO_SEND, ECHO_BROADCAST, COUNTER)
    quiet = [key for key, game in shelf().items() if game.race is no_race]
    games = (Subject(f"{key}, {COUNTER.tables} rooms", key, COUNTER.tables) for key in quiet)
    return (ECHO_SEND, COUNTER, *games)


async def _measured(plan: Plan) -> list[Series]:
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("start")
        return await run(plan, lambda text: bar.update(task, description=text))
