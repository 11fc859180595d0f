"""The frames that we send, as bytes: headers, pings and padding (RFC 6455 §5.2, unmasked). And one HTTP answer."""

import secrets
import struct
from collections.abc import Iterator

from photofinish.gateway.sockets.frame_scanner import FIN, PING, PONG
from photofinish.gateway.sockets.trigger import PAD

EXTENDED, LARGE = 126, 1 << 16
"""From these sizes on a header is longer, and still longer."""
PAYLOAD = 8
"""Bytes of a ping's payload."""
PING_HEAD = bytes((FIN | PING, PAYLOAD))
PAD_FRAME = bytes((FIN | PONG, len(PAD))) + PAD
"""An unsolicited pong."""
TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Type: text/plain\r\n"
    b"Content-Length: 35\r\n\r\nThe request is larger than 16 KiB.\n"
)
medium_header = struct.Struct("!BBH").pack
"""The header of a frame of `EXTENDED` to `LARGE` bytes: first byte, `EXTENDED`, size."""


def header(size: int, opcode: int) -> bytes:
    if size < EXTENDED:
        return bytes((opcode, size))
    if size < LARGE:
        return medium_header(opcode, EXTENDED, size)
    return struct.pack("!BBQ", opcode, 127, size)


def _random_payloads() -> Iterator[bytes]:
    """Payloads of pings. Random bytes are taken in bulk: one system call for 256 pings."""
    while True:
        bulk = secrets.token_bytes(PAYLOAD * 256)
        for at in range(0, len(bulk), PAYLOAD):
            yield bulk[at : at + PAYLOAD]


payloads = _random_payloads()
