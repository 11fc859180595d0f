"""Decides which table acts next: every table as fast as it can, a few at a time in rotation, or at a fixed rate."""

import asyncio
from collections import deque
from collections.abc import Sequence

from photofinish.lab.bench.tables.base import LoadTable

TICK = 0.001
"""At a fixed rate: seconds between two checks of whether actions are due."""


class Driver:
    """Begins actions on these tables until it is stopped.

    `active`: how many tables act at a time, in rotation; 0 for all. `rate`: actions per second on all tables together;
    0 for no limit.
    """

    def __init__(self, tables: Sequence[LoadTable], *, active: int = 0, rate: float = 0.0) -> None:
        self._tables, self._active, self._rate = tables, active or len(tables), rate
        self._idle: deque[LoadTable] = deque()
        self._is_stopped = False

    def start(self) -> None:
        for table in self._tables:
            table.is_running = True
            table.on_done = self._done
        self._idle.extend(self._tables)
        if self._rate:
            loop = asyncio.get_running_loop()
            self._tick(loop.time(), 0)
        else:
            for _ in range(self._active):
                self._begin()

    def stop(self) -> None:
        """Start no new action. Running actions finish."""
        self._is_stopped = True
        for table in self._tables:
            table.is_running = False

    async def ended(self, seconds: float) -> None:
        """Wait for the actions in progress, at most this long: no round may begin on a table that still acts."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while len(self._idle) < len(self._tables) and loop.time() < until:  # noqa: ASYNC110 - once per round
            await asyncio.sleep(TICK)

    def _done(self, table: LoadTable) -> None:
        self._idle.append(table)
        if not self._rate:
            self._begin()

    def _begin(self) -> None:
        if not self._is_stopped and self._idle:
            self._idle.popleft().begin()

    def _tick(self, began: float, begun: int) -> None:
        """Begin what is due by now. If all tables are busy, what is due waits for the next one that is free."""
        loop = asyncio.get_running_loop()
        due = int((loop.time() - began) * self._rate)
        while begun < due and self._idle and not self._is_stopped:
            self._begin()
            begun += 1
        if not self._is_stopped:
            loop.call_later(TICK, self._tick, began, begun)
