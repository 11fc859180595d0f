"""Runs events: one node at a time per event, by lease (T16). Each due step is stored first, then done."""

import asyncio
import contextlib
import dataclasses
import time
from functools import partial

import msgspec
import structlog

from photofinish.room.record import RoomRecord
from photofinish.store.ports import StoreClosed
from photofinish.tournament.course.due import World, due
from photofinish.tournament.director.calls import Calls
from photofinish.tournament.director.loaded_events import OVER, Fenced, LoadedEvent, LoadedEvents, NoSuchEvent
from photofinish.tournament.director.request_handler import MOST_EVENTS
from photofinish.tournament.director.rooms import EventRooms
from photofinish.tournament.log import entries as log_entries
from photofinish.tournament.scores import results
from photofinish.tournament.scores.ratings import CORRECTED_SINCE, Rating, added
from photofinish.tournament.state.model import Played, Round, RoundTable

log = structlog.get_logger(__name__)

EVERY = 0.25
EVERY_DRAFT = 2.0
"""Seconds between two checks of an event that has not started."""
EVERY_ABANDONED = 2.0
"""Seconds between two checks of the rooms whose games nobody plays any more."""
PAIRED_IN_A_THREAD = 48
"""With more entrants than this, a round is paired in a thread: 512 take 120 ms, 48 about 1 ms."""
LONG_GAP_MS = 5_000
"""T21: no-show clocks are extended by the time in which no director ran, if it was longer."""


