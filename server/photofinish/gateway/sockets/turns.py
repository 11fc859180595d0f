"""Shares the event loop between connections: a FIFO queue with a limit of work per iteration of the loop."""

import asyncio
from collections import deque
from collections.abc import Callable

PER_ITERATION = 4
"""Work items per iteration of the loop. The longest (a 16 KiB frame that is hard to parse) takes about 0.5 ms."""


class Turns:
    """A queue of work items. Below the limit nothing waits."""

    def __init__(self, per_iteration: int = PER_ITERATION) -> None:
        self._per_iteration = per_iteration
        self._used = 0
        self._is_counting = False
        self._waiting: deque[Callable[[], None]] = deque()

    def is_now(self) -> bool:
        """Whether one work item may be done at once. If so, it is counted."""
        if self._waiting or self._used >= self._per_iteration:
            return False
        self._used += 1
        if not self._is_counting:
            self._count()
        return True

    async def take(self) -> None:
        """Return when it is the caller's turn, for one work item."""
        if self.is_now():
            return
        mine = asyncio.get_running_loop().create_future()
        self._waiting.append(lambda: None if mine.done() else mine.set_result(None))
        await mine

    def call(self, work: Callable[[], None]) -> None:
        """Call `work` when its turn comes, never at once."""
        self._waiting.append(work)
        self._count()

    def _count(self) -> None:
        if not self._is_counting:
            self._is_counting = True
            asyncio.get_running_loop().call_soon(self._next_turn)

    def _next_turn(self) -> None:
        self._is_counting = False
        self._used = 0
        for _ in range(min(self._per_iteration, len(self._waiting))):
            self._used += 1
            self._waiting.popleft()()
        if self._used:
            self._count()
