"""One step to a thousand watchers: how long it holds the event loop, and what it costs in all."""

from photofinish.lab.bench.lateness import ticks
from photofinish.lab.bench.load import MeasuredRound, RoundOrder
from photofinish.lab.bench.results.figures import Bar, Figure
from photofinish.lab.bench.results.report import cpu_us
from photofinish.lab.bench.rounds import Progress, started
from photofinish.lab.bench.subjects import Subject
from photofinish.lab.bench.work.effort import Effort

CROWD = Subject("a room with 1,000 watchers", "crowd", 1)
MOST = 0.99


async def measure(effort: Effort, progress: Progress) -> list[Figure]:
    progress("1,000 people come to watch")
    rounds, late = [], []
    async with started(CROWD) as (load, server):
        for number in range(effort.rounds):
            progress(f"round {number + 1} of {effort.rounds}: {CROWD.name}")
            before = await ticks(server.metrics[0])
            load.say(RoundOrder(effort.warm_up, effort.seconds))
            rounds.append(await load.hear(MeasuredRound))
            late.append((await ticks(server.metrics[0])).since(before).quantile(MOST) * 1e3)
    cost = tuple(cpu_us(it) / 1e3 for it in rounds)
    return [
        Figure("one step to 1,000 watchers: CPU in all", "ms", cost),
        Figure(
            f"one step to 1,000 watchers: {MOST:.0%} of the loop's ticks late by at most",
            "ms",
            tuple(late),
            Bar(5, 2),
        ),
    ]
