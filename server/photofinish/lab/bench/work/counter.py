"""Counter, a game whose rules cost nothing, next to the bare echo and to other game servers in the same run."""

from photofinish.lab.bench.results.figures import Bar, Figure
from photofinish.lab.bench.results.report import cost, cpu_us, each, ratio, throughput
from photofinish.lab.bench.rounds import Plan, Progress, run
from photofinish.lab.bench.subjects import COUNTER, ECHO_BROADCAST, ECHO_SEND, ECHO_UVLOOP, Subject
from photofinish.lab.bench.work.effort import Effort

ECHOES = (ECHO_SEND, ECHO_BROADCAST, ECHO_UVLOOP)
OF_ECHO = Bar(0.75, 1.0, is_least=True)
YARDSTICK = "The yardstick: the echo on plain asyncio, as the library documents it. On uvloop it costs less."


async def measure(effort: Effort, progress: Progress) -> list[Figure]:
    every = await run(plan(effort, *ECHOES, COUNTER), progress)
    ours = every[-1]
    ratios = [
        Figure(f"counter against {them.subject.name}", "×", ratio(ours, them), bar, YARDSTICK if bar else "")
        for them, bar in zip(every[:-1], (OF_ECHO, None, None), strict=True)
    ]
    redis = Figure("counter: CPU of Redis per action", "µs", each(ours, lambda it: cpu_us(it, "redis")))
    return [*(cost(it) for it in every), *(throughput(it) for it in every), redis, *ratios]


def plan(effort: Effort, *subjects: Subject) -> Plan:
    return Plan(subjects, effort.rounds, effort.seconds, effort.warm_up)
