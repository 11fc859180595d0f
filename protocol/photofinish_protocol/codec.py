"""The two codecs of the protocol. Frames become typed messages here; no other module sees a dict."""

import math
from collections.abc import Callable
from typing import Any, Final, Protocol, TypeVar

import msgspec

from photofinish_protocol.messages import ClientMessage, Configure, Create, Play, ServerMessage
from photofinish_protocol.reasons import Reason
from photofinish_protocol.version import JSON, MAX_DEPTH, MAX_ID, MAX_PARTS, MSGPACK

T = TypeVar("T")
LONGEST_WHY = 200
"""The longest explanation, in characters. It quotes the message."""
ORDINARY = 2048
"""In longer frames (bytes), lists and objects are counted before decoding. Thousands of them would start full garbage
collections, 200 ms each on a busy server."""
_OPENS = bytes((*range(0x80, 0xA0), *range(0xDC, 0xE0)))
"""The first bytes of lists and maps in msgpack."""


class Malformed(Exception):  # noqa: N818 - one of three kinds of wrong (STYLE 16)
    """The frame is not a message: close the connection."""


class BadRequest(Exception):  # noqa: N818 - likewise
    """A message with an id that can be answered, but of no known type or with wrong fields: refuse it."""

    def __init__(self, id: int, reason: Reason, text: str) -> None:  # noqa: A002 - the wire's own word
        super().__init__(text)
        self.id, self.reason, self.text = id, reason, text


class _Decoder(Protocol):
    def decode(self, buf: bytes | str, /) -> Any: ...


class Codec:
    """One of the two encodings. `is_text`: its frames are text frames."""

    def __init__(self, subprotocol: str) -> None:
        self.subprotocol: Final = subprotocol
        self.is_text: Final = subprotocol == JSON
        kit: Any = msgspec.json if self.is_text else msgspec.msgpack
        # The protocol has no fractions. Reading 2,600 times `1e308` in a JSON frame takes 45 ms, skipping them 0.2 ms.
        unread: Any = {"float_hook": lambda _: math.nan} if self.is_text else {}
        self.encode: Final[Callable[[Any], bytes]] = kit.Encoder().encode
        """The bytes of a message's frame. For JSON they are UTF-8 text: send them as a text frame."""
        self._requests: _Decoder = kit.Decoder(ClientMessage, **unread)
        self._messages: _Decoder = kit.Decoder(ServerMessage)
        self._plain: _Decoder = kit.Decoder(**unread)

    def decode_request(self, frame: bytes | str) -> ClientMessage:
        """Decode a client's message. Raises `BadRequest` (refuse it) or `Malformed` (close the connection)."""
        if len(frame) > ORDINARY and _containers(frame) > MAX_PARTS:
            raise Malformed(f"more than {MAX_PARTS} lists and objects")
        try:
            message: ClientMessage = self._requests.decode(frame)
        except msgspec.ValidationError as error:
            raise self._unfit(frame, str(error)) from error
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Malformed(str(error) or "nested too deep") from error
        if isinstance(message, Play):
            free = message.move
        elif isinstance(message, Create | Configure):
            free = message.options or {}
        else:
            return message
        why = too_much(free)
        if why is not None:
            raise BadRequest(message.id, Reason.BAD_MESSAGE, why)
        return message

    def decode_message(self, frame: bytes | str) -> ServerMessage:
        """Decode a server's message, for clients and tests."""
        message: ServerMessage = self._messages.decode(frame)
        return message

    def _unfit(self, frame: bytes | str, why: str) -> Exception:
        try:
            plain = self._plain.decode(frame)
        except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError, RecursionError) as error:
            return Malformed(str(error) or "nested too deep")
        request_id = plain.get("id") if isinstance(plain, dict) else None
        if not isinstance(request_id, int) or isinstance(request_id, bool) or not 0 <= request_id <= MAX_ID:
            return Malformed("no usable id: " + why)
        known = isinstance(plain.get("t"), str) and plain["t"] in REQUEST_TAGS
        return BadRequest(request_id, Reason.BAD_MESSAGE if known else Reason.UNKNOWN_TYPE, why[:LONGEST_WHY])


def _containers(frame: bytes | str) -> int:
    """An upper bound of the lists and objects in a frame: bytes of texts that look like one are counted too."""
    if isinstance(frame, str):
        return frame.count("[") + frame.count("{")
    return len(frame) - len(frame.translate(None, _OPENS))


def too_much(free: dict[str, Any]) -> str | None:
    """Why a move or options are too large for any game; None if they are not. Only the game knows their fields."""
    if len(free) <= MAX_PARTS:
        for key, part in free.items():
            kind = type(part)
            if type(key) is not str or not (kind is str or (kind is int and -MAX_ID <= part <= MAX_ID)):
                break
        else:
            return None  # nearly all moves: a few texts and small numbers, checked without a call for each
    level: list[Any] = [free]
    parts = 0
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for it in level:
            parts += len(it)
            if parts > MAX_PARTS:
                return f"more than {MAX_PARTS} parts"
            if isinstance(it, dict) and not all(type(key) is str for key in it):
                return "a key that is no text"
            for part in it.values() if isinstance(it, dict) else it:
                if isinstance(part, dict | list):
                    below.append(part)
                elif isinstance(part, int):
                    if not -MAX_ID <= part <= MAX_ID:
                        return "a number that a double does not keep exact"
                elif not isinstance(part, str | float | None):
                    return "a value that JSON does not have"
        if not below:
            return None
        level = below
    return f"nested deeper than {MAX_DEPTH}"


REQUEST_TAGS = frozenset(kind.__struct_config__.tag for kind in ClientMessage.__args__)
CODECS = {MSGPACK: Codec(MSGPACK), JSON: Codec(JSON)}
