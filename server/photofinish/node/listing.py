"""The rooms one can see from outside: read once for everybody who asks meanwhile, and shown by the page."""

import asyncio
from collections.abc import Callable

import msgspec

from photofinish.bots.time_slices import in_slices
from photofinish.engine import Micros
from photofinish.store.ports import RoomStore
from photofinish_protocol import messages

PHASES = {"lobby": 0, "playing": 1, "over": 2}


class Listing:
    """Never older than the question, however many ask, and however long the list is."""

    def __init__(self, store: RoomStore, clock: Callable[[], Micros]) -> None:
        self._store, self._clock = store, clock
        self._reading = asyncio.Lock()
        self._began = Micros(-1)
        """When the lines we have were asked for."""
        self._lines: list[messages.RoomLine] = []

    async def page(self, asked: messages.Rooms) -> messages.RoomList:
        lines = [it for it in await self._now() if asked.game is None or it.game == asked.game]
        return messages.RoomList(rooms=tuple(lines[asked.skip : asked.skip + asked.limit]), total=len(lines))

    async def _now(self) -> list[messages.RoomLine]:
        asked = self._clock()
        async with self._reading:
            if self._began < asked:
                began = self._clock()
                self._lines = sorted(await self._read(), key=_order)
                self._began = began
            return self._lines

    async def _read(self) -> list[messages.RoomLine]:
        """A long list must not keep the loop from its sockets."""
        raws = [raw for _, raw in await self._store.summaries() if raw]
        return [
            msgspec.json.decode(raw, type=messages.RoomLine) async for raw in in_slices(raws, self._clock)
        ]


def _order(line: messages.RoomLine) -> tuple[bool, int, str]:
    return not line.free, PHASES[line.phase], line.room
