"""The rooms of a running event: opened once, dealt once, each result read once (T19, T21, T75)."""

import asyncio
from collections.abc import Mapping, Sequence

import structlog

from photofinish.engine import AnyGame
from photofinish.node.actor import KEEP_REPLAYS, RoomActor
from photofinish.node.directory import Directory
from photofinish.node.relay import Relay, RemoteRoom
from photofinish.replay.replay import HEAD_WITHIN, head_of
from photofinish.room import record as records
from photofinish.room.facts import Directed, Rekeyed
from photofinish.room.record import RoomRecord
from photofinish.room.seats.event_room import BoundSeat, event_record
from photofinish.room.seats.lobby import RequestRefusal
from photofinish.store.events import RedisEvents
from photofinish.store.ports import RoomId
from photofinish.tournament.course.due import seed_of
from photofinish.tournament.director.loaded_events import LoadedEvent
from photofinish.tournament.director.outcomes import outcome_in
from photofinish.tournament.log.entries import RoomOutcome, TableCalled
from photofinish.tournament.state.model import BOT, Played, RoundTable, State

log = structlog.get_logger(__name__)

TOGETHER = 64
"""Replays whose heads are read with one trip to the store."""


class EventRooms:
    def __init__(
        self, directory: Directory, relay: Relay, store: RedisEvents, games: Mapping[str, AnyGame]
    ) -> None:
        self._directory, self._relay, self._store, self._games = directory, relay, store, games

    async def record(self, room: str) -> RoomRecord | None:
        """The room's current state; None if there is none."""
        here = self._directory.local(RoomId(room))
        if here is not None:
            return here.room.record
        raw = await self._store.room(room)
        return None if raw is None else records.unpack(raw)

    async def open(self, held: LoadedEvent, round_: int, table: RoundTable, game: Played) -> None:
        """Open the room, once: its code is in the log, and the store refuses a second room with the same code."""
        state, rules = held.state, held.state.rules
        record = event_record(
            game.room,
            self._games[rules.game],
            held.code,
            [_seat(state, number, at) for at, number in enumerate(game.seats)],
            rules.options,
            seed_of(state, held.secret, round_, table.table, game.game, game.attempt),
            is_duplicate=rules.is_duplicate,
            races=rules.races,
            spectator_delay=rules.room.spectator_delay,
            max_ping_ms=rules.room.max_ping_ms,
        )
        made = await self._relay.open_for_event(record)
        if made:
            log.info("event room opened", code=held.code, room=game.room, table=table.table)

    def ready(self, state: State, game: Played, record: RoomRecord) -> frozenset[int]:
        """Who sits at the table and is ready. Bots always are."""
        there = set()
        for number in game.seats:
            if number == BOT:
                continue
            it = state.entrant(number)
            chair = next((chair for chair in record.chairs if chair.bound_key == it.key), None)
            if it.kind == "bot" or (chair is not None and chair.kind == "player" and chair.is_ready):
                there.add(number)
        return frozenset(there)

    def away(self, state: State, game: Played, record: RoomRecord) -> frozenset[int]:
        """The entrants whose seat is on autopilot."""
        keys = {chair.bound_key for chair in record.chairs if chair.bound_key and chair.is_autopilot}
        return frozenset(
            number for number in game.seats if number != BOT and state.entrant(number).key in keys
        )

    def shared_addresses(self, state: State, game: Played, record: RoomRecord) -> list[str]:
        """T49: the entrants at this table with one address, by its hash in this room. The address is not kept."""
        groups: dict[bytes, list[int]] = {}
        keys = {state.entrant(number).key: number for number in game.seats if number != BOT}
        for chair in record.chairs:
            if chair.origin and chair.bound_key in keys:
                groups.setdefault(chair.origin, []).append(keys[chair.bound_key])
        round_, table, _ = state.rooms[game.room]
        return [
            " ".join(map(str, (round_, table, *sorted(numbers))))
            for numbers in groups.values()
            if len(numbers) > 1
        ]

    async def deal(self, held: LoadedEvent, game: Played) -> None:
        """The log says that the table plays: tell its room to deal. The room obeys once."""
        called = _called_seats(held, game.room)
        chairs = tuple(at for at, number in enumerate(called) if number in game.seats)
        room = await self._found(game.room)
        if room is None:
            return
        fact = Directed(held.code, chairs, bots=len(game.seats) == len(called))
        room.post(fact)

    async def rebind(self, held: LoadedEvent, game: Played, record: RoomRecord) -> None:
        """T8: give a chair the entrant's new key. Sent until the room has changed it; sending it twice does no harm."""
        bound = {chair.bound_key for chair in record.chairs}
        for it in (held.state.entrant(number) for number in game.seats if number != BOT):
            for old in it.old_keys if it.key not in bound else ():
                if old in bound and (room := await self._found(game.room)) is not None:
                    room.post(Rekeyed(held.code, old, it.key))

    async def _found(self, code: str) -> RoomActor | RemoteRoom | None:
        """None: the room is gone, or moves from one node to another. The next check tries again."""
        try:
            return await self._relay.find(code)
        except RequestRefusal:
            return None

    async def result(self, game: Played) -> tuple[str, RoomOutcome] | None:
        """Head and outcome of a finished game; None until its replay is stored. From now on that does not expire."""
        raw = await self._directory.replay(game.room, 1)
        if raw is None:
            return None
        await self._store.hold_replay(game.room)
        return await asyncio.to_thread(outcome_in, raw, self._games)

    async def conflicting(self, games: Sequence[Played]) -> list[Played]:
        """T19: the games whose stored replay has another head than the result that was taken."""
        found: list[Played] = []
        for first in range(0, len(games), TOGETHER):
            together = games[first : first + TOGETHER]
            rooms = [it.room for it in together]
            beginnings = await self._store.replay_beginnings(rooms, HEAD_WITHIN)
            heads = zip(together, map(head_of, beginnings), strict=True)
            found += [game for game, head in heads if head not in {"", game.head}]
        return found

    async def release(self, state: State) -> None:
        """T75: the replays are kept until 30 days after the event was sealed or cancelled."""
        await self._store.release_replays(state.rooms, KEEP_REPLAYS)


def _seat(state: State, number: int, at: int) -> BoundSeat:
    if number == BOT:
        return BoundSeat("", f"House {at + 1} (bot)", is_bot=True)
    it = state.entrant(number)
    return BoundSeat(it.key, it.name, is_bot=it.kind == "bot")


def _called_seats(held: LoadedEvent, room: str) -> tuple[int, ...]:
    """The seats as they were called: `dealt` may have taken some away."""
    for entry in reversed(held.entries):
        if isinstance(entry, TableCalled) and entry.room == room:
            return entry.seats
    raise AssertionError(room)
