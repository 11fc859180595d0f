"""The interface between the gateway and events: proven keys, requests to an event, and its pages."""

from typing import Protocol

from websockets.http11 import Request, Response

from photofinish_protocol import messages


class EventConnection(Protocol):
    """A connection with a proven key."""

    def send(self, message: messages.ServerMessage) -> None: ...


class EventsPort(Protocol):
    def is_proof(self, key: str, name: str, signature: str, *, host: str, challenge: str) -> bool:
        """T6: whether `signature` is the key's signature of this connection's challenge."""

    def came(self, key: str, connection: EventConnection) -> None:
        """A connection has proved this key."""

    def went(self, key: str, connection: EventConnection) -> None:
        """A connection with this key is closed."""

    async def ask(self, key: str, name: str, message: messages.EventAsk) -> messages.EventGot:
        """Handle a request and store its effect. Raises `No`."""

    async def page(self, path: str, query: str, request: Request) -> Response | None:
        """A page about an event; None if the path does not belong to an event."""
