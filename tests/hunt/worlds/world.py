"""Runs a room without a store and without an event loop: facts go in, the bytes for each socket come out."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from photofinish.engine import Micros, Viewer
from photofinish.gateway.sockets.outbox import Outbox
from photofinish.node.actor import RoomActor, newer
from photofinish.room.core import Room
from photofinish.room.effects import Batch, Send, Show
from photofinish.room.facts import Cut, Fact, Handed, SessionId
from photofinish.store.ports import Lease, RoomId
from photofinish_protocol import messages
from photofinish_protocol.codec import CODECS
from photofinish_protocol.reasons import Close
from photofinish_protocol.version import JSON, MSGPACK
from tests.hunt.worlds.fork import fork
from tests.room.bench import Entropy

if TYPE_CHECKING:
    from photofinish.store.ports import RoomStore

Everybody = type("Everybody", (), {})
EVERYBODY: Any = Everybody()
"""The viewer of the real world: it records every session."""


class RecordedSocket:
    """The socket of one session: a real outbox whose bytes are kept instead of sent."""

    def __init__(self, world: "World", codec: str) -> None:
        self._world, self.codec = world, codec
        self.outbox = Outbox(self, CODECS[codec])
        self.frames: list[bytes] = []
        self.typed: list[messages.ServerMessage] = []
        self.view: messages.View | None = None
        """The newest view that was sent."""
        self.is_stalled = False
        self._waiting: messages.View | None = None

    # Used by the room.

    def send(self, message: messages.ServerMessage) -> None:
        self.typed.append(message)
        self.outbox.send(message)

    def show(self, view: messages.View) -> Micros | None:
        if self._waiting is not None:
            view = newer(self._waiting, view)
        self._waiting = view if self.is_stalled else None
        if self.is_stalled:
            return None
        self.typed.append(view)
        return self.outbox.show(view)

    def drop(self, code: Close | None) -> None:
        self.frames.append(b"dropped" if code is None else b"closed %d" % code)
        self.outbox.forget()

    def await_clock(self, at: Micros) -> None:
        """All sockets are on the room's own node."""

    # Used by the outbox.

    def write(self, frame: bytes) -> None:
        self.frames.append(frame)

    def buffered(self) -> int:
        return 0

    def close(self, code: Close) -> None:
        self.frames.append(b"closed %d" % code)

    def now(self) -> Micros:
        return self._world.now

    # Used by the hunt.

    def read(self, is_reading: bool) -> None:
        """Set whether the client reads."""
        self.is_stalled = not is_reading
        if is_reading and self._waiting is not None:
            self.show(self._waiting)

    def listen_again(self) -> None:
        for message in self.typed:
            if isinstance(message, messages.View):
                self.view = message
        self.frames, self.typed = [], []

    def like(self, world: "World") -> "RecordedSocket":
        """The same socket in another world."""
        new = RecordedSocket(world, self.codec)
        new.outbox._seq = self.outbox._seq
        new.view = next((it for it in reversed(self.typed) if isinstance(it, messages.View)), self.view)
        new.is_stalled, new._waiting = self.is_stalled, self._waiting
        return new


class World(RoomActor):
    """One room and the sockets that are recorded: all of them, or those of one viewer."""

    def __init__(self, room: Room, entropy: Entropy, now: Micros, eye: Any = EVERYBODY) -> None:
        lease = Lease(RoomId(room.record.code), 1)
        # Without a store: nothing is stored.
        super().__init__(room, lease, 0, cast("RoomStore", None), lambda: self.now, entropy)
        self.now, self.eye, self.entropy = now, eye, entropy
        self.heard: dict[SessionId, RecordedSocket] = {}
        """The sessions recorded in the newest batch, including those dropped in it."""
        self.stalled: set[SessionId] = set()
        """Sessions that do not read, the same in every world."""

    @property
    def recorded_sockets(self) -> dict[SessionId, RecordedSocket]:
        return cast("dict[SessionId, RecordedSocket]", self._ports)

    def let_in(self, session: SessionId, viewer: Viewer) -> None:
        """Add a session. Only sessions of this world's viewer are recorded."""
        if self.eye is EVERYBODY or viewer == self.eye:
            text = JSON if session.endswith("j") else MSGPACK
            self._ports[session] = RecordedSocket(self, text)

    def step(self, facts: Iterable[Fact], handed: Iterable[Handed] = ()) -> Batch:
        """One batch, as in the actor, without the commit."""
        for socket in self.recorded_sockets.values():
            socket.listen_again()
        for fact in facts:
            self._facts.append(fact)
            if isinstance(fact, Cut):
                self._ports.pop(fact.session, None)
        self.heard = dict(self.recorded_sockets)
        batch = self._work()
        self._perform(batch)
        for hand in handed:
            if hand.session not in self._ports:
                self.room.take(hand, self.now)
        return batch

    def other(self, viewer: Viewer, state: Any, sessions: Iterable[SessionId]) -> "World":
        """A world with this state, in which only this viewer's sessions are recorded."""
        entropy = Entropy(self.entropy._seed)
        entropy._count = self.entropy._count
        world = World(fork(self.room, entropy, viewer), entropy, self.now, viewer)
        assert world.room.match is not None
        world.room.match.state = state
        world.stalled = self.stalled
        world._ports = {
            it: self.recorded_sockets[it].like(world) for it in sessions if it in self.recorded_sockets
        }
        return world

    def another(self) -> "World":
        """A copy of this world in which every session is recorded."""
        entropy = Entropy(self.entropy._seed)
        entropy._count = self.entropy._count
        world = World(fork(self.room, entropy, None, is_one_eyed=False), entropy, self.now)
        world.stalled = self.stalled
        world._ports = {session: socket.like(world) for session, socket in self.recorded_sockets.items()}
        return world

    def handed(self, batch: Batch) -> list[Handed]:
        """Who was shown an open race in this batch, and when. Other worlds need it for sessions they do not record."""
        shown = {it.to: it.view.race.key for it in batch.effects if isinstance(it, Show) and it.view.race}
        return [
            Handed(to, race, None if to in self.stalled else self.now)
            for to, race in shown.items()
            if to in self._ports
        ]


def answers(batch: Batch) -> list[tuple[SessionId, int, bool]]:
    """The answers of this batch, by session and id."""
    return [
        (it.to, it.message.id, isinstance(it.message, messages.Ack))
        for it in batch.effects
        if isinstance(it, Send) and isinstance(it.message, messages.Ack | messages.Refused)
    ]
