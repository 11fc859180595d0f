"""Measure what an action costs the server."""

import asyncio
import os
import platform
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from cyclopts import Parameter, validators
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from photofinish.commands.shared.base import AtLeast1, Json, app, console, need_writable, print_json
from photofinish.lab.bench.results.figures import Figure, as_plain, as_table
from photofinish.lab.bench.results.plot import as_svg
from photofinish.lab.bench.work import peers
from photofinish.lab.bench.work.all import WORKLOADS
from photofinish.lab.bench.work.effort import FULL, SHORT, Effort

Work = Literal[
    "all", "counter", "games", "storm", "latency", "crowd", "cluster", "start", "idle", "growth", "peers"
]


@app.command
def bench(
    *,
    work: Work = "counter",
    short: Annotated[bool, Parameter(negative="")] = False,
    rounds: AtLeast1 | None = None,
    seconds: Annotated[
        float | None, Parameter(help="Length of one measurement.", validator=validators.Number(gt=0))
    ] = None,
    out: Path | None = None,
    plot: Path | None = None,
    json: Json = False,
) -> int:
    """Measure what an action costs, next to a bare websocket echo in the same run.

    The server has one core; Redis (every write synced to the disk) and the load generator have another.

    Parameters
    ----------
    work
        counter: a game whose rules cost nothing. games: every game, played at random. storm: eight seats claim
        within 50 ms. latency: at 30 % load. crowd: 1,000 watchers. cluster: two workers, two nodes. start: a start,
        and 1,000 rooms after a crash. idle: 5,000 connections, 1,250 rooms. growth: 5,000 rooms, 5,000 moves.
        peers: Colyseus and boardgame.io (`make bench-peers` first). all.
    short
        Fewer and shorter measurements, to check that everything runs. The figures are not reliable.
    rounds
        How often each subject is measured. Default: 7.
    out
        Write all figures to this file as JSON.
    plot
        Draw the figures that have a goal into this file as SVG.
    """
    need_writable(out)
    need_writable(plot)
    usual = SHORT if short else FULL
    effort = msgspec.structs.replace(usual, rounds=rounds or usual.rounds, seconds=seconds or usual.seconds)
    names: list[str] = list(WORKLOADS) if work == "all" else [work]
    if work == "all" and not peers.are_installed():
        names.remove("peers")
        if not json:
            console.print("Without Colyseus and boardgame.io, which are not installed (`make bench-peers`).")
    figures = asyncio.run(_measured(names, effort))
    found = {"machine": _machine(), "figures": [as_plain(it) for it in figures]}
    if out is not None:
        out.write_bytes(msgspec.json.format(msgspec.json.encode(found)))
    if plot is not None:
        plot.write_text(as_svg(figures, f"photofinish bench --work {work}"), encoding="utf-8")
    if json:
        print_json(found)
        return 0
    console.print(as_table(figures))
    for figure in figures:
        if figure.note:
            console.print(f"{figure.name}: {figure.note}")
    return 0


async def _measured(names: list[str], effort: Effort) -> list[Figure]:
    figures: list[Figure] = []
    columns = (
        BarColumn(),
        TextColumn("{task.completed}/{task.total} {task.description}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("start", total=len(names))
        for name in names:
            figures += await WORKLOADS[name](effort, lambda text: bar.update(task, description=text))
            bar.advance(task)
    return figures


def _machine() -> dict[str, Any]:
    return {"cores": os.cpu_count(), "python": platform.python_version(), "load": os.getloadavg()[0]}
