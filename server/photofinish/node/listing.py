"""The list of public rooms. Requests that arrive during a read share the next read; each gets one page."""

import asyncio
from collections.abc import Callable

import msgspec
import structlog

from photofinish.bots.time_slices import in_slices
from photofinish.engine import Micros
from photofinish.node.metrics_port import MetricsPort
from photofinish.store.ports import RoomId, RoomStore
from photofinish_protocol import messages

log = structlog.get_logger(__name__)

PHASES = {"lobby": 0, "playing": 1, "over": 2}


class Listing:
    """A page is never older than the request for it."""

    def __init__(
        self, store: RoomStore, clock: Callable[[], Micros], metrics: MetricsPort | None = None
    ) -> None:
        self._store, self._clock, self._metrics = store, clock, metrics or MetricsPort()
        self._unreadable: set[tuple[RoomId, bytes]] = set()
        """Unreadable lines. Each is logged and counted once."""
        self._reading = asyncio.Lock()
        self._began = Micros(-1)
        """When the newest read began."""
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
        """In time slices: a long list must not block the event loop."""
        found = [it for it in await self._store.summaries() if it[1]]
        self._unreadable.intersection_update(found)
        read = [self._line(*it) async for it in in_slices(found, self._clock)]
        return [line for line in read if line is not None]

    def _line(self, room: RoomId, raw: bytes) -> messages.RoomLine | None:
        """None for a line that is damaged or from another release. The other lines are still listed."""
        try:
            return msgspec.json.decode(raw, type=messages.RoomLine)
        except (msgspec.DecodeError, UnicodeDecodeError) as fault:
            if (room, raw) not in self._unreadable:
                self._unreadable.add((room, raw))
                self._metrics.unreadable("line")
                log.error("a line of the list cannot be read", room=room, why=str(fault))  # noqa: TRY400 - a fact
            return None


def _order(line: messages.RoomLine) -> tuple[bool, int, str]:
    return not line.free, PHASES.get(line.phase, 1), line.room
