"""A director that can be killed after any of its steps, and what outlives it.

Redis is real, the director and all its parts are real. The rooms are on "another node", so they outlive it: each plays
its game by the rules as soon as it is told to deal, and keeps its replay.
"""

from collections import Counter
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

from photofinish.engine import AnyGame
from photofinish.games import all_games
from photofinish.replay import log as room_log
from photofinish.room.facts import Directed
from photofinish.room.record import RoomRecord
from photofinish.store import events as store_events
from photofinish.store.client import RedisClient
from photofinish.store.events import RedisEvents, Stored
from photofinish.store.ports import NodeId
from photofinish.store.redis import RedisStore
from photofinish.tournament.director.calls import Calls
from photofinish.tournament.director.director import Director
from photofinish.tournament.director.loaded_events import LoadedEvents
from photofinish.tournament.director.rooms import EventRooms
from photofinish.tournament.event_file import read_event
from photofinish.tournament.people import officials, players
from tests.tournament.course import HOST, SECOND, SECRET, key_of, toml
from tests.tournament.real_games import play_out

CODE = "EVENTA"
MOST_LOOKS = 400
OPTIONS = "[options]\nflashes = 1\ngap_ms = 400\nwindow_ms = 400"
FORMS = {
    "swiss": toml("reflex", "swiss", "rounds = 2", "best_of = 3", tail=OPTIONS),
    "single": toml("reflex", "single", tail=OPTIONS),
    "slapoff": toml("reflex", "slapoff", "rounds = 2", "seats = 2", tail=OPTIONS + "\n[slapoff]\ndeals = 2"),
    "small": toml("reflex", "swiss", "rounds = 1", tail=OPTIONS),
}
PEOPLE = {"swiss": 5, "single": 5, "slapoff": 4, "small": 3}
EACH = -1


class Killed(BaseException):
    """Not an `Exception`: nothing in the director may go on after it."""


@dataclass
class SharedWorld:
    """What outlives a director: Redis, the clock and the rooms."""

    kill_after: int = 0
    """The number of the step after which it dies; 0: never; `EACH`: after each step."""
    steps: list[str] = field(default_factory=list)
    now: int = 1_000_000 * SECOND
    rooms: dict[str, RoomRecord] = field(default_factory=dict)
    replays: dict[str, bytes] = field(default_factory=dict)
    deals: Counter[str] = field(default_factory=Counter)
    absent: bool = False
    """Nobody comes to a table."""
    long_games: bool = False
    """A game that is dealt goes on until `finish`."""
    gap_ms: int = 0
    """For how long no director ran before the next lease."""

    def step(self, name: str) -> None:
        """Something has just been stored or sent, and would be there after a crash."""
        self.steps.append(name)
        if self.kill_after in {EACH, len(self.steps)}:
            raise Killed(name)

    def local(self, room: str) -> Any:
        record = self.rooms.get(room)
        return None if record is None else SimpleNamespace(room=SimpleNamespace(record=record))

    async def open_for_event(self, record: RoomRecord) -> bool:
        if record.code in self.rooms:
            return False
        for chair in () if self.absent else record.chairs:
            chair.kind, chair.name, chair.is_ready = "player", chair.bound_name, True
        self.rooms[record.code] = record
        self.step("room opened")
        return True

    async def find(self, code: str) -> Any:
        return SimpleNamespace(post=lambda fact: self._deal(self.rooms[code], fact))

    async def replay(self, code: str, number: int) -> bytes | None:
        return self.replays.get(code) if number == 1 else None

    def _deal(self, record: RoomRecord, fact: Directed) -> None:
        if record.phase == "lobby":
            self.deals[record.code] += 1
            record.phase = "playing"
            if not self.long_games:
                self.finish(record.code)
        self.step("told to deal")

    def finish(self, code: str, moves: bytes = b"") -> None:
        """`moves`: what its players draw their moves from. Others play the same deal to another end."""
        record = self.rooms[code]
        record.phase = "over"
        self.replays[code] = played(all_games()[record.game], record, moves)


