"""What a client must remember of its connection, without any I/O: ids, answers owed, the token, the chain.

`open` when a socket is there, `receive` for every message, `cut` when the socket is gone. Each returns what to
do, in order. An ask that was not answered when the socket was cut is sent again with the same id after the
seat is taken up again: the server answers one id once, so no move is lost and none is made twice.
"""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Final, NamedTuple, TypeAlias

import msgspec

from photofinish_client.promise import Promise
from photofinish_protocol.messages import (
    Ack,
    Ask,
    Bye,
    Called,
    Create,
    Emoted,
    Games,
    Hello,
    Join,
    Leave,
    Left,
    Pending,
    Ping,
    RaceSaid,
    Ready,
    Refused,
    Reveal,
    Room,
    Rooms,
    Said,
    Seated,
    ServerMessage,
    View,
    Watch,
    Watching,
    Welcome,
)  # fmt: skip
from photofinish_protocol.reasons import Reason
from photofinish_protocol.version import VERSION

HELLO_ID: Final = 0
QUESTIONS: Final = (Games, Rooms, Ping)
"""Asking these twice changes nothing, so they are asked again even without a seat."""
CLAIMS: Final = (Create, Join)
"""The server knows these again by our key and their id: the seat that was given is given again."""

Event: TypeAlias = Room | View | RaceSaid | Said | Emoted | Left | Bye | Pending | Welcome | Called
"""What a player may want to hear of."""


class BrokenChain(Exception):  # noqa: N818 - the fact itself
    """A view does not follow the one before it: something in between was lost. Take up the seat again."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Save this token before anything else is sent: the one before it is about to stop working."""

    token: str


@dataclass(frozen=True, slots=True)
class Home:
    """Our room lives at this address: take up the seat there, where no letter has to travel between nodes."""

    url: str


@dataclass(frozen=True, slots=True)
class Send:
    ask: Ask


@dataclass(frozen=True, slots=True)
class Answer:
    """The one answer to the ask with this ticket."""

    ticket: int
    message: Ack | Refused


@dataclass(frozen=True, slots=True)
class Lost:
    """The connection was cut and this ask cannot be sent again: nobody knows if it was done."""

    ticket: int


@dataclass(frozen=True, slots=True)
class Tell:
    event: Event


@dataclass(frozen=True, slots=True)
class Gone:
    """The seat cannot be taken up again, or the server will not talk to us: stop."""

    refused: Refused


@dataclass(frozen=True, slots=True)
class Later:
    """The server will not have us now: cut the socket and come back."""

    refused: Refused


Effect: TypeAlias = Keep | Home | Send | Answer | Lost | Tell | Gone | Later


class RaceSeen(NamedTuple):
    """The first view on this client that showed this race, and when it came (ns)."""

    nonce: str
    at: int


@dataclass(slots=True)
class _Owed:
    ask: Ask
    is_sent: bool = False
    is_told: bool = True


