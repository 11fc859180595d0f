"""An owner that was replaced during a stall: what it must do, and what it must not do."""

import pytest

from photofinish.engine import Micros
from photofinish.gateway.outbox import MAX_BYTES, Outbox
from photofinish.room.answers import Answers
from photofinish.room.lobby import No
from photofinish.store.ports import NodeId
from photofinish_protocol.codec import CODECS
from photofinish_protocol.messages import Ack, RoomLine, RoomList, Said
from photofinish_protocol.reasons import Close, Reason
from photofinish_protocol.version import JSON
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


class Full:
    """A socket nobody reads."""

    def __init__(self) -> None:
        self.closed: Close | None = None

    def write(self, frame: bytes) -> None:
        raise AssertionError("there is no room for it")

    def buffered(self) -> int:
        return 1 << 20

    def close(self, code: Close) -> None:
        self.closed = code

    def now(self) -> Micros:
        return Micros(0)


async def test_few_long_messages_are_too_much_for_a_reader_that_stands_still() -> None:
    wire = Full()
    outbox = Outbox(wire, CODECS[JSON])
    said = Said(seat=0, name="Ada", text="x" * 10_000)
    sent = 0
    while wire.closed is None:
        outbox.send(said)
        sent += 1

    assert wire.closed is Close.TOO_SLOW
    assert sent <= MAX_BYTES // 10_000 + 1


def test_long_answers_are_remembered_for_a_shorter_while() -> None:
    line = RoomLine(room="ABCDE", game="cambio", phase="lobby", seats=4, free=3, host="x" * 2_000)
    answers = Answers()
    for ask in range(64):
        answers.keep(Ack(id=ask, got=RoomList(rooms=(line,) * 10, total=10)))

    assert sum(map(len, answers.kept.values())) < 256 * 1024
    assert answers.again(63) == Ack(id=63, got=RoomList(rooms=(line,) * 10, total=10))
    assert answers.is_stale(0)
