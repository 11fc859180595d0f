"""The faults that a line can cause. Each happens once, at a moment for which a client must be prepared."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from photofinish.conformance.line import LineCut, Message, Pause, Step, ToClient, ToServer
from photofinish_protocol.messages import ServerMessage

RETRY_AFTER_MS = 700
SPREAD = 16
"""The line multiplies the client's ids by this. It uses the ids in between for its own requests (`Unread`)."""
FILLING = 7
"""The number of lists of games that fill the buffers between the server and the line."""


class NoTrouble:
    """Everything passes."""

    is_narrow = False

    def server(self, message: Message, _socket: int) -> Sequence[Step]:
        return [ToClient(message)]

    def client(self, message: Message, _socket: int) -> Sequence[Step]:
        return [ToServer(message)]


class UnknownFields(NoTrouble):
    """Every message has an unknown field, and unknown messages come between them."""

    def server(self, message: Message, _socket: int) -> Sequence[Step]:
        weather = {"t": "weather", "sky": ["grey"], "id": 0}
        return [ToClient(weather), ToClient({**message, "zz_new": {"deep": [1, None]}})]


class EveryDefault(NoTrouble):
    """Every field is sent, even if it has its default."""

    def server(self, message: Message, _socket: int) -> Sequence[Step]:
        return [ToClient(with_defaults(msgspec.convert(message, ServerMessage)))]


@dataclass
class CutAt(NoTrouble):
    """A connection is cut in place of the `after`-th message of this kind, which the client does not get.

    `seated` and `move` are the answers to a `join` and to a move. With `half` the client gets the first half of the
    message, with `behind` all of it.
    """

    kind: str
    after: int = 1
    socket: int = 0
    code: int | None = None
    half: bool = False
    behind: bool = False
    _seen: int = 0

    def server(self, message: Message, socket: int) -> Sequence[Step]:
        if socket == self.socket and self._fits(message):
            self._seen += 1
            if self._seen == self.after:
                cut = LineCut(self.code, half=message if self.half else None)
                return [ToClient(message), cut] if self.behind else [cut]
        return [ToClient(message)]

    def _fits(self, message: Message) -> bool:
        if self.kind == "seated":
            return message["t"] == "ack" and (message.get("got") or {}).get("got") == "seated"
        if self.kind == "move":
            return message["t"] == "ack" and "seq" in message
        return bool(message["t"] == self.kind)


@dataclass
class CutTwice(NoTrouble):
    """The line is cut in the middle of the game, and the `welcome` of the next connection is lost too."""

    first: CutAt = field(default_factory=lambda: CutAt("view", 3))
    second: CutAt = field(default_factory=lambda: CutAt("welcome", 1, socket=1))

    def server(self, message: Message, socket: int) -> Sequence[Step]:
        trouble = self.first if socket == self.first.socket else self.second
        return trouble.server(message, socket)


@dataclass
class SaysBye(NoTrouble):
    """After some views the server sends `bye` and closes with this code."""

    code: int = 1012
    retry: bool = True
    retry_after_ms: int = RETRY_AFTER_MS
    after: int = 2
    _views: int = 0

    def server(self, message: Message, _socket: int) -> Sequence[Step]:
        self._views += message["t"] == "view"
        if message["t"] != "view" or self._views != self.after:
            return [ToClient(message)]
        bye = {"t": "bye", "code": self.code, "text": "Goodbye.", "retry": self.retry}
        return [ToClient({**bye, "retry_after_ms": self.retry_after_ms}), LineCut(self.code)]


@dataclass
class LostView(NoTrouble):
    """One view never arrives, so the next one does not follow the last."""

    after: int = 3
    _views: int = 0

    def server(self, message: Message, _socket: int) -> Sequence[Step]:
        self._views += message["t"] == "view"
        return [] if message["t"] == "view" and self._views == self.after else [ToClient(message)]


@dataclass
class SkippedViews(NoTrouble):
    """Views are skipped as for a slow reader: `from` and `last` of the next one say so.

    Only a view without offers is skipped: the table does not wait for the client, so another one follows.
    """

    most: int = 6
    _had: int = 0
    _last: list[Any] = field(default_factory=list)

    def server(self, message: Message, _socket: int) -> Sequence[Step]:
        if message["t"] != "view":
            return [ToClient(message)]
        events = [*self._last, *message.get("last", ())]
        if (
            self.most
            and self._had
            and not message.get("offers")
            and not message.get("over")
            and message["from"]
        ):
            self.most -= 1
            self._last = events
            return []
        shown = {**message, "from": self._had, "last": events} if message["from"] else message
        self._had, self._last = message["seq"], []
        return [ToClient(shown)]


