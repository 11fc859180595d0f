"""A test bench for rooms: the real core; the test sets the time and sends the facts."""

import copy
import hashlib
from collections import defaultdict
from typing import Any

from photofinish.engine import AnyGame, Micros, Seat
from photofinish.race.params import Path
from photofinish.room.core import Room
from photofinish.room.effects import Batch, Drop, Send, Show
from photofinish.room.facts import Fact, Handed, Joined, Looked, Measured, Requested, Resumed, SessionId
from photofinish.room.record import pack, unpack
from photofinish_protocol import messages

SECOND = 1_000_000


class Entropy:
    """Random bytes that a copy of the bench repeats."""

    def __init__(self, seed: bytes = b"bench") -> None:
        self._seed, self._count = seed, 0

    def __call__(self, size: int) -> bytes:
        self._count += 1
        return hashlib.shake_256(self._seed + self._count.to_bytes(8, "big")).digest(size)


class Bench:
    """Drives one room. `heard` keeps every message a session was sent, `views` its views, `dropped` its end."""

    def __init__(
        self, game: AnyGame, seats: int, options: dict[str, Any] | None = None, **create: Any
    ) -> None:
        self.now = Micros(10 * SECOND)
        self.entropy = Entropy()
        create_request = messages.Create(id=0, game=game.key, seats=seats, options=options or {}, **create)
        self.game = game
        self.room = Room.create("BENCH", game, create_request, self.now, self.entropy)
        self.heard: dict[SessionId, list[messages.ServerMessage]] = defaultdict(list)
        self.views: dict[SessionId, list[messages.View]] = defaultdict(list)
        self.dropped: dict[SessionId, Any] = {}
        self.entries: list[bytes] = []
        self.stored = pack(self.room.record)
        self.tokens: dict[int, str] = {}
        self.stalled: set[SessionId] = set()
        """Sessions whose buffer is full."""
        self._ids: dict[SessionId, int] = defaultdict(int)

    def forget_frames(self) -> None:
        """Forget recorded messages, except the newest view of each session."""
        self.heard.clear()
        self.dropped.clear()
        self.views = defaultdict(list, {session: views[-1:] for session, views in self.views.items()})

    # Facts.

    def tell(self, fact: Fact) -> Batch:
        self.room.take(fact, self.now)
        return self.settle()

    def wait(self, micros: int) -> None:
        """Let time pass, waking the room whenever it asks for it."""
        until = self.now + micros
        while (at := self.room.wakes_at()) is not None and at <= until:
            self.now = Micros(max(self.now, at))
            self.room.wake(self.now)
            self.settle()
        self.now = Micros(until)

    def settle(self) -> Batch:
        """Commit, then carry out the effects, as an actor does."""
        batch = self.room.drain(self.now)
        if batch.is_dirty:
            self.stored = pack(self.room.record)
            self.entries += batch.entries
        for effect in batch.effects:
            match effect:
                case Send(to, message):
                    self.heard[to].append(message)
                    if isinstance(message, messages.Ack) and isinstance(message.got, messages.Seated):
                        self.tokens[message.got.seat] = message.got.token
                        self._ids[to] = max(self._ids[to], message.got.next_id)
                case Show(to, view):
                    self.views[to].append(view)
                    if view.race is not None:
                        at = None if to in self.stalled else self.now
                        self.room.take(Handed(to, view.race.key, at), self.now)
                case Drop(session, code):
                    self.dropped[session] = code
        return batch

    # Sessions.

    def sit(self, seat: int, name: str = "") -> SessionId:
        session = SessionId(f"s{seat}")
        self.tell(Joined(session, self._next(session), name or f"P{seat}", seat))
        self.tell(Measured(session, Path(Micros(20_000), Micros(21_000), Micros(25_000))))
        return session

    def watch(self, name: str = "Eve", referee: str = "") -> SessionId:
        session = SessionId(f"watch {name}")
        self.tell(Looked(session, self._next(session), name, referee))
        return session

    def resume(self, seat: int, seq: int = 0, token: str | None = None, as_: str = "") -> SessionId:
        session = SessionId(as_ or f"again {seat}-{self._next(SessionId(f's{seat}'))}")
        self.tell(Resumed(session, 0, token or self.tokens[seat], seq))
        return session

    def request(
        self,
        session: SessionId,
        kind: type[messages.Request],
        *,
        id: int | None = None,  # noqa: A002 - the wire calls it so
        **fields: Any,
    ) -> Any:
        """Send a message and return its answer, or None if it is held."""
        request_id = self._next(session) if id is None else id
        message = kind(id=request_id, **fields)
        self.tell(Requested(session, message, self.now))  # type: ignore[arg-type]  # `kind` is one of them
        return self.answer(session, request_id)

    def answer(self, session: SessionId, request_id: int) -> Any:
        answers = [
            it
            for it in self.heard[session]
            if isinstance(it, messages.Ack | messages.Refused) and it.id == request_id
        ]
        return answers[-1] if answers else None

    def play(self, session: SessionId, move: dict[str, Any], **more: Any) -> Any:
        view = self.views[session][-1] if self.views[session] else None
        if view is not None and view.race is not None and move.get("t") in view.race.moves:
            more.setdefault("race", view.race.nonce)
        return self.request(session, messages.Play, move=move, **more)

    def do(self, session: SessionId, move: dict[str, Any]) -> None:
        """Make a move and wait until it is done, though a race may hold it for a while."""
        self.play(session, move)
        request_id = self._ids[session]
        for _ in range(20):
            if self.answer(session, request_id) is not None:
                break
            self.wait(SECOND // 10)
        assert isinstance(self.answer(session, request_id), messages.Ack), self.answer(session, request_id)

    def start(self, seats: int) -> list[SessionId]:
        """Everybody sits, is ready, and the host deals."""
        sessions = [self.sit(seat) for seat in range(seats)]
        for session in sessions:
            assert isinstance(self.request(session, messages.Ready), messages.Ack)
        assert isinstance(self.request(sessions[0], messages.Start), messages.Ack)
        return sessions

    def lay(self, state: Any) -> None:
        """Replace the state of the game."""
        match = self.room.match
        assert match is not None
        match.state = state
        match.step += 1
        match.begin(self.now)
        self.room.wake(self.now)
        self.settle()

    def view(self, session: SessionId) -> messages.View:
        return self.views[session][-1]

    def seat(self, session: SessionId) -> Seat:
        you = self.view(session).you
        assert you is not None
        return Seat(you)

    # Other worlds.

    def crash(self) -> None:
        """The owner dies; another node adopts the room from what was stored."""
        self.room = Room(unpack(self.stored), self.game, self.now, self.entropy)

    def copy(self) -> "Bench":
        """An independent copy of the room."""
        return copy.deepcopy(self, {id(self.game): self.game})

    def _next(self, session: SessionId) -> int:
        self._ids[session] += 1
        return self._ids[session]
