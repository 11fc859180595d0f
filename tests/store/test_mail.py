"""The mail between nodes on a real Redis: which address a node has, and waiting for messages."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import redis

from photofinish.store import mail
from photofinish.store.keys import node_status_of
from photofinish.store.mail import RedisMail
from photofinish.store.ports import RoomId
from photofinish.store.redis import RedisStore
from tests.store.conftest import NORTH, SOUTH
from tests.waiting import until

URL = "ws://north:8765"


@pytest.fixture
async def mails(redis_url: str) -> AsyncIterator[tuple[RedisMail, RedisMail]]:
    north, south = RedisMail(redis_url, NORTH), RedisMail(redis_url, SOUTH)
    yield north, south
    await north.close()
    await south.close()


async def test_a_node_has_an_address_from_its_first_announcement_until_its_status_is_gone(
    mails: tuple[RedisMail, RedisMail], redis_url: str
) -> None:
    north, south = mails
    assert await south.address(NORTH) is None

    await north.announce(URL)
    assert await south.address(NORTH) == URL
    await north.announce(URL)
    assert await south.address(NORTH) == URL

    with redis.from_url(redis_url) as client:
        client.delete(node_status_of(NORTH))
    assert await south.address(NORTH) is None


async def test_a_node_is_dead_if_redis_keeps_its_status_but_nobody_renews_it(
    mails: tuple[RedisMail, RedisMail], redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Redis expires by its wall clock: if that is set back, the card stays. Here it is made to stay."""
    north, south = mails
    await north.announce(URL)
    with redis.from_url(redis_url) as client:
        client.persist(node_status_of(NORTH))
    assert await south.address(NORTH) == URL
    assert await south.address(NORTH) == URL  # not silent for long enough

    monkeypatch.setattr(mail, "STATUS_MS", 50)

    async def is_gone() -> bool:
        return await south.address(NORTH) is None

    await until(is_gone, "a silent node has no address")
    await north.announce(URL)
    assert await south.address(NORTH) == URL


async def test_a_reader_waits_for_a_message_longer_than_one_blocking_read(
    mails: tuple[RedisMail, RedisMail], monkeypatch: pytest.MonkeyPatch
) -> None:
    north, south = mails
    monkeypatch.setattr(mail, "BLOCK_MS", 10)
    reads = 0
    honest = south._read

    async def read() -> list[tuple[bytes, bytes]]:
        nonlocal reads
        reads += 1
        return await honest()

    monkeypatch.setattr(south, "_read", read)
    waiting = asyncio.create_task(south.collect())
    await until(lambda: reads > 2, "two reads have found nothing")
    north.post(SOUTH, b"hello")

    assert await waiting == [(NORTH, b"hello")]
    await north.announce(URL)  # nothing was in trouble, so nothing is sent again
    north.post(SOUTH, b"goodbye")
    assert await south.collect() == [(NORTH, b"goodbye")]


async def test_envelopes_that_are_too_old_to_be_sent_again_are_forgotten(
    mails: tuple[RedisMail, RedisMail], monkeypatch: pytest.MonkeyPatch
) -> None:
    north, south = mails
    monkeypatch.setattr(mail, "RESEND_SECONDS", 0.0)
    for message in (b"one", b"two", b"three"):
        north.post(SOUTH, message)
        assert await south.collect() == [(NORTH, message)]

    assert [envelope.messages for _, envelope in north._written[SOUTH]] == [[b"three"]]


async def test_a_claim_belongs_to_the_first_room_and_may_be_sent_again(store: RedisStore) -> None:
    fox, owl = RoomId("FOX"), RoomId("OWL")
    assert await store.claimed("a wish") is None

    assert await store.claim("a wish", fox, 60) is None
    assert await store.claim("a wish", fox, 60) is None
    assert await store.claim("a wish", owl, 60) == fox
    assert await store.claimed("a wish") == fox
