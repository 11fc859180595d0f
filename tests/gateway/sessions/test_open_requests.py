"""A request that changes the session's room is settled before the next request is handled."""

import asyncio

import pytest

from photofinish.gateway.sessions import open_requests
from photofinish.gateway.sessions.open_requests import OpenRequests
from photofinish_protocol.messages import Ack, Refused
from photofinish_protocol.reasons import Reason
from tests.waiting import until

REFUSED = Refused(id=1, reason=Reason.ROOM_FULL, text="", retry=False)


async def is_settled(requests: OpenRequests) -> bool:
    waiting = asyncio.ensure_future(requests.settled())
    await asyncio.sleep(0)
    is_done = waiting.done()
    waiting.cancel()
    return is_done


async def test_an_ordinary_request_blocks_nothing_and_is_returned_if_the_room_drops_the_session() -> None:
    requests = OpenRequests()
    for request in (3, 4, 5):
        requests.posted(request)
    requests.answered(Ack(id=4))

    assert await is_settled(requests)
    assert requests.dropped() == [3, 5]
    assert requests.dropped() == []


async def test_entering_is_settled_by_its_ack() -> None:
    requests = OpenRequests()
    requests.entering(1)
    requests.answered(Ack(id=0))
    assert not await is_settled(requests)
    requests.answered(Ack(id=1))

    assert await is_settled(requests)


async def test_entering_that_is_refused_is_settled_when_the_room_drops_the_session() -> None:
    requests = OpenRequests()
    requests.entering(1)
    requests.answered(REFUSED)
    assert not await is_settled(requests)
    requests.dropped()

    assert await is_settled(requests)


async def test_leaving_that_is_refused_is_settled_at_once() -> None:
    requests = OpenRequests()
    requests.leaving(1)
    requests.answered(REFUSED)

    assert await is_settled(requests)


async def test_leaving_is_settled_by_the_drop_or_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_requests, "DROP_SECONDS", 0.01)
    dropped, forgotten = OpenRequests(), OpenRequests()
    for requests in (dropped, forgotten):
        requests.leaving(1)
        requests.answered(Ack(id=1))
        assert not await is_settled(requests)
    dropped.dropped()
    assert await is_settled(dropped)
    dropped.leaving(2)
    await until(lambda: is_settled(forgotten), "a leave without a drop is settled")

    assert not await is_settled(dropped), "the timer of the first leave settled the second"


async def test_nothing_waits_for_a_client_that_is_gone() -> None:
    requests = OpenRequests()
    requests.entering(1)
    requests.end()
    assert await is_settled(requests)
    requests.leaving(2)

    assert await is_settled(requests)
