"""Shares the event loop between connections: first come, first served, and only so many in one turn of the loop."""

import asyncio
from collections import deque
from collections.abc import Callable

A_TURN = 4
"""Pieces of work in one turn of the loop. The longest (a frame of 16 KiB that is hard to read) takes about 0.5 ms."""


class Turns:
    """A queue for pieces of work. Nobody waits while there is little to do."""

    def __init__(self, a_turn: int = A_TURN) -> None:
        self._a_turn = a_turn
        self._used = 0
        self._is_counting = False
        self._waiting: deque[Callable[[], None]] = deque()

    async def take(self) -> None:
        """Returns when it is the caller's turn. After its piece of work the caller asks again."""
        if self._may():
            return
        mine = asyncio.get_running_loop().create_future()
        self._waiting.append(lambda: None if mine.done() else mine.set_result(None))
        await mine

    def call(self, work: Callable[[], None]) -> None:
        """Do this when its turn has come, never at once."""
        self._waiting.append(work)
        self._count()

    def _may(self) -> bool:
        if self._waiting or self._used >= self._a_turn:
            return False
        self._used += 1
        self._count()
        return True

    def _count(self) -> None:
        if not self._is_counting:
            self._is_counting = True
            asyncio.get_running_loop().call_soon(self._next_turn)

    def _next_turn(self) -> None:
        self._is_counting = False
        self._used = 0
        for _ in range(min(self._a_turn, len(self._waiting))):
            self._used += 1
            self._waiting.popleft()()
        if self._used:
            self._count()