class Director:
    def __init__(self, loaded: LoadedEvents, rooms: EventRooms, calls: Calls) -> None:
        self._loaded, self._rooms, self._calls = loaded, rooms, calls
        self._task: asyncio.Task[None] | None = None
        self._next_look: dict[str, float] = {}
        self._next_late_look: dict[str, float] = {}
        self._away: dict[str, dict[int, int]] = {}
        self._organiser_seen: dict[str, int] = {}
        self._shared_addresses: set[tuple[str, str]] = set()
        self._rated: dict[str, int] = {}
        """How much of each event's log the table of ratings counts."""

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="event director")

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        with contextlib.suppress(StoreClosed):
            for code in self._organiser_seen:
                await self._loaded.store.release(code)

    async def _run(self) -> None:
        while True:
            try:
                codes = await self._loaded.store.codes()
                is_crowded = len(codes) > MOST_EVENTS // 2
                for code in codes:
                    if self._is_due(code):
                        await self._look_after(code, is_crowded=is_crowded)
            except StoreClosed:
                return
            except Exception:
                log.exception("the look at all events failed")
            await asyncio.sleep(EVERY)

    def _is_due(self, code: str) -> bool:
        """Before its start an event changes only by commands and by the clock. It is checked less often, so that
        hundreds of drafts cost almost nothing.
        """
        held = self._loaded.held(code)
        now = time.monotonic()
        if held is not None and held.state.status in {"draft", "open"} and now < self._next_look.get(code, 0):
            return False
        self._next_look[code] = now + EVERY_DRAFT
        return True

    async def _look_after(self, code: str, *, is_crowded: bool) -> None:
        """An event that fails must not stop the others."""
        try:
            lease = await self._loaded.store.lease(code)
            if lease is None:
                return
            held = await self._loaded.read(code)
            if held.state.status in OVER:
                await self._keep_ratings(held)
                await self._rooms.release(held.state)
                await self._loaded.store.end(code)
                self._next_look.pop(code, None)
                self._next_late_look.pop(code, None)
                self._rated.pop(code, None)
                return
            # In a pause no clock runs (T22).
            if lease.gap_ms > LONG_GAP_MS and held.state.status == "running":
                moved = log_entries.MovedClock(
                    table=0, micros=lease.gap_ms * 1000, why="no director ran (T21)"
                )
                await self._loaded.commit(code, lambda _: [moved], epoch=lease.epoch)
            await self._direct(code, lease.epoch, is_crowded=is_crowded)
        except Fenced:
            log.info("another node directs the event", code=code)
        except NoSuchEvent:
            await self._loaded.store.end(code)
        except StoreClosed:
            raise
        except Exception:
            log.exception("event could not be directed", code=code)

    async def _direct(self, code: str, epoch: int, *, is_crowded: bool) -> None:
        held = await self._loaded.read(code)
        await self._keep_ratings(held)  # the previous director may have died before it did this
        await self._take_results(held, epoch)
        world = dataclasses.replace(await self._world(held), is_crowded=is_crowded)
        for _ in range(2_000):
            now = await self._loaded.store.now()
            before = len(held.lines)
            held = await self._loaded.commit(
                code,
                partial(due, now=now, world=world),
                epoch=epoch,
                in_thread=len(held.state.entrants) > PAIRED_IN_A_THREAD,
            )
            if len(held.lines) == before:
                break
            await self._keep_ratings(held)
            world = dataclasses.replace(world, head=held.head.hex())
        await self._serve_rooms(held)

    async def _world(self, held: LoadedEvent) -> World:
        state, now = held.state, await self._loaded.store.now()
        here = await self._calls.present_players(now)
        if here & {*state.organisers} or held.code not in self._organiser_seen:
            self._organiser_seen[held.code] = now
        ready: dict[str, frozenset[int]] = {}
        away: set[int] = set()
        busy: set[int] = set()
        for _, _, game in playing(held):
            record = await self._rooms.record(game.room)
            busy |= set(game.seats)
            if record is None:
                continue
            await self._note_shared_addresses(held, game, record)
            if game.dealt:
                away |= self._rooms.away(state, game, record)
            else:
                ready[game.room] = self._rooms.ready(state, game, record)
        since = self._away.get(held.code, {})
        self._away[held.code] = {number: since.get(number, now) for number in away}
        free = {
            it.number
            for it in state.still_in()
            if it.number not in busy and (it.kind == "bot" or it.key in here)
        }
        ratings = await self._ratings(held) if state.rules.is_rated else {}
        return World(
            held.secret,
            ready,
            frozenset(free),
            self._away[held.code],
            self._organiser_seen[held.code],
            ratings,
            held.head.hex(),
        )

    async def _note_shared_addresses(self, held: LoadedEvent, game: Played, record: RoomRecord) -> None:
        for row in self._rooms.shared_addresses(held.state, game, record):
            if (held.code, row) not in self._shared_addresses:
                await self._loaded.store.keep_shared_address(held.code, row)
                self._shared_addresses.add((held.code, row))

    async def _ratings(self, held: LoadedEvent) -> dict[str, Rating]:
        round_ = held.state.round
        if round_ is None or round_.status != "settling":
            return {}
        found = await self._loaded.store.ratings(held.state.rules.game, held.state.entrants)
        return {key: msgspec.msgpack.decode(raw, type=Rating) for key, raw in found.items()}

    async def _keep_ratings(self, held: LoadedEvent) -> None:
        """The table of ratings is updated from the log: each change once, on whichever node directs (T21)."""
        code, upto = held.code, len(held.entries)
        for it in reversed(held.entries[self._rated.get(code, 0) :]):
            if isinstance(it, log_entries.Rated):
                break
        else:
            self._rated[code] = upto
            return
        game, store = held.state.rules.game, self._loaded.store
        while (first := await store.rated(game, code)) < upto:
            fresh = [it for it in held.entries[first:] if isinstance(it, log_entries.Rated)]
            had = await store.ratings(game, {it.key for it in fresh})
            kept = {key: msgspec.msgpack.decode(raw, type=Rating) for key, raw in had.items()}
            for it in fresh:
                now = kept.get(it.key, Rating())
                if held.state.version < CORRECTED_SINCE:  # an older release may have stored it already
                    kept[it.key] = Rating(*it.after, now.games)
                else:
                    kept[it.key] = added(now, Rating(*it.before), Rating(*it.after), it.games)
            made = {key: (had.get(key, b""), msgspec.msgpack.encode(it)) for key, it in kept.items()}
            await store.rate(game, code, first, upto, made)  # refused: another writer was first; read again
        self._rated[code] = upto

    async def _serve_rooms(self, held: LoadedEvent) -> None:
        """Open the rooms that are called but do not exist; deal in the rooms that the log says are dealt (T21)."""
        for round_, table, game in playing(held):
            record = await self._rooms.record(game.room)
            if record is None:
                await self._rooms.open(held, round_.number, table, game)
                continue
            await self._rooms.rebind(held, game, record)
            if game.dealt and record.phase == "lobby" and not record.quarantine:
                await self._rooms.deal(held, game)

    async def _take_results(self, held: LoadedEvent, epoch: int) -> None:
        """T19: the director reads results from the rooms. It checks every running table each time. Every two seconds
        it checks the rooms of abandoned games, and whether a result that was taken is still that of its room.
        """
        for _, _, game in playing(held):
            record = await self._rooms.record(game.room)
            if record is None:
                continue
            if record.quarantine:
                again = partial(results.quarantined, room=game.room)
                await self._loaded.commit(held.code, again, epoch=epoch)
            elif record.phase == "over":
                await self._take_result(held, game, epoch)
        if time.monotonic() < self._next_late_look.get(held.code, 0.0):
            return
        self._next_late_look[held.code] = time.monotonic() + EVERY_ABANDONED
        for game in abandoned(held):
            record = await self._rooms.record(game.room)
            if record is not None and record.phase == "over" and not record.quarantine:
                await self._take_result(held, game, epoch)
        for game in await self._rooms.conflicting(taken(held)):
            await self._take_result(held, game, epoch)

    async def _take_result(self, held: LoadedEvent, game: Played, epoch: int) -> None:
        found = await self._rooms.result(game)
        if found is not None:
            head, outcome = found
            take = partial(results.take, room=game.room, head=head, outcome=outcome)
            await self._loaded.commit(held.code, take, epoch=epoch)


def playing(held: LoadedEvent) -> list[tuple[Round, RoundTable, Played]]:
    """Every game that is called or played now."""
    round_ = held.state.round
    if round_ is None or not held.state.is_running:
        return []
    return [
        (round_, table, table.now) for table in round_.tables if table.now is not None and not table.is_over
    ]


def abandoned(held: LoadedEvent) -> list[Played]:
    """T19: the dealt games of the last two rounds that do not count any more, and have no result in the log yet."""
    state = held.state
    if not state.is_running:
        return []
    return [
        game
        for round_ in state.rounds[-2:]
        for table in round_.tables
        for game in table.games
        if game.dealt
        and not game.head
        and game.room not in state.ignored
        and (table.is_over or table.now is None or game.room != table.now.room)
    ]


def taken(held: LoadedEvent) -> list[Played]:
    """T19: the games of the last two rounds whose result counts. A Redis that lost its last writes may have let one of
    them go on from an earlier state, to another end.
    """
    rounds = held.state.rounds[-2:]
    return [game for it in rounds for table in it.tables for game in table.games if game.head and game.counts]
