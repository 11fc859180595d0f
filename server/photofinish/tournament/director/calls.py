"""T68: players are called to their tables, on whichever node they are connected."""

import asyncio
import time
from typing import Literal, Protocol

import structlog

from photofinish.room.seats.lobby import RequestRefusal
from photofinish.store.ports import StoreClosed
from photofinish.tournament.course.due import ROOM_CODE
from photofinish.tournament.director.loaded_events import LoadedEvent, LoadedEvents, NoSuchEvent
from photofinish.tournament.people.roles import is_official
from photofinish.tournament.state.model import BOT, Played, Round, RoundTable
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason

log = structlog.get_logger(__name__)

EVERY = 0.25
SAY_EVERY = 1.0
"""Seconds between two records of which keys are connected to this node."""
GONE_AFTER = 3_000_000
"""Microseconds without such a record after which a player counts as gone."""


class FollowerPort(Protocol):
    def send(self, message: messages.ServerMessage) -> None: ...


class Calls:
    """Each node reads the logs of the running events and calls the keys that are connected to it."""

    def __init__(self, loaded: LoadedEvents) -> None:
        self._loaded = loaded
        self._ports: dict[str, dict[FollowerPort, set[str]]] = {}
        """By key: each connection, and the rooms it was called to."""
        self._said_at = 0.0
        self._task: asyncio.Task[None] | None = None

    def key_connected(self, key: str, port: FollowerPort) -> None:
        self._ports.setdefault(key, {})[port] = set()

    def key_disconnected(self, key: str, port: FollowerPort) -> None:
        ports = self._ports.get(key, {})
        ports.pop(port, None)
        if not ports:
            self._ports.pop(key, None)

    async def present_players(self, now: int) -> frozenset[str]:
        """The keys of all players who are connected, to this node or another."""
        return await self._loaded.store.present_players(now) | self._ports.keys()

    async def _say_who_is_here(self) -> None:
        if self._ports and time.monotonic() >= self._said_at + SAY_EVERY:
            self._said_at = time.monotonic()
            store = self._loaded.store
            await store.keep_present(tuple(self._ports), await store.now() + GONE_AFTER)

    async def room_of(self, key: str, event: str) -> str:
        """The room this key is called to in that event. Raises `RequestRefusal`: no table, or another event first.

        Only the event itself is read, and one that seems to call earlier. To read all of them took 500 calls of Redis
        for each request.
        """
        own = await self._call_in(event.upper(), key)
        if own is None:
            raise RequestRefusal(Reason.NOT_CALLED)
        for held in self._loaded.all_held():
            seen = _called_room(held, key) if held.code != event.upper() else None
            if seen is not None and seen < own:
                earlier = await self._call_in(held.code, key)
                if earlier is not None and earlier < own:
                    raise RequestRefusal(Reason.BUSY)
        return own[1]

    async def _call_in(self, event: str, key: str) -> tuple[int, str] | None:
        try:
            return _called_room(await self._loaded.read(event), key)
        except NoSuchEvent:
            return None

    async def rank_at(self, key: str, room: str) -> Literal["", "referee", "hands"]:
        """T4, T60: a referee sees the records of all races at once, and hands only at tables that were opened to it."""
        room = room.upper()
        if len(room) != ROOM_CODE:
            return ""
        held = await self._loaded.with_room(room)
        if held is None:
            return ""
        state = held.state
        round_, table, _ = state.rooms[room]
        own = state.entrants.get(key)
        if own is not None and own.number in state.rounds[round_ - 1].tables[table - 1].seats:
            return ""  # T3: nobody is a referee at their own table
        if key in state.referees and ((round_, table), key) in state.opened:
            return "hands"
        return "referee" if is_official(state, key) else ""

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="event calls")

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        over: set[str] = set()
        while True:
            await asyncio.sleep(EVERY)
            if not self._ports:
                continue
            try:
                await self._say_who_is_here()
                for code in await self._loaded.store.codes():
                    if code not in over and await self._read_and_call(code):
                        over.add(code)
            except StoreClosed:
                return
            except Exception:
                log.exception("players could not be called to their tables")

    async def _read_and_call(self, code: str) -> bool:
        """Whether the event calls nobody any more."""
        try:
            held = await self._loaded.read(code)
        except NoSuchEvent:  # deleted since it was listed
            return True
        await self._call(held)
        return held.state.status in {"sealed", "cancelled", "finished"}

    async def _call(self, held: LoadedEvent) -> None:
        state, round_ = held.state, held.state.round
        if round_ is None or not state.is_running:
            return
        now = await self._loaded.store.now()
        for table in round_.tables:
            game = table.now
            if game is None or table.is_over:
                continue
            for seat, number in enumerate(game.seats):
                if number == BOT:
                    continue
                ports = self._ports.get(state.entrant(number).key, {})
                for port, called_rooms in ports.items():
                    if game.room not in called_rooms:
                        called_rooms.add(game.room)
                        port.send(_called(held, round_, table, game, seat, now))


def _called_room(held: LoadedEvent, key: str) -> tuple[int, str] | None:
    """The room in which the key must sit, and the deadline; None if it is not called now."""
    state, round_ = held.state, held.state.round
    entrant = state.entrants.get(key)
    if round_ is None or entrant is None or not state.is_running:
        return None
    for table in round_.tables:
        game = table.now
        if game is not None and not table.is_over and entrant.number in game.seats:
            return game.no_show_at, game.room
    return None


def _called(
    held: LoadedEvent, round_: Round, table: RoundTable, game: Played, seat: int, now: int
) -> messages.Called:
    others = [number for at, number in enumerate(game.seats) if at != seat]
    return messages.Called(
        event=held.code,
        round=round_.number,
        table=table.table,
        game=game.game,
        attempt=game.attempt,
        room=game.room,
        seat=seat,
        opponents=tuple("bot" if it == BOT else held.state.entrant(it).name for it in others),
        no_show_in_us=max(0, game.no_show_at - now),
    )
