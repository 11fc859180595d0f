"""How late the event loop is: a tick every 10 ms whose lateness is noted. It goes into the evidence of a race."""

import asyncio
from collections.abc import Callable

from photofinish.engine import Micros
from photofinish.node.clock import clock

TICK = Micros(10_000)


class LoopLag:
    """Beats while the gateway is open. Lateness below a millisecond is the loop's own rounding."""

    def __init__(self, tell: Callable[[Micros], None] = lambda _late: None) -> None:
        self._tell = tell
        self._due = Micros(0)
        self._late = Micros(0)
        self._next: asyncio.TimerHandle | None = None

    def start(self) -> None:
        self._wind()

    def stop(self) -> None:
        if self._next is not None:
            self._next.cancel()
            self._next = None

    def lag(self) -> Micros:
        """How late the last tick was, or how overdue the next one is, whichever is more."""
        overdue = clock() - self._due if self._next is not None else 0
        return Micros(max(self._late, overdue))

    def _tick(self) -> None:
        self._late = Micros(max(0, clock() - self._due))
        self._tell(self._late)
        self._wind()

    def _wind(self) -> None:
        self._due = Micros(clock() + TICK)
        self._next = asyncio.get_running_loop().call_later(TICK / 1_000_000, self._tick)
