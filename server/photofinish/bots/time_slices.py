"""Runs the decisions of all house bots of this node in time slices, so that no claim waits for a bot."""

import asyncio
from collections.abc import AsyncIterator, Callable, Generator, Iterable
from typing import TypeVar

import structlog

from photofinish.engine import Micros

T = TypeVar("T")

log = structlog.get_logger(__name__)

SLICE = Micros(500)
"""Longest time slice in µs; a single generator step may overrun it."""


async def in_slices(items: Iterable[T], clock: Callable[[], Micros]) -> AsyncIterator[T]:
    """Yield the items in order, and let the event loop run after each slice."""
    until = clock() + SLICE
    for it in items:
        yield it
        if clock() >= until:
            await asyncio.sleep(0)
            until = clock() + SLICE


class TimeSlices:
    """Long decisions, at most one per bot. They take turns (round robin)."""

    def __init__(self, clock: Callable[[], Micros]) -> None:
        self._clock = clock
        self._thoughts: dict[object, Generator[None, None, None]] = {}
        self._is_due = False

    def begin(self, whose: object, thought: Generator[None, None, None]) -> None:
        """Start this decision. It replaces an unfinished one of the same bot."""
        self.forget(whose)
        self._thoughts[whose] = thought
        self._go_on_soon()

    def is_busy(self, whose: object) -> bool:
        """Has this bot an unfinished decision?"""
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
    """Run the decision until its next yield."""
    try:
        next(thought)
    except StopIteration:
        return True
    except Exception:
        log.exception("a house bot's decision failed")
        return True
    return False
