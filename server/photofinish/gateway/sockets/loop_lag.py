"""Measures how late the event loop is, with a timer every 10 ms. The result is part of the evidence of a race."""

import asyncio
from collections.abc import Callable

from photofinish.engine import Micros
from photofinish.node.clock import clock

TICK = Micros(10_000)


class LoopLag:
    """Ticks while the gateway is open. Lateness below a millisecond is rounding by the loop."""

    def __init__(self, report: Callable[[Micros], None] = lambda _late: None) -> None:
        self._report = report
        self._due = Micros(0)
        self._late = Micros(0)
        self._next: asyncio.TimerHandle | None = None

    def start(self) -> None:
        self._schedule()

    def stop(self) -> None:
        if self._next is not None:
            self._next.cancel()
            self._next = None

    def lag(self, now: Micros) -> Micros:
        """The greater of: how late the last tick was, and how overdue the next one is."""
        overdue = now - self._due if self._next is not None else 0
        return Micros(overdue) if overdue > self._late else self._late

    def _tick(self) -> None:
        self._late = Micros(max(0, clock() - self._due))
        self._report(self._late)
        self._schedule()

    def _schedule(self) -> None:
        self._due = Micros(clock() + TICK)
        self._next = asyncio.get_running_loop().call_later(TICK / 1_000_000, self._tick)
