"""Measures several subjects in turn, in a new order each round, so that a change of the machine affects all of them."""

import contextlib
import random
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from photofinish.lab.bench.load import Job, MeasuredRound, OpenedSockets, RoundOrder
from photofinish.lab.bench.servers import Started, started_load, started_server
from photofinish.lab.bench.subjects import Subject
from photofinish.lab.net.child import Child

Progress = Callable[[str], None]


@dataclass(slots=True)
class Series:
    """All rounds of one subject."""

    subject: Subject
    rounds: list[MeasuredRound] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Plan:
    subjects: Sequence[Subject]
    rounds: int = 7
    seconds: float = 3.0
    warm_up: float = 1.0


async def run(plan: Plan, progress: Progress) -> list[Series]:
    """Measure every subject once per round."""
    series = {it: Series(it) for it in plan.subjects}
    async with contextlib.AsyncExitStack() as stack:
        ready = {}
        for subject in plan.subjects:
            progress(f"start {subject.name}")
            ready[subject] = (await stack.enter_async_context(started(subject)))[0]
        for number in range(plan.rounds):
            for subject in random.sample(plan.subjects, len(plan.subjects)):
                progress(f"round {number + 1} of {plan.rounds}: {subject.name}")
                ready[subject].say(RoundOrder(plan.warm_up, plan.seconds))
                series[subject].rounds.append(await ready[subject].hear(MeasuredRound))
    return list(series.values())


@contextlib.asynccontextmanager
async def started(subject: Subject) -> AsyncIterator[tuple[Child, Started]]:
    """The subject's server with its Redis, and a load generator with all tables open."""
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pf-bench-")))
        server = await started_server(stack, subject, folder)
        load = await started_load(stack, folder)
        await open_tables(load, server, subject)
        yield load, server


async def open_tables(load: Child, server: Started, subject: Subject) -> None:
    load.say(Job(subject.kind, server.urls, subject.tables, server.pids))
    await load.hear(OpenedSockets)
