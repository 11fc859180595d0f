"""A room's own shell without a store and without a loop: facts go in, and bytes come out as sockets would get them."""

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
"""The eye of the real world: it has an ear for every session."""


class Ear:
    """One session's socket: a real outbox, whose bytes are kept instead of sent."""

    def __init__(self, world: "World", codec: str) -> None:
        self._world, self.codec = world, codec
        self.outbox = Outbox(self, CODECS[codec])
        self.frames: list[bytes] = []
        self.typed: list[messages.ServerMessage] = []
        self.view: messages.View | None = None
        """The newest view that went out."""
        self.is_stalled = False
        self._waiting: messages.View | None = None

    # What the room sees.

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

    def want(self, at: Micros) -> None:
        """All sockets are on the room's own node."""

    # What the outbox sees.

    def write(self, frame: bytes) -> None:
        self.frames.append(frame)

    def buffered(self) -> int:
        return 0

    def close(self, code: Close) -> None:
        self.frames.append(b"closed %d" % code)

    def now(self) -> Micros:
        return self._world.now

    # What the hunt sees.

    def read(self, is_reading: bool) -> None:
        """The reader stands still, or has caught up."""
        self.is_stalled = not is_reading
        if is_reading and self._waiting is not None:
            self.show(self._waiting)

    def listen_anew(self) -> None:
        for message in self.typed:
            if isinstance(message, messages.View):
                self.view = message
        self.frames, self.typed = [], []

    def like(self, world: "World") -> "Ear":
        """The same socket in another world."""
        new = Ear(world, self.codec)
        new.outbox._seq = self.outbox._seq
        new.view = next((it for it in reversed(self.typed) if isinstance(it, messages.View)), self.view)
        new.is_stalled, new._waiting = self.is_stalled, self._waiting
        return new


class World(RoomActor):
    """One room and the sockets that are listened to: all of them, or those of one viewer."""

    def __init__(self, room: Room, entropy: Entropy, now: Micros, eye: Any = EVERYBODY) -> None:
        lease = Lease(RoomId(room.record.code), 1)
        super().__init__(
            room, lease, 0, cast("RoomStore", None), lambda: self.now, entropy
        )  # nothing is stored
        self.now, self.eye, self.entropy = now, eye, entropy
        self.heard: dict[SessionId, Ear] = {}
        """Who was listened to in the newest round, those who were sent away in it too."""
        self.stalled: set[SessionId] = set()
        """Sessions that do not read, in every world alike."""

    @property
    def ears(self) -> dict[SessionId, Ear]:
        return cast("dict[SessionId, Ear]", self._doors)

    def let_in(self, session: SessionId, viewer: Viewer) -> None:
        """A session comes; only those of our own viewer are listened to."""
        if self.eye is EVERYBODY or viewer == self.eye:
            text = JSON if session.endswith("j") else MSGPACK
            self._doors[session] = Ear(self, text)

    def step(self, facts: Iterable[Fact], handed: Iterable[Handed] = ()) -> Batch:
        """One round, as the actor has it, but for the commit."""
        for ear in self.ears.values():
            ear.listen_anew()
        for fact in facts:
            self._facts.append(fact)
            if isinstance(fact, Cut):
                self._doors.pop(fact.session, None)
        self.heard = dict(self.ears)
        batch = self._work()
        self._perform(batch)
        for hand in handed:
            if hand.session not in self._doors:
                self.room.take(hand, self.now)
        return batch

    def other(self, viewer: Viewer, state: Any, sessions: Iterable[SessionId]) -> "World":
        """A world with this state in it, in which only this viewer's sessions are listened to."""
        entropy = Entropy(self.entropy._seed)
        entropy._count = self.entropy._count
        world = World(fork(self.room, entropy, viewer), entropy, self.now, viewer)
        assert world.room.match is not None
        world.room.match.state = state
        world.stalled = self.stalled
        world._doors = {it: self.ears[it].like(world) for it in sessions if it in self.ears}
        return world

    def another(self) -> "World":
        """The same world once more, in which everybody is listened to."""
        entropy = Entropy(self.entropy._seed)
        entropy._count = self.entropy._count
        world = World(fork(self.room, entropy, None, is_one_eyed=False), entropy, self.now)
        world.stalled = self.stalled
        world._doors = {session: ear.like(world) for session, ear in self.ears.items()}
        return world

    def handed(self, batch: Batch) -> list[Handed]:
        """Who was shown an open race in this round, and when: what other worlds are told of those they do not hear."""
        shown = {it.to: it.view.race.key for it in batch.effects if isinstance(it, Show) and it.view.race}
        return [
            Handed(to, race, None if to in self.stalled else self.now)
            for to, race in shown.items()
            if to in self._doors
        ]


def answers(batch: Batch) -> list[tuple[SessionId, int, bool]]:
    """Who was told yes or no to what."""
    return [
        (it.to, it.message.id, isinstance(it.message, messages.Ack))
        for it in batch.effects
        if isinstance(it, Send) and isinstance(it.message, messages.Ack | messages.Refused)
    ]
