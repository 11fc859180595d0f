"""A real server on an event loop of its own that measures the processor time of each of its turns.

Processor time of the server's thread, not time by the clock: other programs on the machine do not count. Bounds on it
are for a machine of usual speed. A virtual core may be three times slower an hour later, and other workers take its
caches, so `allowed` measures how slow a fixed loop of Python is now.
"""

import asyncio
import contextlib
import os
import threading
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from photofinish.app import App
from tests.attacks.local_server import local_server

LOOPS = 100_000
USUAL = 5.5e-3
"""Seconds of processor time for that many turns of the loop below, on the idle cores of our figures."""
BESIDE = 2.0 if "PYTEST_XDIST_WORKER" in os.environ else 1.0
"""Workers beside this one take its caches, and the same work costs up to twice as much."""


class Turn(NamedTuple):
    """One iteration of the loop, with its wait for sockets and timers. All in seconds."""

    began: float
    ended: float
    work: float
    """Processor time."""


class TimedLoop(asyncio.SelectorEventLoop):
    """Keeps its turns."""

    def __init__(self) -> None:
        super().__init__()
        self.turns: list[Turn] = []

    def _run_once(self) -> None:
        began, before = time.perf_counter(), time.thread_time()
        super()._run_once()  # type: ignore[misc]  # asyncio has no public word for one turn
        self.turns.append(Turn(began, time.perf_counter(), time.thread_time() - before))


class TimedServer:
    def __init__(self, app: App, loop: TimedLoop) -> None:
        self.app, self._loop = app, loop

    @property
    def port(self) -> int:
        return self.app.gateway.ports[0]

    def forget(self) -> None:
        self._loop.turns.clear()

    @property
    def longest(self) -> float:
        """Milliseconds of the longest turn since `forget`."""
        return max((it.work for it in self._loop.turns), default=0.0) * 1e3

    @property
    def total(self) -> float:
        """Milliseconds of all turns since `forget`."""
        return sum(it.work for it in self._loop.turns) * 1e3

    def work(self, since: float, until: float) -> float:
        """Milliseconds of all turns between these two times, the turns at both ends included."""
        return sum(it.work for it in self._loop.turns if it.ended > since and it.began < until) * 1e3


@contextlib.contextmanager
def timed_server(redis_url: str, **settings: Any) -> Iterator[TimedServer]:
    loop, up = TimedLoop(), threading.Event()
    found: list[App] = []
    stop = asyncio.Event()

    async def stand() -> None:
        async with local_server(redis_url, **settings) as app:
            found.append(app)
            up.set()
            await stop.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(stand(),))
    thread.start()
    assert up.wait(30), "the server did not start within 30 s"
    try:
        yield TimedServer(found[0], loop)
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(30)
        loop.close()


def slowness() -> float:
    """How many times slower than usual a fixed loop is. At least 1."""
    return max(1.0, min(_loop() for _ in range(5)) / USUAL)


def allowed(milliseconds: float) -> float:
    """The bound for this machine as it is now."""
    return milliseconds * BESIDE * slowness()


def _loop() -> float:
    before, total = time.thread_time(), 0
    for n in range(LOOPS):
        total += n
    return time.thread_time() - before
