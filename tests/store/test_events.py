"""T16: events in a real Redis: one log that only grows, first commit wins, an old director is fenced off."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request

from photofinish.engine import Rng
from photofinish.games import all_games
from photofinish.store import events as store_events
from photofinish.store.events import RedisEvents
from photofinish.store.ports import NodeId
from photofinish.store.redis import RedisStore
from photofinish.tournament.director.calls import Calls
from photofinish.tournament.director.loaded_events import Fenced, LoadedEvents, NoSuchEvent
from photofinish.tournament.director.pages import EventPages
from photofinish.tournament.event_file import read_event
from photofinish.tournament.log import chain
from photofinish.tournament.log.entries import RaceLine
from photofinish.tournament.people import officials, players
from photofinish.tournament.state.model import Played
from tests.tournament.course import SECRET, Course, better_number, toml
from tests.waiting import until

TOML = b'title = "x"\ngame = "cambio"\nformat = "swiss"\n'
HOST = "0" * 64


@pytest.fixture
async def two(redis_url: str) -> AsyncIterator[tuple[RedisEvents, RedisEvents]]:
    """The same store as two nodes see it."""
    stores = [await RedisStore.open(redis_url) for _ in range(2)]
    yield stores[0].events(NodeId("one")), stores[1].events(NodeId("two"))
    for store in stores:
        await store.close()


async def an_event(events: RedisEvents) -> LoadedEvents:
    loaded = LoadedEvents(events)
    rules = read_event(TOML, all_games())
    assert await loaded.create("EVENTA", bytes(32), TOML, officials.created("EVENTA", rules, TOML, HOST))
    await loaded.commit("EVENTA", lambda state: officials.open_event(state, HOST, bytes(32)))
    return loaded


async def test_a_code_is_given_once(two: tuple[RedisEvents, RedisEvents]) -> None:
    one, other = two
    assert await one.create("EVENTA", b"s", TOML, [b"x"])
    assert not await other.create("EVENTA", b"t", TOML, [b"y"])
    assert await other.codes() == ["EVENTA"]
    assert await other.secret_and_file("EVENTA") == (b"s", TOML)
    assert await other.secret_and_file("NOSUCH") is None
    assert await other.append("NOSUCH", 0, [b"x"]) == "gone"


async def test_T16_entries_are_appended_only_where_they_belong(two: tuple[RedisEvents, RedisEvents]) -> None:
    one, other = two
    await one.create("EVENTA", b"s", TOML, [b"0"])
    assert await one.append("EVENTA", 1, [b"1", b"2"]) == "stored"
    assert await other.append("EVENTA", 1, [b"other"]) == "behind"
    assert await other.append("EVENTA", 3, [b"3"]) == "stored"
    assert await one.log("EVENTA") == [b"0", b"1", b"2", b"3"]
    assert await one.log("EVENTA", 3) == [b"3"]


async def test_T16_S16_the_director_with_the_old_epoch_is_refused(
    two: tuple[RedisEvents, RedisEvents], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    monkeypatch.setattr(store_events, "LEASE_MS", 200)
    await one.create("EVENTA", b"s", TOML, [b"0"])
    first = await one.lease("EVENTA")
    assert first is not None
    assert await other.lease("EVENTA") is None
    assert (await one.lease("EVENTA")) == store_events.EventLease(first.epoch, 0)
    await one.release("EVENTA")
    second = await other.lease("EVENTA")
    assert second is not None
    assert second.epoch > first.epoch
    assert await one.append("EVENTA", 1, [b"stale"], epoch=first.epoch) == "fenced"
    assert await other.append("EVENTA", 1, [b"new"], epoch=second.epoch) == "stored"
    assert await other.log("EVENTA") == [b"0", b"new"]


async def test_T21_S12_the_lease_says_how_long_the_event_had_no_director(
    two: tuple[RedisEvents, RedisEvents], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A director that was stopped in good order released its lease: only the time after that is the gap."""
    one, other = two
    monkeypatch.setattr(store_events, "LEASE_MS", 200)
    await one.create("EVENTA", b"s", TOML, [b"0"])
    first = await one.lease("EVENTA")
    assert first is not None
    assert first.gap_ms == 0, "nobody directed it before"
    await one.release("EVENTA")
    await asyncio.sleep(0.05)
    released = await other.lease("EVENTA")
    assert released is not None
    assert 50 <= released.gap_ms < 10_000
    await asyncio.sleep(0.3)
    expired = await one.lease("EVENTA")
    assert expired is not None
    assert 300 <= expired.gap_ms < 10_000, "since the last renewal"


