"""Both codecs of the wire. Parse once, at the edge: behind this nobody sees a dict."""

from typing import Any, Final, Protocol, TypeVar

import msgspec

from photofinish_protocol.messages import ClientMessage, ServerMessage
from photofinish_protocol.reasons import Reason
from photofinish_protocol.version import JSON, MAX_ID, MSGPACK

T = TypeVar("T")


class Malformed(Exception):  # noqa: N818 - one of three kinds of wrong (STYLE 16)
    """Not a message at all: close the connection."""


class Unfit(Exception):  # noqa: N818 - likewise
    """A message with an id that can be answered, but of no known type or with wrong fields: refuse it."""

    def __init__(self, id: int, reason: Reason, text: str) -> None:  # noqa: A002 - the wire's own word
        super().__init__(text)
        self.id, self.reason, self.text = id, reason, text


class _Decoder(Protocol):
    def decode(self, buf: bytes | str, /) -> Any: ...


class Codec:
    """One of the two encodings. `is_text` says which kind of frame it travels in."""

    def __init__(self, subprotocol: str) -> None:
        self.subprotocol: Final = subprotocol
        self.is_text: Final = subprotocol == JSON
        kit: Any = msgspec.json if self.is_text else msgspec.msgpack
        self._encoder = kit.Encoder()
        self._asks: _Decoder = kit.Decoder(ClientMessage)
        self._says: _Decoder = kit.Decoder(ServerMessage)
        self._plain: _Decoder = kit.Decoder()

    def encode(self, message: Any) -> bytes:
        """The frame's bytes. For JSON they are UTF-8 text: send them as a text frame."""
        frame: bytes = self._encoder.encode(message)
        return frame

    def ask(self, frame: bytes | str) -> ClientMessage:
        """A client's message, or `Unfit` (refuse it), or `Malformed` (close)."""
        try:
            message: ClientMessage = self._asks.decode(frame)
        except msgspec.ValidationError as error:
            raise self._unfit(frame, str(error)) from error
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Malformed(str(error) or "nested too deep") from error
        return message

    def say(self, frame: bytes | str) -> ServerMessage:
        """A server's message: for clients and tests."""
        message: ServerMessage = self._says.decode(frame)
        return message

    def _unfit(self, frame: bytes | str, why: str) -> Exception:
        try:
            plain = self._plain.decode(frame)
        except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError, RecursionError) as error:
            return Malformed(str(error) or "nested too deep")
        ask = plain.get("id") if isinstance(plain, dict) else None
        if not isinstance(ask, int) or isinstance(ask, bool) or not 0 <= ask <= MAX_ID:
            return Malformed("no usable id: " + why)
        known = isinstance(plain.get("t"), str) and plain["t"] in ASKS
        return Unfit(ask, Reason.BAD_MESSAGE if known else Reason.UNKNOWN_TYPE, why)


ASKS = frozenset(kind.__struct_config__.tag for kind in ClientMessage.__args__)
CODECS = {MSGPACK: Codec(MSGPACK), JSON: Codec(JSON)}
