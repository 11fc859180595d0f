"""Waiting for a fact, with an end. Every wait names its fact, so that a test that gives up says what was missing."""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from typing import Any

LONGEST = 60.0
"""Seconds: far more than any fact needs, even beside four busy processes; less than pytest's own timeout."""
LOOK_AGAIN = 0.01


async def until(
    is_so: Callable[[], bool | Awaitable[bool]],
    what: str,
    *,
    during: asyncio.Future[Any] | None = None,
    seconds: float = LONGEST,
) -> None:
    """Return when `is_so()`. Fails after `seconds`, or as soon as `during` (a game, say) ends before the fact."""
    began = time.monotonic()
    while True:
        has_ended = during is not None and during.done()
        found = is_so()
        if await found if inspect.isawaitable(found) else found:
            return
        if has_ended:
            assert during is not None
            during.result()  # its own failure says more than ours
            raise AssertionError(f"it ended before {what}")
        if time.monotonic() - began > seconds:
            raise AssertionError(f"after {seconds:.0f} s still not: {what}")
        await asyncio.sleep(LOOK_AGAIN)


def wait_until(is_so: Callable[[], bool], what: str, *, seconds: float = LONGEST) -> None:
    """The same for code without an event loop."""
    began = time.monotonic()
    while not is_so():
        if time.monotonic() - began > seconds:
            raise AssertionError(f"after {seconds:.0f} s still not: {what}")
        time.sleep(LOOK_AGAIN)
