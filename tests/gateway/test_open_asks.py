"""A request that changes the session's room is settled before the next request is handled."""

import asyncio

import pytest

from photofinish.gateway.sessions import open_asks
from photofinish.gateway.sessions.open_asks import OpenAsks
from photofinish_protocol.messages import Ack, Refused
from photofinish_protocol.reasons import Reason
from tests.waiting import until

REFUSED = Refused(id=1, reason=Reason.ROOM_FULL, text="", retry=False)


async def is_settled(asks: OpenAsks) -> bool:
    waiting = asyncio.ensure_future(asks.settled())
    await asyncio.sleep(0)
    is_done = waiting.done()
    waiting.cancel()
    return is_done


async def test_an_ordinary_request_blocks_nothing_and_is_returned_if_the_room_drops_the_session() -> None:
    asks = OpenAsks()
    for ask in (3, 4, 5):
        asks.posted(ask)
    asks.answered(Ack(id=4))

    assert await is_settled(asks)
    assert asks.dropped() == [3, 5]
    assert asks.dropped() == []


async def test_entering_is_settled_by_its_ack() -> None:
    asks = OpenAsks()
    asks.entering(1)
    asks.answered(Ack(id=0))
    assert not await is_settled(asks)
    asks.answered(Ack(id=1))

    assert await is_settled(asks)


async def test_entering_that_is_refused_is_settled_when_the_room_drops_the_session() -> None:
    asks = OpenAsks()
    asks.entering(1)
    asks.answered(REFUSED)
    assert not await is_settled(asks)
    asks.dropped()

    assert await is_settled(asks)


async def test_leaving_that_is_refused_is_settled_at_once() -> None:
    asks = OpenAsks()
    asks.leaving(1)
    asks.answered(REFUSED)

    assert await is_settled(asks)


async def test_leaving_is_settled_by_the_drop_or_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_asks, "DROP_SECONDS", 0.01)
    dropped, forgotten = OpenAsks(), OpenAsks()
    for asks in (dropped, forgotten):
        asks.leaving(1)
        asks.answered(Ack(id=1))
        assert not await is_settled(asks)
    dropped.dropped()
    assert await is_settled(dropped)
    dropped.leaving(2)
    await until(lambda: is_settled(forgotten), "a leave without a drop is settled")

    assert not await is_settled(dropped), "the timer of the first leave settled the second"


async def test_nothing_waits_for_a_client_that_is_gone() -> None:
    asks = OpenAsks()
    asks.entering(1)
    asks.end()
    assert await is_settled(asks)
    asks.leaving(2)

    assert await is_settled(asks)
