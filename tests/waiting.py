"""Waits for a fact with a timeout. Every wait names its fact, so that a failed test says what was missing."""

import asyncio
import inspect
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # not imported by each client under test
    from photofinish_client.client import Table
    from photofinish_protocol.messages import Room

LONGEST = 60.0
"""Seconds: far more than any fact needs, even beside four busy processes; less than pytest's own timeout."""
LOOK_AGAIN = 0.01


@asynccontextmanager
async def within(what: str | Callable[[], str], seconds: float = LONGEST) -> AsyncIterator[None]:
    """The block may take this long. After that the test fails and says what it waited for."""
    try:
        async with asyncio.timeout(seconds) as limit:
            yield
    except TimeoutError:
        if not limit.expired():
            raise  # of something inside the block
        raise AssertionError(_missing(what, seconds)) from None


async def until(
    is_so: Callable[[], bool | Awaitable[bool]],
    what: str | Callable[[], str],
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
            raise AssertionError(f"it ended before {_said(what)}")
        if time.monotonic() - began > seconds:
            raise AssertionError(_missing(what, seconds))
        await asyncio.sleep(LOOK_AGAIN)


def wait_until(is_so: Callable[[], bool], what: str, *, seconds: float = LONGEST) -> None:
    """The same for code without an event loop."""
    began = time.monotonic()
    while not is_so():
        if time.monotonic() - began > seconds:
            raise AssertionError(_missing(what, seconds))
        time.sleep(LOOK_AGAIN)


async def hears(table: "Table", is_so: Callable[["Room"], bool]) -> None:
    """Wait until the room that this client knows is so."""
    async with within(lambda: f"what {code_of(is_so)} waits for; the room is {table.room}"):
        await table.until(is_so)


def code_of(function: Callable[..., Any]) -> str:
    """The source of a small function, for the message of a wait that gives up."""
    try:
        return " ".join(inspect.getsource(function).split())
    except (OSError, TypeError):
        return repr(function)


def _missing(what: str | Callable[[], str], seconds: float) -> str:
    return f"after {seconds:.0f} s still not: {_said(what)}"


def _said(what: str | Callable[[], str]) -> str:
    """A text that depends on the state is made when the wait gives up, not when it begins."""
    return what if isinstance(what, str) else what()
