"""Rooms on other nodes: facts are sent to the node that owns the room, and its messages come back.

Reaction time is measured on the node that holds the socket. The time when a race was shown, the arrival time of a move
and this node's clock are sent along, so nodes need no common clock.
"""

import asyncio
import itertools
from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec
import structlog

from photofinish.engine import Micros
from photofinish.node.actor import LATER, RoomActor, SessionPort
from photofinish.node.clock import clock
from photofinish.node.directory import Directory
from photofinish.node.room_table import ANONYMOUS, Opener
from photofinish.room.facts import (
    Cut,
    Directed,
    Fact,
    Handed,
    Joined,
    Looked,
    Rekeyed,
    Resumed,
    SessionId,
    Ticked,
)
from photofinish.room.record import RoomRecord
from photofinish.store.ports import Mail, NodeId, RoomId, StoreClosed
from photofinish_protocol import messages
from photofinish_protocol.reasons import Close

log = structlog.get_logger(__name__)

ANNOUNCE_EVERY = 0.5


class FactForRoom(msgspec.Struct, frozen=True, tag="FactLetter", array_like=True):
    """To the room's node: this happened."""

    room: str
    fact: Fact
    entry: int = 0
    """The number of the session's entry into a remote room."""


class MessageForSession(msgspec.Struct, frozen=True, tag="MessageLetter", array_like=True):
    """To the socket's node: this message."""

    session: SessionId
    message: messages.ServerMessage


class ViewForSession(msgspec.Struct, frozen=True, tag="ViewLetter", array_like=True):
    """To the socket's node: this view."""

    session: SessionId
    view: messages.View


class DropSession(msgspec.Struct, frozen=True, tag="DropLetter", array_like=True):
    """To the socket's node: the session is no longer in the room."""

    session: SessionId
    code: int | None
    entry: int = 0
    """Only this entry has ended. The session may be in another room already."""


class WantTick(msgspec.Struct, frozen=True, tag="WantLetter", array_like=True):
    """To the socket's node: send `Ticked` when your clock reaches `at`."""

    session: SessionId
    at: Micros


class HandoverRoom(msgspec.Struct, frozen=True, tag="HandoverLetter", array_like=True):
    """To another node: this room has no owner, and you should adopt it."""

    room: str


NodeMessage: TypeAlias = (
    FactForRoom | MessageForSession | ViewForSession | DropSession | WantTick | HandoverRoom
)
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(NodeMessage).decode


class RemoteRoom:
    """A room on another node, as a session sees it."""

    def __init__(self, relay: "Relay", owner: NodeId, code: RoomId, owner_url: str) -> None:
        self._relay, self.owner, self.code, self.owner_url = relay, owner, code, owner_url
        self.may_race = True  # the other node knows better
        self.entry = next(relay.entries)

    def enter(self, session: SessionId, port: SessionPort, fact: Joined | Resumed | Looked) -> None:
        self._relay.sessions[session] = (port, self)
        self.post(msgspec.structs.replace(fact, node=self._relay.node))

    def post(self, fact: Fact) -> None:
        self._relay.write(self.owner, FactForRoom(self.code, fact, self.entry))

    def forget(self, session: SessionId) -> None:
        if self._relay.sessions.pop(session, None) is not None:
            self.post(Cut(session))


class RemoteSessionPort:
    """The way to a session on another node, as a room sees it."""

    def __init__(self, relay: "Relay", node: NodeId, session: SessionId, entry: int) -> None:
        self._relay, self.node, self._session, self.entry = relay, node, session, entry

    def send(self, message: messages.ServerMessage) -> None:
        self._relay.write(self.node, MessageForSession(self._session, self._relay.encoded(message)))

    def show(self, view: messages.View) -> Micros | None:
        self._relay.write(self.node, ViewForSession(self._session, self._relay.encoded(view)))
        return LATER  # the other node says when

    def drop(self, code: Close | None) -> None:
        self._relay.write(self.node, DropSession(self._session, code, self.entry))
        self._relay.guests.pop(self._session, None)

    def await_clock(self, at: Micros) -> None:
        self._relay.write(self.node, WantTick(self._session, at))


