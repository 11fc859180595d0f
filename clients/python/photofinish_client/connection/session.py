"""The client's state of a connection, without any I/O: ids, open requests, the token, the chain of views.

Call `open` for a new socket, `receive` for every message, `cut` when the socket is lost. Each returns what to do, in
order. After a cut, the seat is resumed and every open request is sent again with the same id. The server answers each
id once, so no move is lost and none is made twice.
"""

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Final, NamedTuple, TypeAlias, get_args

import msgspec

from photofinish_client.connection.promise import Promise
from photofinish_protocol.messages import (
    Ack,
    Bye,
    Called,
    Create,
    Emoted,
    EventNews,
    EventRequest,
    Follow,
    Games,
    Hello,
    Identify,
    Join,
    Leave,
    Left,
    Pending,
    Ping,
    RaceReport,
    Ready,
    Refused,
    Request,
    Reveal,
    Room,
    Rooms,
    Said,
    Seated,
    ServerMessage,
    Sit,
    Unfollow,
    View,
    Watch,
    Watching,
    Welcome,
)  # fmt: skip
from photofinish_protocol.reasons import Reason
from photofinish_protocol.version import VERSION

HELLO_ID: Final = 0
QUESTIONS: Final = (Games, Rooms, Ping, Follow, Unfollow)
"""Requests that change nothing: they are safe to repeat, even without a seat."""
CLAIMS: Final = (Create, Join, Sit)
"""Safe to repeat without a seat: the server recognises them by our client key and their id, and gives the same seat."""
OF_EVENTS: Final = (*get_args(EventRequest), Follow, Sit)
"""With a key these wait until it is proved: the server would refuse them, or show less."""

Event: TypeAlias = (
    Room | View | RaceReport | Said | Emoted | Left | Bye | Pending | Welcome | Called | EventNews
)
"""Messages that are passed on to the user of the SDK."""


class MissedView(Exception):  # noqa: N818 - the fact itself
    """The `from` of a view is not the `seq` of the view before it: a view was lost. Reconnect."""


@dataclass(frozen=True, slots=True)
class KeepToken:
    """Save this token before anything else is sent: the previous token stops working."""

    token: str


@dataclass(frozen=True, slots=True)
class RoomElsewhere:
    """The address of the node that has our room. Reconnect there, so that messages need no relay between nodes."""

    url: str


