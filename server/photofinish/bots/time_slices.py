"""Where the house thinks: all its players on this node in turn, a little at a time. No claim waits for a bot."""

import asyncio
from collections.abc import AsyncIterator, Callable, Generator, Iterable
from typing import TypeVar

import structlog

from photofinish.engine import Micros

T = TypeVar("T")

log = structlog.get_logger(__name__)

SLICE = Micros(500)
"""So long the event loop may be kept from its sockets, plus one breath of whoever is thinking."""


async def in_slices(items: Iterable[T], clock: Callable[[], Micros]) -> AsyncIterator[T]:
    """One after the other, and the loop goes round after each slice."""
    until = clock() + SLICE
    for it in items:
        yield it
        if clock() >= until:
            await asyncio.sleep(0)
            until = clock() + SLICE


class TimeSlices:
    """Long thoughts, one for each player. Whoever has had a slice goes to the end of the line."""

    def __init__(self, clock: Callable[[], Micros]) -> None:
        self._clock = clock
        self._thoughts: dict[object, Generator[None, None, None]] = {}
        self._is_due = False

    def begin(self, whose: object, thought: Generator[None, None, None]) -> None:
        """Instead of whatever that player was thinking about until now."""
        self.forget(whose)
        self._thoughts[whose] = thought
        self._go_on_soon()

    def is_busy(self, whose: object) -> bool:
        """Is that player thinking?"""
        return whose in self._thoughts

    def forget(self, whose: object) -> None:
        thought = self._thoughts.pop(whose, None)
        if thought is not None:
            thought.close()

    def _go_on_soon(self) -> None:
        if self._thoughts and not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._go_on)

    def _go_on(self) -> None:
        self._is_due = False
        until = self._clock() + SLICE
        try:
            while self._thoughts and self._clock() < until:
                whose = next(iter(self._thoughts))
                thought = self._thoughts.pop(whose)
                if not _is_done(thought):
                    self._thoughts[whose] = thought
        finally:
            self._go_on_soon()


def _is_done(thought: Generator[None, None, None]) -> bool:
    """Think on until the next breath."""
    try:
        next(thought)
    except StopIteration:
        return True
    except Exception:
        log.exception("a thought of the house broke off")
        return True
    return False
