"""Pages of events are made in a thread, one at a time, and kept while the event's log has not grown.

Exports wait for each other, but no other page waits for an export: that of 512 entrants takes several seconds.
"""

import asyncio
import http
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass

MOST = 64
"""Pages that are kept."""
LARGEST = 1 << 20
"""Bytes. Of larger pages only the last is kept: its first readers may have been told to try again."""


@dataclass(frozen=True, slots=True)
class Page:
    status: http.HTTPStatus
    body: bytes
    kind: str


class PageCache:
    """The standings of 512 entrants take 50 ms, a report 100: in the event loop they would delay the tables."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, Page] = OrderedDict()
        self._large: dict[Hashable, Page] = {}
        self._making: dict[Hashable, asyncio.Task[Page]] = {}
        self._one_page, self._one_export = asyncio.Lock(), asyncio.Lock()

    async def page(self, key: Hashable, make: Callable[[], Page]) -> Page:
        """The page of this key; the key must change when the page does. Simultaneous requests share one call."""
        return await self._shared(key, lambda: asyncio.to_thread(make), self._one_page)

    async def export(self, key: Hashable, make: Callable[[], Awaitable[Page]]) -> Page:
        return await self._shared(key, make, self._one_export)

    async def _shared(self, key: Hashable, make: Callable[[], Awaitable[Page]], one: asyncio.Lock) -> Page:
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if key in self._large:
            return self._large[key]
        task = self._making.get(key)
        if task is None:
            task = self._making[key] = asyncio.create_task(self._make(key, make, one), name="event page")
        return await asyncio.shield(task)  # a closed connection must not cancel it for the others

    async def _make(self, key: Hashable, make: Callable[[], Awaitable[Page]], one: asyncio.Lock) -> Page:
        try:
            async with one:
                made = await make()
        finally:
            del self._making[key]
        if len(made.body) > LARGEST:
            self._large = {key: made}
        else:
            self._kept[key] = made
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)
        return made