@dataclass(frozen=True, slots=True)
class SendRequest:
    request: Request


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to the request with this ticket."""

    ticket: int
    message: Ack | Refused


@dataclass(frozen=True, slots=True)
class RequestLost:
    """The connection was cut and this request is not safe to repeat. It may or may not have been done."""

    ticket: int


@dataclass(frozen=True, slots=True)
class PassOn:
    event: Event


@dataclass(frozen=True, slots=True)
class Stopped:
    """The seat cannot be resumed, or the server refuses this client for good: stop."""

    refused: Refused


@dataclass(frozen=True, slots=True)
class RetryLater:
    """The server refuses this client for now: close the socket and reconnect later."""

    refused: Refused


Effect: TypeAlias = (
    KeepToken | RoomElsewhere | SendRequest | Answer | RequestLost | PassOn | Stopped | RetryLater
)


class RaceSeen(NamedTuple):
    """A race, and when the first view with this race arrived here (ns)."""

    nonce: str
    at: int


@dataclass(slots=True)
class _OpenRequest:
    request: Request
    is_sent: bool = False
    has_caller: bool = True


@dataclass(slots=True)
class ClientSession:
    """The state of one player or watcher, across any number of sockets."""

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
    """Our nonce for the shuffle. Its hash is sent with `ready`, the nonce itself when the host starts."""
    client_key: str = field(default_factory=lambda: secrets.token_hex(16))
    """Random, and the same for all sockets of this session."""
    proves_key: bool = False
    """Each socket proves a key. What is asked about events waits for that (`OF_EVENTS`)."""
    is_proved: bool = False
    _seq: int = 0
    _chain: int = 0
    _next: int = 1
    _watching: Watch | None = None
    _followed: dict[str, Follow] = field(default_factory=dict)
    """By event: the parts we follow, and the `seq` that we have."""
    _open_requests: dict[int, _OpenRequest] = field(default_factory=dict)
    _tickets: Iterator[int] = field(default_factory=count)

    def open(self) -> Hello:
        """The first message to send on a new socket."""
        self.is_open, self._chain = False, 0
        return Hello(
            id=HELLO_ID, v=VERSION, name=self.name, client=self.client, token=self.token, seq=self._seq,
            client_key=self.client_key,
        )  # fmt: skip

    def request(self, wish: Request) -> tuple[int, list[Effect]]:
        """Send a request (its id is filled in). Returns a ticket that names the answer, also after cuts."""
        if isinstance(wish, Ready):
            wish = self.promise.made(wish)
        ticket = next(self._tickets)
        self._open_requests[ticket] = _OpenRequest(wish)
        return ticket, self._send(ticket) if self.is_open and not self._must_wait(wish) else []

    def cut(self) -> list[Effect]:
        """The socket is lost. Requests that are not safe to repeat without a seat are lost too."""
        self.is_open = False
        lost = [
            ticket
            for ticket, open_request in self._open_requests.items()
            if open_request.is_sent
            and self.token is None
            and not isinstance(open_request.request, QUESTIONS + CLAIMS)
        ]
        return [effect for ticket in lost for effect in self._report_lost(ticket)]

    def give_up(self) -> list[Effect]:
        """There will be no further socket."""
        self.is_open = False
        return [effect for ticket in tuple(self._open_requests) for effect in self._report_lost(ticket)]

    def receive(self, message: ServerMessage, at: int) -> list[Effect]:
        """Handle a message that arrived at `at` (ns of a monotonic clock). Raises `MissedView`."""
        match message:
            case Welcome():
                return self._welcomed(message)
            case Refused(id=0) if not self.is_open:
                return [RetryLater(message)] if message.retry else [Stopped(message), *self.give_up()]
            case Ack() | Refused():
                return self._answered(message)
            case View():
                self._see(message, at)
            case Room():
                self.room = message
                return [PassOn(message), *self._reveal(message)]
            case Left():
                self._leave()
            case EventNews():
                return self._event_changed(message)
            case _:
                pass
        return [PassOn(message)]

    @property
    def is_at_a_table(self) -> bool:
        """We have a seat, or watch."""
        return self.token is not None or self._watching is not None

    def react_us(self, nonce: str, now: int) -> int | None:
        """Microseconds since this client first saw this race; None if it did not."""
        return (now - self.race.at) // 1000 if self.race and self.race.nonce == nonce else None

    def _welcomed(self, message: Welcome) -> list[Effect]:
        self.is_open, self.welcome, self.is_proved = True, message, False
        self._next = max(self._next, message.next_id)
        effects: list[Effect] = []
        if message.resumed is not None:
            self.token, self.seat = message.resumed.token, message.resumed.seat
            effects += _seat_effects(message.resumed)
        elif self._watching is not None:
            ticket = next(self._tickets)
            self._open_requests[ticket] = _OpenRequest(self._watching, has_caller=False)
        effects.append(PassOn(message))
        self._follow_again()
        return effects + self._send_open(lambda request: not self._must_wait(request))

    def _must_wait(self, request: Request) -> bool:
        return self.proves_key and not self.is_proved and isinstance(request, OF_EVENTS)

    def _send_open(self, is_due: Callable[[Request], bool]) -> list[Effect]:
        """First the requests that were sent before, with their old ids; then the new ones."""
        due = [ticket for ticket, it in self._open_requests.items() if is_due(it.request)]
        order = sorted(due, key=lambda it: (not self._open_requests[it].is_sent, it))
        return [effect for ticket in order for effect in self._send(ticket)]

    def _send(self, ticket: int) -> list[Effect]:
        open_request = self._open_requests[ticket]
        if not open_request.is_sent:
            open_request.request = msgspec.structs.replace(open_request.request, id=self._next)
            open_request.is_sent = True
            self._next += 1
        return [SendRequest(open_request.request)]

    def _reveal(self, room: Room) -> list[Effect]:
        """Send our nonce if the host has started and the server waits for it."""
        nonce = self.promise.due(room)
        if nonce is None:
            return []
        ticket = next(self._tickets)
        self._open_requests[ticket] = _OpenRequest(Reveal(id=0, nonce=nonce), has_caller=False)
        return self._send(ticket)

    def _answered(self, message: Ack | Refused) -> list[Effect]:
        ticket = next(
            (
                it
                for it, open_request in self._open_requests.items()
                if open_request.is_sent and open_request.request.id == message.id
            ),
            None,
        )
        if ticket is None:
            return []  # the second answer to a request that was sent twice
        open_request = self._open_requests.pop(ticket)
        effects: list[Effect] = []
        match message:
            case Ack(got=Seated() as got):
                self.token, self.seat, self._watching, self._chain = got.token, got.seat, None, 0
                self._next = max(self._next, got.next_id)
                effects += _seat_effects(got)
            case Ack(got=Watching()) if isinstance(open_request.request, Watch):
                self._watching, self.seat, self._chain = open_request.request, None, 0
            case Ack() if isinstance(open_request.request, Follow):
                self._followed[open_request.request.event.upper()] = open_request.request
            case Ack() if isinstance(open_request.request, Unfollow):
                self._followed.pop(open_request.request.event.upper(), None)
            case Ack() if isinstance(open_request.request, Identify):
                self.is_proved = True
                effects += self._send_open(lambda request: isinstance(request, OF_EVENTS))
            case Refused(reason=Reason.NO_SUCH_ROOM) if isinstance(open_request.request, Watch):
                self._watching = None
            case Ack() if isinstance(open_request.request, Leave):
                self._leave()
            case Refused(retry=True) if isinstance(open_request.request, Reveal):
                self.promise.failed()
            case _:
                pass
        return [*effects, Answer(ticket, message)] if open_request.has_caller else effects

    def _event_changed(self, news: EventNews) -> list[Effect]:
        """Only what fits onto what we have is passed on; after a gap the event is followed again, whole."""
        had = self._followed.get(news.event)
        if had is None or news.from_ not in {0, had.seq}:
            if had is None or had.seq == 0:  # not followed any more, or the whole is on its way
                return []
            self._followed[news.event] = msgspec.structs.replace(had, seq=0)
            self._follow_again(news.event)
            return self._send_open(
                lambda request: isinstance(request, Follow) and request.event.upper() == news.event
            )
        self._followed[news.event] = msgspec.structs.replace(had, seq=news.seq)
        return [PassOn(news)]

    def _follow_again(self, *events: str) -> None:
        """Open follow requests for the events that we follow: a new socket follows none."""
        asked = {
            it.request.event.upper() for it in self._open_requests.values() if isinstance(it.request, Follow)
        }
        for event in events or self._followed:
            if event in asked:
                continue
            ticket = next(self._tickets)
            self._open_requests[ticket] = _OpenRequest(self._followed[event], has_caller=False)

    def _see(self, view: View, at: int) -> None:
        if view.from_ != self._chain:
            raise MissedView(f"view {view.seq} follows {view.from_}, but the last one here was {self._chain}")
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

    def _report_lost(self, ticket: int) -> list[Effect]:
        return [RequestLost(ticket)] if self._open_requests.pop(ticket).has_caller else []


def _seat_effects(got: Seated) -> list[Effect]:
    return [KeepToken(got.token), *([RoomElsewhere(got.home)] if got.home else [])]
