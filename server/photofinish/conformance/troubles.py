"""What a line can do to a client. Each trouble comes once, at a moment that a client must be ready for."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from photofinish.conformance.line import Cut, Message

RETRY_AFTER_MS = 700


class NoTrouble:
    """Everything passes."""

    def server(self, message: Message, _socket: int) -> Sequence[Message | Cut]:
        return [message]


class FromTheFuture:
    """Every message has a field that nobody knows, and messages that nobody knows come between them."""

    def server(self, message: Message, _socket: int) -> Sequence[Message | Cut]:
        return [{"t": "weather", "sky": ["grey"], "id": 0}, {**message, "zz_new": {"deep": [1, None]}}]


@dataclass
class CutAt:
    """A connection is cut in place of the `after`-th message of this kind, which the client does not get.

    `seated` and `move` are the answers to a `join` and to a move.
    """

    kind: str
    after: int = 1
    socket: int = 0
    code: int | None = None
    _seen: int = 0

    def server(self, message: Message, socket: int) -> Sequence[Message | Cut]:
        if socket == self.socket and self._fits(message):
            self._seen += 1
            if self._seen == self.after:
                return [Cut(self.code)]
        return [message]

    def _fits(self, message: Message) -> bool:
        if self.kind == "seated":
            return message["t"] == "ack" and (message.get("got") or {}).get("got") == "seated"
        if self.kind == "move":
            return message["t"] == "ack" and "seq" in message
        return bool(message["t"] == self.kind)


@dataclass
class CutTwice:
    """The line is cut in the middle of the game, and the `welcome` of the next connection is lost too."""

    first: CutAt = field(default_factory=lambda: CutAt("view", 3))
    second: CutAt = field(default_factory=lambda: CutAt("welcome", 1, socket=1))

    def server(self, message: Message, socket: int) -> Sequence[Message | Cut]:
        trouble = self.first if socket == self.first.socket else self.second
        return trouble.server(message, socket)


@dataclass
class Restart:
    """After some views the server says that it restarts, and closes."""

    after: int = 2
    _views: int = 0

    def server(self, message: Message, _socket: int) -> Sequence[Message | Cut]:
        self._views += message["t"] == "view"
        if message["t"] != "view" or self._views != self.after:
            return [message]
        bye = {"t": "bye", "code": 1012, "text": "The server restarts.", "retry": True}
        return [{**bye, "retry_after_ms": RETRY_AFTER_MS}, Cut(1012)]


@dataclass
class LostView:
    """One view never arrives, so the next one does not follow the last."""

    after: int = 3
    _views: int = 0

    def server(self, message: Message, _socket: int) -> Sequence[Message | Cut]:
        self._views += message["t"] == "view"
        return [] if message["t"] == "view" and self._views == self.after else [message]
