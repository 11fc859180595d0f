"""An owner that was replaced during a stall: what it must do, and what it must not do."""

import asyncio
import contextlib
from typing import Any

import pytest

from photofinish.engine import Micros
from photofinish.games import all_games
from photofinish.node.clock import clock
from photofinish.node.directory import Directory
from photofinish.race.params import Standing
from photofinish.replay.replay import read_replay
from photofinish.replay.verify import verify
from photofinish.room import kept_standing
from photofinish.room.facts import Joined, Requested, SessionId
from photofinish.room.seats.lobby import RequestRefusal
from photofinish.store.ports import NodeId, RoomId
from photofinish.store.redis import RedisStore
from photofinish_protocol import messages
from photofinish_protocol.reasons import Close, Reason
from tests.node.test_actor import RecordingSession, node, table
from tests.waiting import until

SECOND = NodeId("second")


async def test_an_owner_that_learns_by_renewing_that_it_was_replaced_tells_its_players_to_reconnect(
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


async def test_a_late_owner_does_not_overwrite_a_complete_replay_with_an_empty_one(redis_url: str) -> None:
    first, store = await node(redis_url, "first")
    actor, _ = await table(first, turn_seconds=0)
    await store.archive(actor.code, 1, b"the whole game", 60)  # by the owner after it; the log is gone
    await actor.archive()

    assert await store.replay(actor.code, 1) == b"the whole game"
    await first.stop()
    await store.close()


async def test_a_room_between_two_owners_is_not_reported_as_missing(redis_url: str) -> None:
    """A player who comes back just then must try again, not lose the seat for good."""
    first, store = await node(redis_url, "first")
    actor, _ = await table(first, turn_seconds=0)
    await first.stop()  # the lease is free, and a node that drains takes nothing
    between = await first.find(actor.code)
    with pytest.raises(RequestRefusal) as never:
        await first.find("QQQQQ")

    assert between is None
    assert never.value.reason is Reason.NO_SUCH_ROOM
    await store.close()


class DyingStore(RedisStore):
    """A real store whose owner dies in the named call."""

    dies_in = ""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.has_died = asyncio.Event()

    async def keep_standing(self, key: str, standing: bytes, keep_seconds: int) -> None:
        await self._die_in("keep_standing")
        await super().keep_standing(key, standing, keep_seconds)

    async def archive(self, room: RoomId, game: int, replay: bytes, keep_seconds: int) -> None:
        await self._die_in("archive")
        await super().archive(room, game, replay, keep_seconds)

    async def _die_in(self, call: str) -> None:
        if self.dies_in == call:
            self.has_died.set()
            await asyncio.Event().wait()  # for ever


@pytest.mark.parametrize("call", ["keep_standing", "archive"])
async def test_an_owner_that_dies_before_the_archive_loses_neither_standing_nor_replay(
    redis_url: str, call: str
) -> None:
    store = await DyingStore.open(redis_url, lease_ms=400)
    store.dies_in = call
    first = Directory(store, NodeId("first"), all_games())
    options = {"flashes": 1, "gap_ms": 40, "window_ms": 1_000}
    actor = await first.create(messages.Create(id=0, game="reflex", seats=1, options=options))
    standing, session, ear = (
        kept_standing.pack(Standing(Micros(10_500), Micros(40_000))),
        SessionId("a"),
        RecordingSession(),
    )
    actor.enter(session, ear, Joined(session, 1, "Ada", 0, key="a key", standing=standing))
    for request in (messages.Ready(id=2), messages.Start(id=3)):
        actor.post(Requested(session, request, clock()))
    await until(store.has_died.is_set, f"the owner has come to {call}")
    await actor.stop()
    assert await store.replay(actor.code, 1) is None

    second, other = await node(redis_url, "second")

    async def is_taken_up() -> bool:
        with contextlib.suppress(RequestRefusal):  # owned by the other node until its lease expires
            await second.find(actor.code)
        return second.local(actor.code) is not None

    await until(is_taken_up, "the second node has adopted the room")

    assert await other.standing("a key") == standing
    replay = await other.replay(actor.code, 1)
    assert replay is not None
    assert verify(read_replay(replay), all_games()).is_true
    assert not any(view.over for view in ear.views), "the end was shown before the replay was stored"
    await second.stop()
    await other.close()
    await store.close()
