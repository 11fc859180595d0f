"""The time from sending a move to the last of the four views, at 30 % of the server's highest load."""

import statistics

from photofinish.lab.bench.lateness import ticks
from photofinish.lab.bench.load import MeasuredRound, RoundOrder
from photofinish.lab.bench.results.figures import Bar, Figure
from photofinish.lab.bench.rounds import Progress, started
from photofinish.lab.bench.subjects import COUNTER
from photofinish.lab.bench.work.effort import Effort

LOAD, MOST = 0.3, 0.999


async def measure(effort: Effort, progress: Progress) -> list[Figure]:
    async with started(COUNTER) as (load, server):
        most, found, late = [], [], []
        for number in range(effort.rounds):
            progress(f"latency, round {number + 1} of {effort.rounds}")
            load.say(RoundOrder(effort.warm_up, effort.seconds))
            full = await load.hear(MeasuredRound)
            most.append(full.actions / full.seconds)
            load.say(RoundOrder(effort.warm_up, effort.seconds, rate=LOAD * statistics.median(most)))
            before = await ticks(server.metrics[0])
            found.append(await load.hear(MeasuredRound))
            late.append((await ticks(server.metrics[0])).since(before).quantile(MOST) * 1e3)
    name = f"latency at {LOAD:.0%} of {statistics.median(most):,.0f} actions/s"
    return [
        Figure(f"{name}, p50", "ms", tuple(it.p50 * 1e3 for it in found), Bar(2, 1.5)),
        Figure(f"{name}, p99", "ms", tuple(it.p99 * 1e3 for it in found), Bar(8, 5)),
        Figure(f"{name}: {MOST:.1%} of the loop's ticks late by at most", "ms", tuple(late), Bar(5, 5)),
    ]
