"""An owner that was replaced during a stall: what it must do, and what it must not do."""

import pytest

from photofinish.room.seats.lobby import No
from photofinish.store.ports import NodeId
from photofinish_protocol.reasons import Close, Reason
from tests.node.test_actor import node, table

SECOND = NodeId("second")


async def test_an_owner_that_learns_by_renewing_that_it_was_replaced_sends_its_players_on(
    redis_url: str,
) -> None:
    first, store = await node(redis_url, "first")
    actor, ear = await table(first, turn_seconds=0)
    await store.reclaim(NodeId("first"))  # as if its lease had expired during a stall
    assert await store.acquire(actor.code, SECOND) is not None
    await first._renew()

    assert ear.dropped == [Close.RESTART]
    assert first.local(actor.code) is None
    await first.stop()
    await store.close()


async def test_an_owner_that_comes_late_writes_no_empty_replay_over_the_whole_one(redis_url: str) -> None:
    first, store = await node(redis_url, "first")
    actor, _ = await table(first, turn_seconds=0)
    await store.archive(actor.code, 1, b"the whole game", 60)  # by the owner after it; the log is gone
    await actor.archive()

    assert await store.replay(actor.code, 1) == b"the whole game"
    await first.stop()
    await store.close()


async def test_a_room_between_two_owners_is_not_said_to_be_gone(redis_url: str) -> None:
    """A player who comes back just then must try again, not lose the seat for good."""
    first, store = await node(redis_url, "first")
    actor, _ = await table(first, turn_seconds=0)
    await first.stop()  # the lease is free, and a node that drains takes nothing
    between = await first.find(actor.code)
    with pytest.raises(No) as never:
        await first.find("QQQQQ")

    assert between is None
    assert never.value.reason is Reason.NO_SUCH_ROOM
    await store.close()
