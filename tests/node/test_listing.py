"""The list of rooms: in pages, never older than the request, and read once for all requests that wait."""

import asyncio
from collections.abc import AsyncIterator

import msgspec
import pytest

from photofinish.node.clock import clock
from photofinish.node.listing import Listing
from photofinish.store.ports import NodeId, RoomId
from photofinish.store.redis import RedisStore
from photofinish_protocol import messages

NORTH = NodeId("north")


def line(room: str, *, game: str = "cambio", phase: str = "lobby", free: int = 1) -> bytes:
    return msgspec.json.encode(
        {"room": room, "game": game, "phase": phase, "seats": 4, "free": free, "host": "Ada"}
    )


@pytest.fixture
async def listing(redis_url: str) -> AsyncIterator[Listing]:
    store = await RedisStore.open(redis_url)
    lines = {
        "FULL": line("FULL", free=0),
        "ON": line("ON", phase="playing", free=0),
        "OVER": line("OVER", phase="over"),
        "ZEBRA": line("ZEBRA"),
        "APPLE": line("APPLE", game="alaska"),
        "SECRET": b"",
    }
    for room, summary in lines.items():
        await store.create(RoomId(room), NORTH, b"state", summary)
    yield Listing(store, clock)
    await store.close()


def rooms(page: messages.RoomList) -> list[str]:
    return [it.room for it in page.rooms]


async def test_rooms_with_a_free_seat_come_first(listing: Listing) -> None:
    page = await listing.page(messages.Rooms(id=0))

    assert rooms(page) == ["APPLE", "ZEBRA", "OVER", "FULL", "ON"]
    assert page.total == 5


async def test_a_page_has_some_rooms_and_the_total_number(listing: Listing) -> None:
    page = await listing.page(messages.Rooms(id=0, limit=2, skip=1))
    beyond = await listing.page(messages.Rooms(id=0, skip=5))
    cambio = await listing.page(messages.Rooms(id=0, game="cambio", limit=1))

    assert (rooms(page), page.total) == (["ZEBRA", "OVER"], 5)
    assert (rooms(beyond), beyond.total) == ([], 5)
    assert (rooms(cambio), cambio.total) == (["ZEBRA"], 4)


async def test_many_requests_cause_two_reads_and_no_list_is_older_than_its_request(listing: Listing) -> None:
    store = listing._store
    assert isinstance(store, RedisStore)
    first = asyncio.create_task(listing.page(messages.Rooms(id=0)))
    await asyncio.sleep(0)  # it has begun to read
    await store.create(RoomId("NEWER"), NORTH, b"state", line("NEWER"))
    before = store.trips
    pages = await asyncio.gather(*(listing.page(messages.Rooms(id=n)) for n in range(100)))
    await first

    assert all("NEWER" in rooms(page) for page in pages)
    assert store.trips - before <= 2
