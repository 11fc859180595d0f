"""The interface between the gateway and events: proven keys, requests to an event, and its pages."""

from typing import Literal, Protocol

from websockets.http11 import Request, Response

from photofinish_protocol import messages


class EventConnection(Protocol):
    """A connection with a proven key."""

    def send(self, message: messages.ServerMessage) -> None: ...


class EventLimits(Protocol):
    """The limits of a connection and of its address."""

    def may_create_event(self) -> bool:
        """Whether an event may be created now. If so, it is counted."""

    def may_follow(self) -> bool:
        """Whether the connection may send `follow` now. If so, it is counted."""

    async def guess(self) -> bool:
        """Whether a code may be tried. If so, the caller must call `guessed`."""

    def guessed(self, *, is_miss: bool) -> None: ...


class NoLimits:
    """Without any limit."""

    def may_create_event(self) -> bool:
        return True

    def may_follow(self) -> bool:
        return True

    async def guess(self) -> bool:
        return True

    def guessed(self, *, is_miss: bool) -> None:
        """Does nothing."""


class EventsPort(Protocol):
    def is_proof(self, key: str, name: str, signature: str, *, host: str, challenge: str) -> bool:
        """T6: whether `signature` is the key's signature of this connection's challenge."""

    def key_connected(self, key: str, connection: EventConnection) -> None:
        """A connection has proved this key."""

    def key_disconnected(self, key: str, connection: EventConnection) -> None:
        """A connection with this key is closed."""

    async def follow(
        self, connection: EventConnection, key: str, asked: messages.Follow
    ) -> tuple[messages.EventGot, messages.EventNews | None]:
        """Follow an event (T67): the answer, and its parts whole if they are needed. Raises `RequestRefusal`."""

    def unfollow(self, connection: EventConnection, event: str) -> None:
        """Stop following the event."""

    def connection_closed(self, connection: EventConnection) -> None:
        """A connection that may have followed events is closed."""

    async def called_to(self, key: str, event: str) -> str:
        """The room to which this key is called now. Raises `RequestRefusal`."""

    async def rank_at(self, key: str, room: str) -> Literal["", "referee", "hands"]:
        """The role of this key at a room: none, a referee of its event, or a referee to whom its hands are opened."""

    async def request(
        self, key: str, name: str, message: messages.EventRequest, limits: EventLimits
    ) -> messages.EventGot:
        """Handle a request and store its effect. `limits` counts new events. Raises `RequestRefusal`."""

    async def page(self, path: str, query: str, request: Request) -> Response | None:
        """A page about an event; None if the path does not belong to an event."""