async def test_concurrent_commits_lose_nothing_and_the_chain_stays_valid(
    two: tuple[RedisEvents, RedisEvents],
) -> None:
    one, other = two
    pair = (await an_event(one), LoadedEvents(other))

    async def enter(number: int) -> None:
        key = f"{number:064x}"
        loaded = pair[number % 2]
        await loaded.commit("EVENTA", lambda state: players.enter(state, key, f"player {number}", 0))

    await asyncio.gather(*(enter(number) for number in range(1, 41)))
    held = await pair[1].read("EVENTA")
    assert len(held.state.entrants) == 40
    entries, head = chain.read(held.lines)
    assert [it.n for it in entries] == list(range(42))
    assert head == held.head == (await pair[0].read("EVENTA")).head


async def test_a_commit_with_an_old_epoch_and_a_read_of_an_unknown_event_raise_their_own_errors(
    two: tuple[RedisEvents, RedisEvents],
) -> None:
    one, other = two
    loaded = await an_event(one)
    old = await one.lease("EVENTA")
    assert old is not None
    await one.release("EVENTA")
    assert await other.lease("EVENTA") is not None
    with pytest.raises(Fenced):
        await loaded.commit(
            "EVENTA", lambda state: officials.cancel(state, HOST, "too late"), epoch=old.epoch
        )
    with pytest.raises(NoSuchEvent):
        await loaded.read("NOSUCH")


