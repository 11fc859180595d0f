"""§10, T12: what an organiser is answered: faults one by one, and warnings."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from photofinish.games import all_games
from photofinish.room.seats.lobby import RequestRefusal
from photofinish.store.ports import NodeId
from photofinish.store.redis import RedisStore
from photofinish.tournament.director.loaded_events import LoadedEvents
from photofinish.tournament.director.request_handler import MOST_ERRORS, EventRequestHandler
from photofinish.tournament.log import entries as log
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason
from tests.tournament.course import HOST, key_of, toml

PING = "max_ping_ms is 0: a slow line is not kept out of the races"
PROXY = "the server is behind a proxy: races are measured by our own pings alone (RACES.md)"


class ConnectionLimits:
    def may_create_event(self) -> bool:
        return True


@pytest.fixture
async def loaded(redis_url: str) -> AsyncIterator[LoadedEvents]:
    store = await RedisStore.open(redis_url)
    yield LoadedEvents(store.events(NodeId("one")))
    await store.close()


async def request(
    loaded: LoadedEvents, message: messages.EventRequest, key: str = HOST, **settings: bool
) -> messages.EventGot:
    return await EventRequestHandler(loaded, all_games(), **settings).request(
        key, f"N {key[-4:]}", message, ConnectionLimits()
    )


async def test_I10_each_fault_of_a_file_is_reported_with_its_line_its_key_and_the_nearest_key(
    loaded: LoadedEvents,
) -> None:
    text = 'title = "x"\ngame = "cambio"\nformat = "swiss"\nruonds = 3\nseats = 99\n'
    with pytest.raises(RequestRefusal) as caught:
        await request(loaded, messages.EventCreate(id=0, toml=text))
    no = caught.value
    assert no.reason is Reason.BAD_EVENT
    assert [(it.line, it.key, it.nearest) for it in no.errors] == [(4, "ruonds", "rounds"), (5, "seats", "")]
    assert no.errors[1].found == "99"
    assert [line.split(":")[0] for line in no.text.splitlines()] == ["line 4", "line 5"]
    assert await loaded.store.codes() == []


async def test_I10_the_answer_to_a_file_full_of_faults_has_a_bounded_size(loaded: LoadedEvents) -> None:
    text = "".join(f"{'k' * 900}{at} = {at}\n" for at in range(13)) + "".join(
        f"q{at} = 1\n" for at in range(60)
    )
    with pytest.raises(RequestRefusal) as caught:
        await request(loaded, messages.EventCreate(id=0, toml=text[:12_000].rpartition("\n")[0] + "\n"))
    assert 13 < len(caught.value.errors) <= MOST_ERRORS
    assert max(len(it.key) for it in caught.value.errors) == 80
    assert len(caught.value.text) <= 4000


async def test_T12_the_organiser_gets_warnings_while_the_file_can_still_change(loaded: LoadedEvents) -> None:
    got = await request(loaded, messages.EventCreate(id=0, toml=toml("cambio", "swiss", "rounds = 3")))
    assert got.warnings == (PING,), "512 may enter: three rounds are few"
    assert (
        await request(loaded, messages.EventDo(id=0, event=got.event, do="open"), behind_proxy=True)
    ).warnings == (PING, PROXY)
    for number in range(101, 105):
        for message in (
            messages.Enter(id=0, event=got.event.lower()),
            messages.CheckIn(id=0, event=got.event),
        ):
            assert (await request(loaded, message, key_of(number))).warnings == (), "they are not for players"
    started = await request(loaded, messages.EventDo(id=0, event=got.event, do="start"))
    assert started.warnings == ("3 rounds of Swiss for 4 entrants: use roundrobin", PING)


async def test_T12_a_file_without_doubtful_values_has_no_warnings(loaded: LoadedEvents) -> None:
    text = toml("cambio", "swiss", "rounds = 3", tail="[room]\nmax_ping_ms = 250")
    got = await request(loaded, messages.EventCreate(id=0, toml=text))
    assert got.warnings == ()
    edited = await request(loaded, messages.EventEdit(id=0, event=got.event, toml=text.replace("250", "0")))
    assert edited.warnings == (PING,)


OTHER = key_of(9)


@pytest.fixture
async def pair(redis_url: str) -> AsyncIterator[tuple[LoadedEvents, LoadedEvents]]:
    """Two nodes, each with its own connection to the same store."""
    stores = [await RedisStore.open(redis_url) for _ in range(2)]
    one, two = (LoadedEvents(it.events(NodeId(f"node{at}"))) for at, it in enumerate(stores))
    yield one, two
    for it in stores:
        await it.close()


async def at_once(
    pair: tuple[LoadedEvents, LoadedEvents], *requests: messages.EventDo
) -> list[Reason | None]:
    """Two officials on two nodes send these in the same moment; what each was refused with."""
    keys = (HOST, OTHER)
    for loaded in pair:  # both know the event as it is
        await loaded.read(requests[0].event)
    done = await asyncio.gather(
        *(request(loaded, it, key) for loaded, it, key in zip(pair, requests, keys, strict=True)),
        return_exceptions=True,
    )
    return [it.reason if isinstance(it, RequestRefusal) else None for it in done]


async def opened(pair: tuple[LoadedEvents, LoadedEvents]) -> str:
    one, two = pair
    event = (await request(one, messages.EventCreate(id=0, toml=toml("cambio", "swiss", "rounds = 1")))).event
    await request(one, messages.Appoint(id=0, event=event, role="organiser", keys=(OTHER,)))
    await request(two, messages.EventDo(id=0, event=event, do="open"), OTHER)
    for number in (101, 102):
        await request(one, messages.Enter(id=0, event=event), key_of(number))
        await request(two, messages.CheckIn(id=0, event=event), key_of(number))
    return event


async def test_I11_of_two_starts_at_once_over_the_store_the_first_commit_wins(
    pair: tuple[LoadedEvents, LoadedEvents],
) -> None:
    event = await opened(pair)
    start = messages.EventDo(id=0, event=event, do="start")
    assert sorted(map(str, await at_once(pair, start, start))) == ["None", "wrong_state"]
    for loaded in pair:
        held = await loaded.read(event)
        assert [it.n for it in held.entries] == list(range(len(held.entries)))
        assert sum(isinstance(it, log.Drawn) for it in held.entries) == 1
        assert held.state.status == "running"
    assert (await pair[0].read(event)).head == (await pair[1].read(event)).head


async def test_I11_two_organisers_at_once_do_not_undo_each_other(
    pair: tuple[LoadedEvents, LoadedEvents],
) -> None:
    event = await opened(pair)
    start = messages.EventDo(id=0, event=event, do="start")
    cancel = messages.EventDo(id=0, event=event, do="cancel", reason="rain")
    reasons = await at_once(pair, start, cancel)
    held = await pair[0].read(event)
    drawn = sum(isinstance(it, log.Drawn) for it in held.entries)
    # A running event may be cancelled; a cancelled one may not start.
    assert (reasons, drawn) in (([None, None], 1), ([Reason.WRONG_STATE, None], 0))
    assert held.state.status == "cancelled"


async def test_T70_bots_can_be_added_in_two_requests(loaded: LoadedEvents) -> None:
    text = toml("reflex", "swiss", "rehearsal = true", "max_entrants = 6")
    event = (await request(loaded, messages.EventCreate(id=0, toml=text))).event
    await request(loaded, messages.EventDo(id=0, event=event, do="open"))
    for bots in (2, 3):
        await request(loaded, messages.EventBots(id=0, event=event, bots=bots))
    with pytest.raises(RequestRefusal) as caught:
        await request(loaded, messages.EventBots(id=0, event=event, bots=2))
    assert caught.value.reason is Reason.EVENT_FULL
    entrants = (await loaded.read(event)).state.entrants.values()
    assert sorted(it.name for it in entrants) == [f"Bot 00{number}" for number in range(1, 6)]
