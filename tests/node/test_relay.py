"""Two nodes on one Redis: a session on one, its room on the other, messages between them. No sockets."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from photofinish.engine import Micros
from photofinish.node.clock import clock
from photofinish.node.directory import Directory
from photofinish.node.relay import FactForRoom, MessageForSession, Relay, RemoteRoom
from photofinish.room.facts import Cut, Joined, Requested, SessionId, Ticked
from photofinish.store.mail import RedisMail
from photofinish.store.ports import NodeId
from photofinish.store.redis import RedisStore
from photofinish_protocol import messages
from photofinish_protocol.reasons import Close
from tests.node.test_actor import RecordingSession, node
from tests.waiting import until

ADA = SessionId("ada")


class Node:
    def __init__(self, directory: Directory, store: RedisStore, mail: RedisMail, relay: Relay) -> None:
        self.directory, self._store, self._mail, self.relay = directory, store, mail, relay

    @classmethod
    async def start(cls, url: str, name: str) -> "Node":
        directory, store = await node(url, name, lease_ms=5_000)
        mail = RedisMail(url, NodeId(name))
        relay = Relay(mail, NodeId(name), directory, f"ws://{name}")
        await relay.start()
        return cls(directory, store, mail, relay)

    async def stop(self) -> None:
        await self.relay.stop()
        await self.directory.stop()
        await self._mail.close()
        await self._store.close()


@pytest.fixture
async def nodes(redis_url: str) -> AsyncIterator[tuple[Node, Node]]:
    """The node with the room, and the node with the socket."""
    north, south = await Node.start(redis_url, "north"), await Node.start(redis_url, "south")
    yield north, south
    await south.stop()
    await north.stop()


async def entered(nodes: tuple[Node, Node]) -> tuple[Any, RemoteRoom, RecordingSession]:
    """Ada's socket is on the node `south`, her room on `north`."""
    north, south = nodes
    actor = await north.directory.create(messages.Create(id=0, game="cambio", seats=2))
    room = await south.relay.find(actor.code)
    assert isinstance(room, RemoteRoom)
    listener = RecordingSession()
    room.enter(ADA, listener, Joined(ADA, 1, "Ada", None))
    await listener.until(lambda it: it.answer(1))
    return actor, room, listener


async def test_a_room_of_another_node_is_found_with_that_nodes_address(nodes: tuple[Node, Node]) -> None:
    actor, room, listener = await entered(nodes)

    assert (room.owner, room.owner_url) == ("north", "ws://north")
    assert isinstance(listener.answer(1), messages.Ack)
    assert [it.name for it in actor.room.record.chairs if it.name] == ["Ada"]


async def test_each_request_to_another_node_gets_one_answer(nodes: tuple[Node, Node]) -> None:
    _, room, listener = await entered(nodes)
    for request_id in range(2, 12):
        room.post(Requested(ADA, messages.Ready(id=request_id, ready=bool(request_id % 2)), clock()))
    await listener.until(lambda it: it.answer(11))

    answers = [it.id for it in listener.messages if isinstance(it, messages.Ack)]
    assert answers == list(range(1, 12))


async def test_a_session_that_is_cut_off_is_removed_from_a_room_on_another_node(
    nodes: tuple[Node, Node],
) -> None:
    actor, room, _ = await entered(nodes)
    north, south = nodes
    assert ADA in north.relay.guests
    room.forget(ADA)
    room.forget(ADA)
    await until(lambda: ADA not in north.relay.guests, "the room's node has forgotten the session")

    assert ADA not in south.relay.sessions
    await until(lambda: ADA not in actor.room.presence.chairs, "the room has noticed it")


async def test_a_fact_for_a_room_that_is_elsewhere_drops_the_session(nodes: tuple[Node, Node]) -> None:
    _, room, listener = await entered(nodes)
    _, south = nodes
    south.relay.write(
        NodeId("north"), FactForRoom("QQQQQ", Requested(ADA, messages.Ready(id=2), clock()), room.entry)
    )
    await listener.until(lambda it: it.dropped)

    assert listener.dropped == [Close.RESTART]
    assert ADA not in south.relay.sessions


async def test_a_drop_of_an_earlier_entry_does_not_end_a_later_one(nodes: tuple[Node, Node]) -> None:
    _, room, listener = await entered(nodes)
    _, south = nodes
    south.relay.write(
        NodeId("north"), FactForRoom("QQQQQ", Requested(ADA, messages.Ready(id=2), clock()), room.entry - 1)
    )
    room.post(Requested(ADA, messages.Ready(id=3), clock()))
    await listener.until(lambda it: it.answer(3))

    assert listener.dropped == []
    assert ADA in south.relay.sessions


async def test_when_the_rooms_node_is_dead_its_sessions_reconnect(nodes: tuple[Node, Node]) -> None:
    _, _, listener = await entered(nodes)
    _, south = nodes
    south.relay._drop_node(NodeId("north"))
    south.relay._drop_node(NodeId("north"))

    assert listener.dropped == [Close.RESTART]
    assert south.relay.sessions == {}


async def test_when_the_sockets_node_is_dead_its_players_are_cut_off(nodes: tuple[Node, Node]) -> None:
    await entered(nodes)
    north, _ = nodes
    north.relay._drop_node(NodeId("south"))

    assert north.relay.guests == {}


async def test_node_messages_for_sessions_that_are_gone_are_dropped(nodes: tuple[Node, Node]) -> None:
    _, room, listener = await entered(nodes)
    north, south = nodes
    heard = len(listener.messages)
    said = messages.Said(seat=0, name="Bo", text="to nobody")
    north.relay.write(NodeId("south"), MessageForSession(SessionId("nobody"), said))
    north.relay.write(NodeId("south"), MessageForSession(ADA, said))
    north.relay.write(NodeId("south"), MessageForSession(SessionId("nobody"), said))
    await listener.until(lambda it: len(it.messages) > heard and said in it.messages)

    assert listener.messages.count(said) == 1
    south.relay._take(NodeId("north"), FactForRoom(room.code, Cut(SessionId("nobody")), 0))


async def test_a_message_to_many_is_encoded_once(nodes: tuple[Node, Node]) -> None:
    relay = nodes[0].relay
    one, other = messages.Said(seat=0, name="Bo", text="one"), messages.Said(seat=0, name="Bo", text="two")
    raw = relay.encoded(one)

    assert relay.encoded(one) is raw
    assert isinstance(raw, msgspec.Raw)
    assert relay.encoded(other) is not raw


async def test_the_clock_that_a_race_waits_for_is_that_of_the_sockets_node(nodes: tuple[Node, Node]) -> None:
    """RACES: nodes need no common clock.

    The room asks, and the socket's node reports when its own clock reaches the time.
    """
    actor, _, _ = await entered(nodes)
    ticks: list[Ticked] = []
    honest = actor.post

    def post(fact: Any) -> None:
        ticks.extend([fact] if isinstance(fact, Ticked) else [])
        honest(fact)

    actor.post = post
    door, _ = nodes[0].relay.guests[ADA]
    at = Micros(clock() + 20_000)
    door.await_clock(at)
    await until(lambda: bool(ticks), "the other node's clock is told")

    assert (ticks[0].session, ticks[0].at >= at) == (ADA, True)