async def test_an_entry_whose_answer_was_lost_is_not_decided_again(
    two: tuple[RedisEvents, RedisEvents], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    loaded, rival = await an_event(one), LoadedEvents(other)
    key = f"{1:064x}"
    store_append = one.append

    async def append(*given: Any, **named: Any) -> Any:
        """It is stored, the answer is lost, somebody else is stored, and the retry comes."""
        monkeypatch.undo()
        assert await store_append(*given, **named) == "stored"
        await rival.commit("EVENTA", lambda state: players.enter(state, HOST[:-1] + "2", "Bo", 0))
        return await store_append(*given, **named)

    monkeypatch.setattr(one, "append", append)
    held = await loaded.commit("EVENTA", lambda state: players.enter(state, key, "Ada", 0))
    assert [it.name for it in held.state.entrants.values()] == ["Ada", "Bo"]


async def test_T65_ratings_are_kept_by_game_and_key_and_each_change_once(
    two: tuple[RedisEvents, RedisEvents],
) -> None:
    one, other = two
    first = {"a": (b"", b"1"), "b": (b"", b"2")}
    assert await one.rated("cambio", "EVENTA") == 0
    assert await one.rate("cambio", "EVENTA", 0, 9, first)
    assert not await other.rate("cambio", "EVENTA", 0, 9, {"a": (b"1", b"5")}), "these entries are counted"
    assert not await other.rate("cambio", "EVENTB", 0, 4, {"c": (b"", b"7"), "a": (b"0", b"5")}), "a is not 0"
    assert await other.rated("cambio", "EVENTA") == 9
    assert await other.rated("cambio", "EVENTB") == 0
    assert await other.ratings("cambio", ["a", "b", "c"]) == {"a": b"1", "b": b"2"}
    assert await other.ratings("kodiak", ["a"]) == {}
    assert await other.ratings("cambio", []) == {}


async def test_T43_I17_S9_a_replay_of_a_deal_is_sealed_until_its_last_table_is_done(
    two: tuple[RedisEvents, RedisEvents],
) -> None:
    one, _ = two
    course = Course(toml("cambio", "slapoff", "rounds = 1", tail="[slapoff]\ndeals = 1"), stuck={2}).open(8)
    course.start().run(until=lambda state: state.round is not None and state.round.tables[0].is_over)

    def raw() -> list[bytes]:
        return [bytes.fromhex(it.hash) + it.body.encode() for it in course.lines]

    assert await one.create("EVENTA", SECRET, course.toml.encode(), raw())
    stored, room = len(course.lines), next(iter(course.state.rooms))
    pages = EventPages(LoadedEvents(one), directory=None)  # type: ignore[arg-type]  # it asks for no replay here
    for path in (f"/api/replays/{room}/1", f"/api/replays/{room.lower()}/1/views"):
        assert (await got(pages, path))[0] == 409
    for other in ("ABCDE", "ABCDEFGH"):
        assert await pages.page(f"/api/replays/{other}/1", "", Request("", Headers())) is None
    course.stuck = set()
    course.run(until=lambda state: state.rounds[0].status == "settling")
    assert await one.append("EVENTA", stored, raw()[stored:]) == "stored"
    assert await pages.page(f"/api/replays/{room}/1", "", Request("", Headers())) is None


async def test_players_connected_to_one_node_are_present_for_the_director_on_another(
    two: tuple[RedisEvents, RedisEvents],
) -> None:
    """T34, T2: an arena pairs whoever is connected, and an organiser on any node is not away."""

    class Silent:
        def send(self, message: object) -> None: ...

    one, other = (Calls(LoadedEvents(it)) for it in two)
    door = Silent()
    one.key_connected("a" * 64, door)
    one.start()
    try:

        async def is_here() -> bool:
            return await other.present_players(await two[1].now()) == {"a" * 64}

        async def is_gone() -> bool:
            return await other.present_players(await two[1].now()) == frozenset()

        await until(is_here, "the other node knows")
        one.key_disconnected("a" * 64, door)
        await until(is_gone, "the other node forgets")
    finally:
        await one.stop()


def stored(course: Course) -> list[bytes]:
    return [bytes.fromhex(it.hash) + it.body.encode() for it in course.lines]


async def got(pages: EventPages, path: str, query: str = "") -> tuple[int, Any]:
    reply = await pages.page(path, query, Request(path, Headers()))
    assert reply is not None
    is_json = reply.headers["Content-Type"] == "application/json"
    return reply.status_code, json.loads(reply.body) if is_json else reply.body


async def test_T35_a_league_adds_the_best_of_its_finished_events(
    two: tuple[RedisEvents, RedisEvents],
) -> None:
    one, _ = two
    first = Course(toml("cambio", "swiss", "rounds = 1"), decide=better_number).open(4).start().run()
    second = Course(toml("cambio", "swiss", "rounds = 1"), decide=better_number).open(2).start().run()
    running = Course(toml("cambio", "swiss", "rounds = 1")).open(4).start()
    league = '[league]\nevents = ["EVENTA", "EVENTB", "EVENTC", "NOSUCH"]\ncounted = 2\npoints = [10, 6, 3]'
    top = Course(toml("cambio", "swiss", tail=league))
    for code, course in (("EVENTA", first), ("EVENTB", second), ("EVENTC", running), ("LEAGUE", top)):
        assert await one.create(code, SECRET, course.toml.encode(), stored(course))
    pages = EventPages(LoadedEvents(one), directory=None)  # type: ignore[arg-type]  # it asks for no replay here
    status, table = await got(pages, "/api/events/LEAGUE/league")

    assert status == 200
    assert [(it["rank"], it["name"], it["points"]) for it in table][:2] == [
        (1, "player 1", 20),
        (2, "player 2", 12),
    ]
    assert [it["counted"] for it in table][:2] == [[10, 10], [6, 6]]
    assert (await got(pages, "/api/events/EVENTA/league"))[0] == 404


async def test_T43_T69_the_races_of_a_round_are_sealed_until_its_last_table_is_done(
    two: tuple[RedisEvents, RedisEvents],
) -> None:
    one, _ = two

    def raced(game: Played, rng: Rng) -> tuple[RaceLine, ...]:
        return (RaceLine("race:1", 0, "slap", "won", 300_000, 299_000, 301_000, 0, counted=True),)

    course = (
        Course(toml("cambio", "slapoff", "rounds = 1", tail="[slapoff]\ndeals = 1"), races=raced, stuck={2})
        .open(8)
        .start()
    )
    course.run(until=lambda state: state.round is not None and state.round.tables[0].is_over)
    assert await one.create("EVENTA", SECRET, course.toml.encode(), stored(course))
    count = len(course.lines)
    pages = EventPages(LoadedEvents(one), directory=None)  # type: ignore[arg-type]  # it asks for no replay here
    assert (await got(pages, "/api/events/EVENTA/races"))[0] == 409
    course.stuck = set()
    course.run(until=lambda state: state.rounds[0].status == "settling")
    assert await one.append("EVENTA", count, stored(course)[count:]) == "stored"
    status, lines = await got(pages, "/api/events/EVENTA/races", "round=1")

    assert status == 200
    assert [(it["table"], it["verdict"], it["score_us"]) for it in lines] == [
        (1, "won", 300_000),
        (2, "won", 300_000),
    ]
    assert (await got(pages, "/api/events/EVENTA/races", "round=2"))[1] == []


async def test_a_node_without_players_reports_nobody_as_present(two: tuple[RedisEvents, RedisEvents]) -> None:
    one, other = two
    await one.keep_present((), 10**15)

    assert await other.present_players(0) == frozenset()