def played(game: AnyGame, record: RoomRecord, moves: bytes) -> bytes:
    names = tuple(chair.name for chair in record.chairs)
    none = ("",) * len(names)
    dealt = room_log.Dealt(
        game.key, game.version, record.code, 1, len(names), names, record.options, none, (), ()
    )
    return play_out(game, dealt, record.seed, moves)[0]


class CountedEvents(RedisEvents):
    """The store of events on a clock that we move. Each write is a step after which the director may die."""

    def __init__(self, client: RedisClient, node: NodeId, world: SharedWorld) -> None:
        super().__init__(client, node)
        self._world = world

    async def now(self) -> int:
        return self._world.now

    async def lease(self, code: str) -> store_events.EventLease | None:
        lease, gap_ms = await super().lease(code), self._world.gap_ms
        self._world.gap_ms = 0
        return None if lease is None else store_events.EventLease(lease.epoch, gap_ms)

    async def append(
        self, code: str, count: int, entries: Any, *, epoch: int = 0, file: bytes = b""
    ) -> Stored:
        answer = await super().append(code, count, entries, epoch=epoch, file=file)
        self._world.step("appended")
        return answer

    async def rate(self, *given: Any, **named: Any) -> Any:
        answer = await super().rate(*given, **named)
        self._world.step("rated")
        return answer

    async def end(self, code: str) -> None:
        await super().end(code)
        self._world.step("ended")


async def new_director(
    redis_url: str, world: SharedWorld, number: int
) -> tuple[RedisStore, LoadedEvents, Director]:
    store = await RedisStore.open(redis_url)
    events = store.events(NodeId(f"node {number}"))
    loaded = LoadedEvents(CountedEvents(events._client, NodeId(f"node {number}"), world))
    rooms = EventRooms(cast("Any", world), cast("Any", world), loaded.store, all_games())
    return store, loaded, Director(loaded, rooms, Calls(loaded))


async def direct(redis_url: str, world: SharedWorld, number: int) -> bool:
    """Let one director work until the event is over, or it is killed (False). The clock moves only when nothing is due:
    each entry has the same time however often a director was killed.
    """
    store, loaded, director = await new_director(redis_url, world, number)
    try:
        for _ in range(MOST_LOOKS):
            if CODE not in await loaded.store.codes():
                return True
            before = len(world.steps)
            await director._look_after(CODE, is_crowded=False)
            if len(world.steps) == before:
                is_over = (await loaded.read(CODE)).state.status == "finished"
                world.now += (100_000 if is_over else 10) * SECOND
    except Killed:
        return False
    finally:
        await store.close()
    raise AssertionError("the event is never over")


async def started(loaded: LoadedEvents, form: str) -> tuple[bytes, list[str]]:
    """An event that has just been started: its file, and the keys of its players."""
    file = FORMS[form].encode()
    rules = read_event(file, all_games())
    assert await loaded.create(CODE, SECRET, file, officials.created(CODE, rules, file, HOST))
    await loaded.commit(CODE, lambda state: officials.open_event(state, HOST, SECRET))
    keys = [key_of(number) for number in range(101, 101 + PEOPLE[form])]
    for key in keys:
        await loaded.commit(CODE, lambda state, key=key: players.enter(state, key, f"P {key[-2:]}", 0))  # type: ignore[misc]  # a lambda with a default
        await loaded.commit(CODE, lambda state, key=key: players.check_in(state, key))  # type: ignore[misc]  # the same
    await loaded.commit(CODE, lambda state: officials.start_event(state, HOST, SECRET))
    return file, keys


async def flush(redis_url: str) -> None:
    store = await RedisStore.open(redis_url)
    await store.events(NodeId("broom"))._client.execute("FLUSHALL", key="")
    await store.close()
