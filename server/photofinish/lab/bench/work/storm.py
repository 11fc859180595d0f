"""Slap storms: eight seats claim within 50 ms, over and over."""

from photofinish.lab.bench.results.figures import Figure
from photofinish.lab.bench.results.report import cpu_us
from photofinish.lab.bench.rounds import Progress, run
from photofinish.lab.bench.subjects import Subject
from photofinish.lab.bench.work.counter import plan
from photofinish.lab.bench.work.effort import Effort

STORM = Subject("storm of eight seats, 20 rooms", "storm", 20)


async def measure(effort: Effort, progress: Progress) -> list[Figure]:
    (storm,) = await run(plan(effort, STORM), progress)
    rounds = [it for it in storm.rounds if it.actions]
    if not rounds:
        return []
    return [
        Figure(f"{STORM.name}: CPU per claim", "µs", tuple(cpu_us(it) for it in rounds)),
        Figure(f"{STORM.name}: claim to answer, p50", "ms", tuple(it.p50 * 1e3 for it in rounds)),
        Figure(f"{STORM.name}: claim to answer, p99", "ms", tuple(it.p99 * 1e3 for it in rounds)),
    ]
