"""The SDK's own codec: the `msgpack` package and the standard JSON, so each frame crosses two implementations."""

import json
from typing import Any, Final, Literal, TypeAlias, get_args

import msgpack
import msgspec

from photofinish_protocol.codec import Malformed
from photofinish_protocol.messages import Request, ServerMessage
from photofinish_protocol.version import JSON, MSGPACK

Encoding: TypeAlias = Literal["msgpack", "json"]

MAX_FRAME: Final = 4 * 1024 * 1024
"""The largest frame that is accepted from a server. A complete view of the largest table is far smaller."""
MAX_ITEMS: Final = 65_536
"""The longest list or map in a frame. Without a limit, a few bytes could allocate gigabytes."""


KNOWN: Final = {it.__struct_config__.tag for it in get_args(ServerMessage)}


class ClientCodec:
    """One of the two encodings, on the client's side."""

    def __init__(self, encoding: Encoding) -> None:
        self.is_text: Final = encoding == "json"
        self.subprotocol: Final = JSON if self.is_text else MSGPACK

    def pack(self, request: Request) -> bytes | str:
        """The frame: text for JSON, bytes for msgpack."""
        plain = msgspec.to_builtins(request)
        if self.is_text:
            return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
        frame: bytes = msgpack.packb(plain)
        return frame

    def unpack(self, frame: bytes | str) -> ServerMessage | None:
        """The server's message; None for one whose `t` we do not know: a newer server may send it. Or `Malformed`."""
        if isinstance(frame, str) != self.is_text:
            raise Malformed("a text frame on the msgpack protocol, or a binary one on JSON")
        try:
            plain = self._plain(frame)
            if isinstance(plain, dict) and isinstance(plain.get("t"), str) and plain["t"] not in KNOWN:
                return None
            message: ServerMessage = msgspec.convert(plain, ServerMessage)
        except (ValueError, RecursionError, msgpack.UnpackException) as error:
            raise Malformed(str(error) or type(error).__name__) from error
        return message

    def _plain(self, frame: bytes | str) -> Any:
        if self.is_text:
            return json.loads(frame)
        return msgpack.unpackb(
            frame,
            max_array_len=MAX_ITEMS,
            max_map_len=MAX_ITEMS,
            max_str_len=MAX_FRAME,
            max_bin_len=MAX_FRAME,
            max_ext_len=0,
        )


CODECS: Final[dict[Encoding, ClientCodec]] = {"msgpack": ClientCodec("msgpack"), "json": ClientCodec("json")}
