"""T4, T68: what `sit` and `watch` of a player with a key cost the store, however many events there are."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request

from photofinish.room.seats.lobby import RequestRefusal
from photofinish.store.events import RedisEvents
from photofinish.store.ports import NodeId
from photofinish.store.redis import RedisStore
from photofinish.tournament.director.calls import Calls
from photofinish.tournament.director.loaded_events import LETTERS, LoadedEvents
from photofinish.tournament.director.pages import EventPages
from photofinish.tournament.log.entries import HandsOpened
from photofinish.tournament.people import officials
from photofinish.tournament.state.model import State
from tests.tournament.course import HOST, SECRET, Course, key_of, toml

OTHERS = 20
KEY = key_of(1001)


class CountedEvents(RedisEvents):
    """Counts how often a log is read."""

    reads = 0

    async def log(self, code: str, first: int = 0) -> list[bytes]:
        self.reads += 1
        return await super().log(code, first)


@pytest.fixture
async def store(redis_url: str) -> AsyncIterator[CountedEvents]:
    redis = await RedisStore.open(redis_url)
    yield CountedEvents(redis.events(NodeId("one"))._client, NodeId("one"))
    await redis.close()


def called(state: State) -> bool:
    round_ = state.round
    return round_ is not None and all(it.now is not None for it in round_.tables)


def course(*tail: str) -> Course:
    """A running event whose players are called to their tables."""
    return Course(toml("cambio", "swiss", *tail)).open(4).start().run(until=called)


async def keep(store: RedisEvents, code: str, it: Course) -> None:
    lines = [bytes.fromhex(line.hash) + line.body.encode() for line in it.lines]
    assert await store.create(code, SECRET, it.toml.encode(), lines)


async def keep_others(store: RedisEvents) -> None:
    for n in range(OTHERS):
        await keep(store, f"EXTRA{LETTERS[n]}", Course(toml("cambio", "swiss")))


async def reading_all(store: RedisEvents) -> Calls:
    """As a node that has read all events, which it does four times per second."""
    loaded = LoadedEvents(store)
    for code in await store.codes():
        await loaded.read(code)
    return Calls(loaded)


def room_of(it: Course) -> str:
    """The room of `KEY`."""
    number, round_ = it.state.entrants[KEY].number, it.state.round
    assert round_ is not None
    return next(
        table.now.room for table in round_.tables if table.now is not None and number in table.now.seats
    )


async def test_T68_sit_reads_one_event_and_not_all_of_them(store: CountedEvents) -> None:
    """Before, each `sit` read every event of the server from Redis: 500 calls for 40 bytes."""
    await keep_others(store)
    event = course()
    await keep(store, "EVENTA", event)
    found = await reading_all(store)
    store.reads = 0

    assert await found.room_of(KEY, "eventa") == room_of(event)
    assert store.reads == 1
    for unknown in ("NOSUCH", "", "x" * 4_000, "EXTRAA"):
        with pytest.raises(RequestRefusal, match="not_called"):
            await found.room_of(KEY, unknown)
    assert store.reads <= 3


async def test_T68_who_is_called_in_two_events_sits_in_the_earlier_one_first(store: CountedEvents) -> None:
    first, second = course(), Course(toml("cambio", "swiss"), now=1_000_007_000_000, seed=1)
    second.open(4).start().run(until=called)
    await keep(store, "EVENTB", first)
    await keep(store, "EVENTA", second)
    found = await reading_all(store)

    assert await found.room_of(KEY, "EVENTB") == room_of(first)
    with pytest.raises(RequestRefusal, match="busy"):
        await found.room_of(KEY, "EVENTA")


async def test_many_who_ask_for_rooms_of_no_event_share_a_reading_of_all_events(store: CountedEvents) -> None:
    """`watch` by a player with a key, and the replay pages, for which nobody needs a key (T43)."""
    await keep_others(store)
    loaded = LoadedEvents(store)
    found, pages = Calls(loaded), EventPages(loaded, None)  # type: ignore[arg-type]  # it finds no replay here
    nothing = Request("", Headers())
    ranks = await asyncio.gather(*(found.rank_at(KEY, "QQQQQQQQ") for _ in range(200)))
    answers = await asyncio.gather(*(pages.page("/api/replays/QQQQQQQQ/1", "", nothing) for _ in range(200)))

    assert set(ranks) == {""}
    assert set(answers) == {None}, "not a page of an event"
    assert store.reads <= 4 * OTHERS, "400 requests read all events 400 times before"


async def test_T43_a_replay_of_a_sealed_deal_stays_sealed_on_a_node_that_has_just_started(
    store: CountedEvents,
) -> None:
    event = Course(toml("cambio", "slapoff", "rounds = 1")).open(8, check_in=False).start().run(until=called)
    await keep(store, "EVENTA", event)
    pages = EventPages(LoadedEvents(store), None)  # type: ignore[arg-type]  # it finds no replay here
    for code in (room_of(event), room_of(event).lower()):
        sealed = await pages.page(f"/api/replays/{code}/1", "", Request("", Headers()))
        assert sealed is not None
        assert sealed.status_code == 409


async def test_T4_a_referee_is_one_at_a_table_that_this_node_has_not_read_yet(store: CountedEvents) -> None:
    event = course()
    event.add(officials.appoint(event.state, HOST, "referee", (key_of(5),), away=False))
    found = Calls(LoadedEvents(store))
    assert await found.rank_at(key_of(5), room_of(event)) == ""
    await keep(store, "EVENTA", event)
    assert await found.rank_at(key_of(5), room_of(event)) == "referee"
    assert await found.rank_at(KEY, room_of(event)) == "", "T3: it plays here"
    opened = HandsOpened(by=HOST, referee=key_of(5), round=1, table=table_of(event), reason="x")
    before = len(event.lines)
    event.add((opened,))
    fresh = [bytes.fromhex(it.hash) + it.body.encode() for it in event.lines[before:]]
    assert await store.append("EVENTA", before, fresh) == "stored"
    assert await found.rank_at(key_of(5), room_of(event).lower()) == "hands", "at once"


def table_of(it: Course) -> int:
    return it.state.rooms[room_of(it)][1]
