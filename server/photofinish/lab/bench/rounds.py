"""Runs the bench: starts every server and its load generator, and measures them in turn, in a new order each round."""

import contextlib
import random
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from photofinish.lab.bench.cpu import pin
from photofinish.lab.bench.load import Job, Measured, Opened, Round
from photofinish.lab.net.child import Child
from photofinish.store.embedded import EmbeddedRedis

SERVER_CORE, LOAD_CORE = 0, 1
"""The server has a core to itself; Redis and the load generator share the other one."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What is measured: a server and what it has to do."""

    name: str
    kind: str
    """The kind of table (`load.KINDS`), or the game that is played at random."""
    tables: int
    echo: str = ""
    """For a bare echo: the way it sends."""


ECHO_SEND = Subject("websockets echo, send", "echo", 60, echo="send")
ECHO_BROADCAST = Subject("websockets echo, broadcast", "echo", 60, echo="broadcast")
COUNTER = Subject("counter, 60 rooms", "counter", 60)
IDLE = Subject("idle", "idle", 0)


@dataclass(slots=True)
class Series:
    """All rounds of one subject."""

    subject: Subject
    rounds: list[Measured] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Plan:
    subjects: Sequence[Subject]
    rounds: int = 7
    seconds: float = 3.0
    warm_up: float = 1.0


async def run(plan: Plan, progress: Callable[[str], None]) -> list[Series]:
    """Measure every subject once per round. The order of a round is shuffled: what changes with time hits all alike."""
    series = {it: Series(it) for it in plan.subjects}
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pf-bench-")))
        ready = {}
        for subject in plan.subjects:
            progress(f"start {subject.name}")
            place = Path(tempfile.mkdtemp(dir=folder))
            ready[subject] = await stack.enter_async_context(_started(subject, place))
        for number in range(plan.rounds):
            for subject in random.sample(plan.subjects, len(plan.subjects)):
                progress(f"round {number + 1}: {subject.name}")
                ready[subject].say(Round(plan.warm_up, plan.seconds))
                series[subject].rounds.append(await ready[subject].hear(Measured))
    return list(series.values())


@contextlib.asynccontextmanager
async def _started(subject: Subject, folder: Path) -> AsyncIterator[Child]:
    """The subject's server with its Redis, and a load generator with all tables open."""
    async with contextlib.AsyncExitStack() as stack:
        url, pids = await started_server(stack, subject, folder)
        load = await started_load(stack, folder)
        load.say(Job(subject.kind, url, subject.tables, pids))
        await load.hear(Opened)
        yield load


async def started_server(
    stack: contextlib.AsyncExitStack, subject: Subject, folder: Path
) -> tuple[str, dict[str, int]]:
    """The address of the subject's server, and the processes to be measured."""
    pids = {}
    if subject.echo:
        program = ["-m", "photofinish.lab.bench.echo", subject.echo]
    else:
        redis = await EmbeddedRedis.start(folder / "redis")
        stack.push_async_callback(redis.stop)
        pids["redis"] = redis.pid
        pin(redis.pid, LOAD_CORE)
        program = ["-m", "photofinish.lab.bench.server", redis.url]
    server = await stack.enter_async_context(Child("server", "-", folder / "server.log", *program))
    url = (await server.line()).decode().strip()
    pids["server"] = server.pid
    pin(server.pid, SERVER_CORE)
    return url, pids


async def started_load(stack: contextlib.AsyncExitStack, folder: Path) -> Child:
    generator = Child("load", "-", folder / "load.log", "-m", "photofinish.lab.bench.load")
    load = await stack.enter_async_context(generator)
    pin(load.pid, LOAD_CORE)
    return load