@dataclass
class Unread(NoTrouble):
    """Nothing is read from the server for a while, so that it skips views.

    The line asks for the list of games (about 45 kB) a few times: the answers fill the buffers. These requests need
    ids of their own. So the line multiplies the client's ids on the way to the server and divides them on the way
    back, and uses the ids in between.
    """

    is_narrow = True
    seconds: float = 3.0
    most: int = 5
    """The most attempts to make the server skip a view. Each begins at a view without offers: others play on."""
    _highest: int = 0
    _has_skipped: bool = False

    def client(self, message: Message, _socket: int) -> Sequence[Step]:
        if not isinstance(message.get("id"), int):
            return [ToServer(message)]
        self._highest = max(self._highest, SPREAD * message["id"])
        return [ToServer({**message, "id": SPREAD * message["id"]})]

    def server(self, message: Message, _socket: int) -> Sequence[Step]:
        if message.get("id", 0) % SPREAD:
            return []
        passed = self._divided(message)
        if message["t"] != "view":
            return [ToClient(passed)]
        self._has_skipped |= bool(message["from"]) and message["seq"] > message["from"] + 1
        if message.get("offers") or message.get("over") or self._has_skipped or not self.most:
            return [ToClient(passed)]
        self.most -= 1
        self._highest += 1
        requests = [ToServer({"t": "games", "id": self._highest})] * FILLING
        return [ToClient(passed), *requests, Pause(self.seconds)]

    def _divided(self, message: Message) -> Message:
        changed = {"id": message["id"] // SPREAD} if "id" in message else {}
        if "next_id" in message:
            changed["next_id"] = -(-message["next_id"] // SPREAD)
        for part in ("got", "resumed"):
            inner = message.get(part) or {}
            if "next_id" in inner:
                changed[part] = {**inner, "next_id": -(-inner["next_id"] // SPREAD)}
        return {**message, **changed}


@dataclass
class LateAnswers(NoTrouble):
    """The answer to a move comes after the view that shows it."""

    seconds: float = 0.3
    _ack: Message | None = None

    def server(self, message: Message, _socket: int) -> Sequence[Step]:
        if message["t"] == "ack" and "seq" in message:
            self._ack = message
            return []
        if self._ack is not None and message["t"] == "view" and message["seq"] >= self._ack["seq"]:
            ack, self._ack = self._ack, None
            return [ToClient(message), Pause(self.seconds), ToClient(ack)]
        return [ToClient(message)]


@dataclass
class Slow(NoTrouble):
    """Every message of the server is late by the same time."""

    seconds: float = 0.15

    def server(self, message: Message, _socket: int) -> Sequence[Step]:
        return [Pause(self.seconds), ToClient(message)]


class Untimed(NoTrouble):
    """The server does not get `react_us`, as from a client that cannot measure it."""

    def client(self, message: Message, _socket: int) -> Sequence[Step]:
        return [ToServer({key: it for key, it in message.items() if key != "react_us"})]


@dataclass
class RefusesMoves(NoTrouble):
    """The line itself refuses the first moves, and the first moves in a race, so the server never gets them.

    Each move is refused for another reason, not once for every reason: a short game has only two moves.
    """

    calm: list[tuple[str, bool]] = field(
        default_factory=lambda: [
            ("illegal_move", False),
            ("too_fast", True),
            ("rain_delay", True),
            ("closed_today", False),
        ]
    )
    raced: list[tuple[str, bool]] = field(
        default_factory=lambda: [("false_start", True), ("too_many_moves", False), ("race_reopened", True)]
    )

    def client(self, message: Message, _socket: int) -> Sequence[Step]:
        reasons = self.raced if message.get("race") else self.calm
        if message.get("t") != "play" or not reasons:
            return [ToServer(message)]
        reason, retry = reasons.pop(0)
        return [ToClient(refused(message, reason, retry=retry))]


@dataclass
class NotYet(NoTrouble):
    """The first `hello` and the first three `join`s are refused for the moment."""

    left: dict[str, int] = field(default_factory=lambda: {"hello": 1, "join": 3})

    def client(self, message: Message, _socket: int) -> Sequence[Step]:
        kind = message.get("t", "")
        if not self.left.get(kind):
            return [ToServer(message)]
        self.left[kind] -= 1
        return [ToClient(refused(message, "draining" if kind == "hello" else "elsewhere", retry=True))]


@dataclass
class TokenGone(NoTrouble):
    """The connection is cut, and the token no longer resumes the seat."""

    cut: CutAt = field(default_factory=lambda: CutAt("view", 3))

    def server(self, message: Message, socket: int) -> Sequence[Step]:
        return self.cut.server(message, socket)

    def client(self, message: Message, _socket: int) -> Sequence[Step]:
        if message.get("t") == "hello" and message.get("token"):
            return [ToClient(refused(message, "bad_token", retry=False))]
        return [ToServer(message)]


@dataclass
class ChatWhenMuted(NoTrouble):
    """The client's chat, and what it sends after it, reaches the server only when the game forbids talk.

    The server refuses it by itself.
    """

    is_muted: bool = False
    _held: list[Message] = field(default_factory=list)

    def server(self, message: Message, _socket: int) -> Sequence[Step]:
        if message["t"] == "view":
            self.is_muted = message["view"].get("phase") not in {"character", "pause", "over"}
        if not self.is_muted:
            return [ToClient(message)]
        held, self._held = self._held, []
        return [ToClient(message), *map(ToServer, held)]

    def client(self, message: Message, _socket: int) -> Sequence[Step]:
        if not self.is_muted and (self._held or message.get("t") == "chat"):
            self._held.append(message)
            return []
        return [ToServer(message)]


def refused(message: Message, reason: str, *, retry: bool) -> Message:
    text = "The examiner refuses this."
    return {"t": "refused", "id": message.get("id", 0), "reason": reason, "text": text, "retry": retry}


def with_defaults(value: Any) -> Any:
    """A message as plain data with all its fields."""
    if isinstance(value, msgspec.Struct):
        config = value.__struct_config__
        tag = {config.tag_field: config.tag} if config.tag_field else {}
        fields = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
        values = {name: getattr(value, field) for name, field in fields}
        return tag | {name: with_defaults(it) for name, it in values.items() if it is not msgspec.UNSET}
    if isinstance(value, list | tuple):
        return [with_defaults(it) for it in value]
    if isinstance(value, dict):
        return {key: with_defaults(it) for key, it in value.items()}
    return msgspec.to_builtins(value)