@dataclass(slots=True)
class Session:
    """One player's or watcher's side of the wire, across any number of sockets."""

    name: str
    client: str = ""
    token: str | None = None
    seat: int | None = None
    room: Room | None = None
    view: View | None = None
    welcome: Welcome | None = None
    race: RaceSeen | None = None
    is_open: bool = False
    """Between a `welcome` and a cut: only then may anything but `hello` be sent."""
    promise: Promise = field(default_factory=Promise)
    """Our nonce for the shuffle: its hash goes with `ready`, itself follows when the deal is called."""
    client_key: str = field(default_factory=lambda: secrets.token_hex(16))
    """Random, and the same for all sockets of this session."""
    _seq: int = 0
    _chain: int = 0
    _next: int = 1
    _watching: str | None = None
    _owed: dict[int, _Owed] = field(default_factory=dict)
    _tickets: Iterator[int] = field(default_factory=count)

    def open(self) -> Hello:
        """A new socket is there: say this first."""
        self.is_open, self._chain = False, 0
        return Hello(
            id=HELLO_ID, v=VERSION, name=self.name, client=self.client, token=self.token, seq=self._seq,
            client_key=self.client_key,
        )  # fmt: skip

    def ask(self, wish: Ask) -> tuple[int, list[Effect]]:
        """Ask something (its id is given here). The ticket names the answer, however many cuts lie between."""
        if isinstance(wish, Ready):
            wish = self.promise.made(wish)
        ticket = next(self._tickets)
        self._owed[ticket] = _Owed(wish)
        return ticket, self._send(ticket) if self.is_open else []

    def cut(self) -> list[Effect]:
        """The socket is gone. What cannot be asked again is lost, because without a seat nobody remembers ids."""
        self.is_open = False
        lost = [
            ticket
            for ticket, owed in self._owed.items()
            if owed.is_sent and self.token is None and not isinstance(owed.ask, QUESTIONS + CLAIMS)
        ]
        return [effect for ticket in lost for effect in self._lose(ticket)]

    def give_up(self) -> list[Effect]:
        """There will be no further socket."""
        self.is_open = False
        return [effect for ticket in tuple(self._owed) for effect in self._lose(ticket)]

    def receive(self, message: ServerMessage, at: int) -> list[Effect]:
        """A message came at this moment (ns of a steady clock). Raises `BrokenChain`."""
        match message:
            case Welcome():
                return self._welcomed(message)
            case Refused(id=0) if not self.is_open:
                return [Later(message)] if message.retry else [Gone(message), *self.give_up()]
            case Ack() | Refused():
                return self._answered(message)
            case View():
                self._see(message, at)
            case Room():
                self.room = message
                return [Tell(message), *self._reveal(message)]
            case Left():
                self._leave()
            case _:
                pass
        return [Tell(message)]

    def react_us(self, nonce: str, now: int) -> int | None:
        """How long the hand has taken since its race was first seen here, or None if this race was not seen."""
        return (now - self.race.at) // 1000 if self.race and self.race.nonce == nonce else None

    def _welcomed(self, message: Welcome) -> list[Effect]:
        self.is_open, self.welcome = True, message
        self._next = max(self._next, message.next_id)
        effects: list[Effect] = []
        if message.resumed is not None:
            self.token, self.seat = message.resumed.token, message.resumed.seat
            effects += _seat_effects(message.resumed)
        elif self._watching is not None:
            ticket = next(self._tickets)
            self._owed[ticket] = _Owed(Watch(id=0, room=self._watching), is_told=False)
        effects.append(Tell(message))
        # First again what may have been done already, with its old id, then what nobody has heard yet.
        for ticket in sorted(self._owed, key=lambda it: (not self._owed[it].is_sent, it)):
            effects += self._send(ticket)
        return effects

    def _send(self, ticket: int) -> list[Effect]:
        owed = self._owed[ticket]
        if not owed.is_sent:
            owed.ask = msgspec.structs.replace(owed.ask, id=self._next)
            owed.is_sent = True
            self._next += 1
        return [Send(owed.ask)]

    def _reveal(self, room: Room) -> list[Effect]:
        """The deal is called and waits for our nonce."""
        nonce = self.promise.due(room)
        if nonce is None:
            return []
        ticket = next(self._tickets)
        self._owed[ticket] = _Owed(Reveal(id=0, nonce=nonce), is_told=False)
        return self._send(ticket)

    def _answered(self, message: Ack | Refused) -> list[Effect]:
        ticket = next(
            (it for it, owed in self._owed.items() if owed.is_sent and owed.ask.id == message.id), None
        )
        if ticket is None:
            return []  # the second answer to an ask that was sent twice
        owed = self._owed.pop(ticket)
        effects: list[Effect] = []
        match message:
            case Ack(got=Seated() as got):
                self.token, self.seat, self._watching, self._chain = got.token, got.seat, None, 0
                self._next = max(self._next, got.next_id)
                effects += _seat_effects(got)
            case Ack(got=Watching(room=room)):
                self._watching, self.seat, self._chain = room, None, 0
            case Refused(reason=Reason.NO_SUCH_ROOM) if isinstance(owed.ask, Watch):
                self._watching = None
            case Ack() if isinstance(owed.ask, Leave):
                self._leave()
            case Refused(retry=True) if isinstance(owed.ask, Reveal):
                self.promise.failed()
            case _:
                pass
        return [*effects, Answer(ticket, message)] if owed.is_told else effects

    def _see(self, view: View, at: int) -> None:
        if view.from_ != self._chain:
            raise BrokenChain(
                f"view {view.seq} follows {view.from_}, but the last one here was {self._chain}"
            )
        self._chain = self._seq = view.seq
        self.view = view
        if view.over is not None:
            self.promise.check(view)
        if view.race is None:
            self.race = None
        elif self.race is None or self.race.nonce != view.race.nonce:
            self.race = RaceSeen(view.race.nonce, at)

    def _leave(self) -> None:
        self.token = self.seat = self.room = self.view = self.race = self._watching = None
        self.promise.forget()
        self._chain = self._seq = 0

    def _lose(self, ticket: int) -> list[Effect]:
        return [Lost(ticket)] if self._owed.pop(ticket).is_told else []


def _seat_effects(got: Seated) -> list[Effect]:
    return [Keep(got.token), *([Home(got.home)] if got.home else [])]
