"""One step to a thousand watchers: how long it can hold the event loop."""

from photofinish.lab.bench.figures import Bar, Figure
from photofinish.lab.bench.report import cpu_us
from photofinish.lab.bench.rounds import Progress, run
from photofinish.lab.bench.subjects import Subject
from photofinish.lab.bench.work.counter import plan
from photofinish.lab.bench.work.effort import Effort

CROWD = Subject("a room with 1,000 watchers", "crowd", 1)


async def measure(effort: Effort, progress: Progress) -> list[Figure]:
    (crowd,) = await run(plan(effort, CROWD), progress)
    values = tuple(cpu_us(it) / 1e3 for it in crowd.rounds)
    note = "All of its processor time: the loop is held for no longer than that."
    return [Figure("one step to 1,000 watchers: CPU", "ms", values, Bar(5, 2), note)]
