"""The requests of one connection to events: it proves a key, follows events, and sends requests to their directors."""

import secrets

from photofinish.gateway.sessions.events_port import EventConnection, EventLimits, EventsPort, NoLimits
from photofinish.room.seats.lobby import RequestRefusal
from photofinish.room.seats.talk import name_of
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason
from photofinish_protocol.version import MAX_NAME

EventRequestOrFollow = messages.Follow | messages.Unfollow | messages.Identify | messages.EventRequest


class EventRequests:
    """The connection may be in a room or not; the room does not get these requests."""

    def __init__(
        self,
        events: EventsPort | None,
        connection: EventConnection,
        host: str | None,
        limits: EventLimits | None = None,
    ) -> None:
        self._events, self._connection, self._host = events, connection, host
        self._limits = limits or NoLimits()
        self.key = ""
        """The public key this connection has proved (T6)."""
        self.challenge = secrets.token_hex(32)
        """What the key must sign. Used once."""

    async def request(
        self, message: EventRequestOrFollow, name: str
    ) -> tuple[messages.EventGot | None, messages.EventNews | None]:
        """The answer, and what follows it at once (T67). Raises `RequestRefusal`."""
        events = self._port()
        match message:
            case messages.Identify():
                self._identify(message, events)
                return None, None
            case messages.Unfollow(event=event):
                events.unfollow(self._connection, event)
                return None, None
        if isinstance(message, messages.Follow) and not self._limits.may_follow():
            raise RequestRefusal(Reason.TOO_FAST, "You send follow too often. Wait a moment.")
        if not await self._limits.guess():  # of an event's code, or of its entry code
            raise RequestRefusal(Reason.TOO_FAST, "You have tried too many codes. Wait a minute.")
        is_miss = False
        try:
            if isinstance(message, messages.Follow):  # nobody needs a key for it
                return await events.follow(self._connection, self.key, message)
            return await events.request(self._proved(), name, message, self._limits), None
        except RequestRefusal as no:
            is_miss = no.reason in {Reason.NO_SUCH_EVENT, Reason.BAD_CODE}
            raise
        finally:
            self._limits.guessed(is_miss=is_miss)

    async def called_to(self, event: str) -> str:
        """The room to which this key is called now. Raises `RequestRefusal`."""
        return await self._port().called_to(self._proved(), event)

    async def may_referee(self, room: str, seat: int | None) -> bool:
        """Whether this key is an official of the room's event. Raises `RequestRefusal` (T4: closed hands)."""
        rank = await self._events.rank_at(self.key, room) if self._events is not None and self.key else ""
        if seat is not None and rank != "hands":
            raise RequestRefusal(Reason.NOT_ALLOWED, "The hands of this table are not opened to you.")
        return bool(rank)

    def end(self) -> None:
        """The connection is closed."""
        if self._events is not None:
            self._events.connection_closed(self._connection)
            if self.key:
                self._events.key_disconnected(self.key, self._connection)

    def _port(self) -> EventsPort:
        if self._events is None:
            raise RequestRefusal(Reason.UNKNOWN_TYPE)
        return self._events

    def _proved(self) -> str:
        if not self.key:
            raise RequestRefusal(Reason.NOT_IDENTIFIED)
        return self.key

    def _identify(self, message: messages.Identify, events: EventsPort) -> None:
        """T6: check the proof of a key. Without a host that is ours it may have been made for another server."""
        name = name_of(message.name)
        if not 1 <= len(name) <= MAX_NAME or name != message.name:
            raise RequestRefusal(Reason.BAD_NAME)
        challenge, self.challenge = self.challenge, ""
        host = self._host
        fits = (
            bool(challenge)
            and host is not None
            and events.is_proof(message.key, message.name, message.signature, host=host, challenge=challenge)
        )
        if not fits:
            raise RequestRefusal(Reason.BAD_SIGNATURE)
        self.key = message.key
        events.key_connected(self.key, self._connection)
