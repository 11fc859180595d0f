"""The views of finished games, played again in a thread: one game at a time, few in the queue, results kept."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable

MOST_WAITING = 8
"""At most this many replays wait to be played again, including the current one. Requests for the same one share it."""
MOST_BYTES = 32 << 20
"""Older results are dropped when all together are larger than this."""


class QueueFull(Exception):  # noqa: N818 - the caller answers it with a sentence
    """Too many requests wait already. Try again later."""


class ReplayViews:
    def __init__(self, most_waiting: int = MOST_WAITING, most_bytes: int = MOST_BYTES) -> None:
        self._most_waiting, self._most_bytes = most_waiting, most_bytes
        self._one_at_a_time = asyncio.Lock()
        self._bytes = 0
        self._making: dict[tuple[bytes, int | None], asyncio.Task[bytes]] = {}
        self._kept: OrderedDict[tuple[bytes, int | None], bytes] = OrderedDict()

    async def get(self, replay: bytes, seat: int | None, play: Callable[[], bytes]) -> bytes:
        """What `play` makes of this replay for this seat. Raises `QueueFull`, and what `play` raises."""
        key = (hashlib.sha256(replay).digest(), seat)
        if (kept := self._find(key)) is not None:
            return kept
        making = self._making.get(key)
        if making is None:
            if len(self._making) >= self._most_waiting:
                raise QueueFull
            making = self._making[key] = asyncio.create_task(self._make(key, play), name="replay views")
        # A closed connection cancels its request, but not the replay: a thread cannot be stopped. So its place in the
        # queue stays taken until it is done.
        return await asyncio.shield(making)

    async def _make(self, key: tuple[bytes, int | None], play: Callable[[], bytes]) -> bytes:
        try:
            async with self._one_at_a_time:
                made = await asyncio.to_thread(play)
            self._keep(key, made)
            return made
        finally:
            del self._making[key]

    def _find(self, key: tuple[bytes, int | None]) -> bytes | None:
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def _keep(self, key: tuple[bytes, int | None], made: bytes) -> None:
        self._kept[key] = made
        self._bytes += len(made)
        while self._bytes > self._most_bytes:
            self._bytes -= len(self._kept.popitem(last=False)[1])
