"""What the gateway knows of events: who proved a key, and what is asked of an event."""

from typing import Protocol

from websockets.http11 import Request, Response

from photofinish_protocol import messages


class EventDoor(Protocol):
    """A connection with a proven key."""

    def send(self, message: messages.ServerMessage) -> None: ...


class EventsPort(Protocol):
    def is_proof(self, key: str, name: str, signature: str, *, host: str, challenge: str) -> bool:
        """T6: whether this is the key's signature over this connection's challenge."""

    def came(self, key: str, door: EventDoor) -> None:
        """A connection has proved this key."""

    def went(self, key: str, door: EventDoor) -> None: ...

    async def ask(self, key: str, name: str, message: messages.EventAsk) -> messages.EventGot:
        """Done and stored. Raises `No`."""

    async def page(self, path: str, query: str, request: Request) -> Response | None:
        """A page about an event; None if the path is none of an event's."""
