"""Stops a server in bounded time, whatever Redis does. Everything that was acknowledged is already stored."""

import asyncio
import os
import sys
import threading
from collections.abc import Awaitable, Callable

import structlog

log = structlog.get_logger(__name__)

ALL = 6.0
"""Seconds for all steps together."""
LEAST = 0.2
"""Seconds for a step after the total is used up: enough to close what still responds."""
LAST = 7.0
"""Seconds after which the process ends itself, if a step does not react to its cancellation."""


class Shutdown:
    """The steps of one stop. The time starts with the first step."""

    def __init__(self, seconds: float = ALL) -> None:
        self._seconds = seconds
        self._ends: float | None = None

    async def step(self, what: str, stop: Callable[[], Awaitable[None]], seconds: float = ALL) -> None:
        """Run the step for at most this time. What is not done by then is left to the next start."""
        loop = asyncio.get_running_loop()
        if self._ends is None:
            self._ends = loop.time() + self._seconds
        task = asyncio.ensure_future(stop())
        left = max(LEAST, min(seconds, self._ends - loop.time()))
        done, _ = await asyncio.wait((task,), timeout=left)
        if done:
            task.result()
            return
        log.warning("a step of the stop took too long", step=what, seconds=round(left, 1))
        task.cancel()
        await asyncio.wait((task,), timeout=LEAST)


def end_process_soon(seconds: float = LAST) -> None:
    """Ends the process after this time, from a daemon thread: it also works if the event loop hangs."""

    def end() -> None:
        sys.stderr.write("photofinish: a step of the stop hangs; the process ends now\n")
        sys.stderr.flush()
        os._exit(1)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
