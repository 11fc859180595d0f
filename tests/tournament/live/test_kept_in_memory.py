"""The memory that a node uses for events is bounded, and it computes nothing again that it still has."""

import json
from collections.abc import AsyncIterator

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from photofinish.games import all_games
from photofinish.store.ports import NodeId
from photofinish.store.redis import RedisStore
from photofinish.tournament.director import loaded_events
from photofinish.tournament.director.loaded_events import LoadedEvents
from photofinish.tournament.director.pages import EventPages
from photofinish.tournament.event_file import read_event
from photofinish.tournament.people import officials
from tests.tournament.course import HOST, toml

CODES = [f"EVENT{letter}" for letter in "ABCDEFG"]


@pytest.fixture
async def loaded(redis_url: str) -> AsyncIterator[LoadedEvents]:
    """Seven drafts."""
    store = await RedisStore.open(redis_url)
    made = LoadedEvents(store.events(NodeId("one")))
    file = toml().encode()
    rules = read_event(file, all_games())
    for code in CODES:
        assert await made.create(code, bytes(32), file, officials.created(code, rules, file, HOST))
    yield made
    await store.close()


async def cancel(loaded: LoadedEvents, *codes: str) -> None:
    for code in codes:
        await loaded.commit(code, lambda state: officials.cancel(state, HOST, "rain"))
        await loaded.store.end(code)


def held(loaded: LoadedEvents) -> list[str]:
    return [code for code in CODES if loaded.held(code) is not None]


async def test_finished_events_leave_the_memory_first_and_are_read_again_on_request(
    loaded: LoadedEvents, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loaded_events, "MOST_OVER", 2)
    await loaded.read(CODES[0])
    await cancel(loaded, *CODES[1:6])
    assert held(loaded) == [CODES[0], *CODES[4:6]], "the draft stays, and the two that were cancelled last"
    again = await loaded.read(CODES[1])
    assert again.state.status == "cancelled"
    assert again.state.reason == "rain"
    assert len(again.lines) == 2
    assert held(loaded) == [CODES[0], CODES[1], CODES[5]]


async def test_the_number_of_events_in_memory_is_limited_and_one_in_use_is_never_dropped(
    loaded: LoadedEvents, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loaded_events, "MOST_OVER", 0)
    monkeypatch.setattr(loaded_events, "MOST_HELD", 3)
    for code in CODES:
        await loaded.read(code)
        await loaded.read(CODES[0])
    assert held(loaded) == [CODES[0], *CODES[5:]], "those that were read last"
    async with loaded._locked(CODES[0]):
        for code in CODES[1:]:
            await loaded.read(code)
        assert CODES[0] in held(loaded)
    assert len(held(loaded)) == 3
    assert not loaded._locks, "no lock is kept that nobody waits for"


def request(**headers: str) -> Request:
    return Request("/", Headers({name.replace("_", "-"): value for name, value in headers.items()}))


async def feed(pages: EventPages, name: str, **headers: str) -> Response:
    found = await pages.page(f"/events/{name}", "", request(Host="a.example", **headers))
    assert found is not None
    return found


@pytest.mark.parametrize("kind", ["ics", "atom"])
async def test_T69_a_feed_is_made_once_while_the_log_has_not_grown(loaded: LoadedEvents, kind: str) -> None:
    pages = EventPages(loaded, directory=None)  # type: ignore[arg-type]  # it asks for no replay here
    first, name = await feed(pages, f"{CODES[0]}.{kind}"), f"{CODES[0]}.{kind}"
    assert first.body is (await feed(pages, name)).body
    assert first.headers["ETag"] == '"1"'
    same = await feed(pages, name, If_None_Match='"1"')
    assert (same.status_code, same.body) == (304, b"")
    elsewhere = await pages.page(f"/events/{name}", "", request(Host="b.example"))
    assert elsewhere is not None
    assert b"a.example" not in elsewhere.body
    await cancel(loaded, CODES[0])
    fresh = await feed(pages, name, If_None_Match='"1"')
    assert (fresh.status_code, fresh.headers["ETag"]) == (200, '"2"')
    assert fresh.body != first.body or kind == "ics"


async def test_the_list_of_events_reads_the_log_of_a_finished_event_only_once(
    loaded: LoadedEvents, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loaded_events, "MOST_OVER", 1)
    pages = EventPages(loaded, directory=None)  # type: ignore[arg-type]  # it asks for no replay here
    await cancel(loaded, *CODES[1:5])

    async def listed(query: str) -> list[str]:
        found = await pages.page("/api/events", query, request())
        assert found is not None
        return [row["event"] for row in json.loads(found.body)]

    assert await listed("") == CODES
    before = held(loaded)
    assert await listed("state=cancelled") == CODES[1:5]
    assert await listed("state=draft&game=cambio") == [CODES[0], *CODES[5:]]
    assert await listed("game=alaska") == []
    assert held(loaded) == before, "the forgotten ones were not read again"