class Relay:
    """Sends and receives the messages of one node."""

    def __init__(self, mail: Mail, node: NodeId, directory: Directory, address: str = "") -> None:
        self.node = node
        self.entries = itertools.count(1)
        self.sessions: dict[SessionId, tuple[SessionPort, RemoteRoom]] = {}
        """Sessions with sockets here and rooms on other nodes."""
        self.guests: dict[SessionId, tuple[RemoteSessionPort, RoomActor]] = {}
        """Sessions in our rooms with sockets on other nodes."""
        self._mail, self._directory, self._address = mail, directory, address
        self._tasks: list[asyncio.Task[None]] = []
        self._adoptions: set[asyncio.Task[None]] = set()
        self._early: dict[RoomId, list[tuple[NodeId, FactForRoom]]] = {}
        """Facts for rooms whose adoption is under way."""
        self._message: Any = None
        self._raw = msgspec.Raw()
        """The last message, encoded."""
        directory.on_death = self._drop_node

    async def start(self) -> None:
        self._mail.on_unreadable = lambda: self._directory.metrics.unreadable("letter")
        await self._mail.announce(self._address)
        self._tasks = [
            asyncio.create_task(self._read(), name="mail"),
            asyncio.create_task(self._look_after(), name="other nodes"),
        ]

    async def stop(self) -> None:
        # redis-py takes a cancellation while it connects for a lost connection: cancel again until it works.
        while waiting := [task for task in self._tasks if not task.done()]:
            for task in waiting:
                task.cancel()
            await asyncio.wait(waiting, timeout=0.2)

    def encoded(self, message: Any) -> Any:
        """The message, encoded for another node. A message to many sessions is one object and is encoded once."""
        if message is not self._message:
            self._message, self._raw = message, msgspec.Raw(_encode(message))
        return self._raw

    def write(self, to: NodeId, message: NodeMessage) -> None:
        self._mail.post(to, _encode(message))

    async def create(
        self, request: messages.Create, opener: Opener = ANONYMOUS, claim: str = ""
    ) -> RoomActor | RoomId:
        """A new room here, or the code of a new room that another node adopts. Raises `RequestRefusal`."""
        elsewhere = self._directory.less_loaded_node()
        if elsewhere is None:
            return await self._directory.create(request, opener, claim)
        room = await self._directory.create_for(elsewhere, request, opener, claim)
        self.write(elsewhere.node, HandoverRoom(room))
        return room

    async def open_for_event(self, record: RoomRecord) -> bool:
        """A room of an event, on the emptiest node. False: it exists already."""
        elsewhere = self._directory.less_loaded_node()
        made = await self._directory.open_for_event(record, elsewhere)
        if made and elsewhere is not None:
            self.write(elsewhere.node, HandoverRoom(record.code))
        return made

    async def find(self, code: str) -> RoomActor | RemoteRoom | None:
        """The room with this code, here or on the node that owns it. None: no owner now. Raises `RequestRefusal`."""
        here = await self._directory.find(code)
        if here is not None:
            return here
        room = RoomId(code.strip().upper())
        owner = await self._directory.owner(room)
        if owner is None and (successor := self._directory.successor(room)) != self.node:
            self.write(successor, HandoverRoom(room))  # it would adopt the room anyway, but later
        address = None if owner is None or owner == self.node else await self._mail.address(owner)
        if owner is None or address is None:
            return None
        return RemoteRoom(self, owner, room, "" if address == self._address else address)

    # Messages of other nodes.

    async def _read(self) -> None:
        while True:
            try:
                messages = await self._mail.collect()
            except StoreClosed:
                return
            except Exception:  # a bug: the next messages may be readable
                log.exception("node messages could not be fetched")
                await asyncio.sleep(ANNOUNCE_EVERY)
                continue
            for sender, message in messages:
                try:
                    self._take(sender, _decode(message))
                except (msgspec.DecodeError, UnicodeDecodeError) as fault:
                    self._directory.metrics.unreadable("letter")
                    why = str(fault)
                    log.error("a node message cannot be read", sender=sender, bytes=len(message), why=why)  # noqa: TRY400 - the reason is enough
                except Exception:
                    log.exception("a node message could not be handled", sender=sender)

    def _take(self, sender: NodeId, message: NodeMessage) -> None:
        match message:
            case FactForRoom(room):
                self._fact_came(sender, RoomId(room), message)
            case MessageForSession(session, content):
                self._with_port(session, lambda port: port.send(content))
            case ViewForSession(session, view):
                self._shown(session, view)
            case DropSession(session, code, entry):
                found = self.sessions.get(session)
                if found is not None and found[1].entry == entry:
                    del self.sessions[session]
                    found[0].drop(None if code is None else Close(code))
            case WantTick(session, at):
                self._wanted(session, at)
            case HandoverRoom(room):
                task = asyncio.create_task(
                    self._directory.adopt_handed_over(RoomId(room)), name=f"adopt {room}"
                )
                self._adoptions.add(task)
                task.add_done_callback(self._adoptions.discard)

    def _fact_came(self, sender: NodeId, code: RoomId, message: FactForRoom) -> None:
        """While we adopt the room, keep the fact until it is here: other nodes see its lease a moment earlier."""
        early = self._early.get(code)
        if early is None and (arrival := self._directory.arrival(code)) is not None:
            early = self._early[code] = []
            arrival.add_done_callback(lambda _: self._arrived(code))
        if early is None:
            self._tell(sender, code, message)
        else:
            early.append((sender, message))

    def _arrived(self, code: RoomId) -> None:
        for sender, message in self._early.pop(code):
            self._tell(sender, code, message)

    def _tell(self, sender: NodeId, code: RoomId, message: FactForRoom) -> None:
        fact, entry = message.fact, message.entry
        if isinstance(fact, Directed | Rekeyed):  # from an event's director, who sits in no room
            if (ours := self._directory.local(code)) is not None:
                ours.post(fact)
            return
        guest = self.guests.get(fact.session)
        actor = self._directory.local(code)
        if actor is None:  # it has another owner: the session must reconnect
            if not isinstance(fact, Cut):
                self.write(sender, DropSession(fact.session, Close.RESTART, entry))
            return
        if isinstance(fact, Joined | Resumed | Looked):
            port = RemoteSessionPort(self, sender, fact.session, entry)
            self.guests[fact.session] = (port, actor)
            actor.enter(fact.session, port, fact)
        elif isinstance(fact, Cut):
            self.guests.pop(fact.session, None)
            actor.forget(fact.session)
        elif guest is None or guest[0].entry != entry:  # it has left, or its node was declared dead
            self.write(sender, DropSession(fact.session, Close.RESTART, entry))
        else:
            actor.post(fact)

    def _shown(self, session: SessionId, view: messages.View) -> None:
        found = self.sessions.get(session)
        if found is None:
            return
        port, room = found
        at = port.show(view)
        if view.race is not None:
            room.post(Handed(session, view.race.key, at))

    def _wanted(self, session: SessionId, at: Micros) -> None:
        found = self.sessions.get(session)
        if found is not None:
            delay = max(0, at - clock()) / 1_000_000
            asyncio.get_running_loop().call_later(delay, self._tick, session)

    def _tick(self, session: SessionId) -> None:
        found = self.sessions.get(session)
        if found is not None:
            found[1].post(Ticked(session, clock()))

    def _with_port(self, session: SessionId, use: Callable[[SessionPort], None]) -> None:
        found = self.sessions.get(session)
        if found is not None:
            use(found[0])

    # Other nodes.

    async def _look_after(self) -> None:
        """Announce this node; drop the sessions of nodes that no longer announce themselves."""
        while True:
            try:
                await asyncio.sleep(ANNOUNCE_EVERY)
                await self._mail.announce(self._address)
                owners = {room.owner for _, room in self.sessions.values()}
                holders = {port.node for port, _ in self.guests.values()}
                for node in owners | holders:
                    if await self._mail.address(node) is None:
                        self._drop_node(node)
            except StoreClosed:
                return
            except Exception:
                log.exception("the look for dead nodes failed")

    def _drop_node(self, node: NodeId) -> None:
        log.info("node is gone", node=node)
        for session, (port, room) in list(self.sessions.items()):
            if room.owner == node:
                del self.sessions[session]
                port.drop(Close.RESTART)
        for session, (holder, actor) in list(self.guests.items()):
            if holder.node == node:
                del self.guests[session]
                actor.forget(session)
