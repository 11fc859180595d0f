"""A websocket client that costs as little as possible: the load generator must not be what is measured.

It masks with zeros, which is allowed and makes masking free, and it reads only unfragmented frames, as our servers
send them.
"""

import asyncio
import struct
from collections.abc import Callable
from typing import cast
from urllib.parse import urlsplit

TEXT, BINARY, CLOSE, PING, PONG = 0x1, 0x2, 0x8, 0x9, 0xA
FIN, MASKED = 0x80, 0x80
SHORT, MEDIUM = 126, 127
NO_MASK = bytes(4)
END = b"\r\n\r\n"

OnFrame = Callable[["Socket", bytes], None]


class SocketEnded(Exception):  # noqa: N818 - the fact itself
    """The server closed a connection, or did not accept it."""


class Socket(asyncio.Protocol):
    """One connection. Each frame with data is given to `on_frame`; pings are answered."""

    def __init__(self, on_frame: OnFrame) -> None:
        self.on_frame = on_frame
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.frames = self.bytes = 0
        self.why = ""
        self._transport: asyncio.Transport | None = None
        self._rest = b""

    @classmethod
    async def connect(cls, url: str, on_frame: OnFrame, subprotocol: str = "") -> "Socket":
        parts = urlsplit(url)
        assert parts.hostname is not None, url
        assert parts.port is not None, url
        loop = asyncio.get_running_loop()
        _, socket = await loop.create_connection(lambda: cls(on_frame), parts.hostname, parts.port)
        target = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
        lines = [
            f"GET {target} HTTP/1.1", f"Host: {parts.netloc}", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13",
            *([f"Sec-WebSocket-Protocol: {subprotocol}"] if subprotocol else []),
        ]  # fmt: skip
        socket._write("\r\n".join([*lines, "", ""]).encode())  # noqa: SLF001 - its own class
        await asyncio.wait_for(socket.opened, 30)
        return socket

    def send(self, payload: bytes, opcode: int = BINARY) -> None:
        size = len(payload)
        if size < SHORT:
            head = bytes((FIN | opcode, MASKED | size))
        else:
            head = struct.pack("!BBH", FIN | opcode, MASKED | SHORT, size)
        self._write(head + NO_MASK + payload)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's own class is not a subclass

    def connection_lost(self, exc: Exception | None) -> None:
        self.why = self.why or f"the connection was lost: {exc}"
        self._transport = None
        if not self.opened.done():
            self.opened.set_exception(SocketEnded(self.why))

    def data_received(self, data: bytes) -> None:
        self.bytes += len(data)
        if self._rest:
            data = self._rest + data
        at = 0
        if not self.opened.done():
            at = data.find(END) + len(END)
            if at < len(END):
                self._rest = data
                return
            if not data.startswith(b"HTTP/1.1 101"):
                self.why = data[:80].decode(errors="replace")
                self.opened.set_exception(SocketEnded(self.why))
                return
            self.opened.set_result(None)
        while (end := self._frame(data, at)) is not None:
            at = end
        self._rest = data[at:]

    def _frame(self, data: bytes, at: int) -> int | None:
        """Take the frame that starts at `at`. Returns where it ends, or None if it is not complete."""
        have = len(data)
        if have < at + 2:
            return None
        size, begin = data[at + 1], at + 2
        if size == SHORT:
            begin += 2
            size = int.from_bytes(data[at + 2 : begin])
        elif size == MEDIUM:
            begin += 8
            size = int.from_bytes(data[at + 2 : begin])
        if have < begin + size:
            return None
        opcode, payload = data[at] & 0x0F, data[begin : begin + size]
        if opcode in (BINARY, TEXT):
            self.frames += 1
            self.on_frame(self, payload)
        elif opcode == PING:
            self.send(payload, PONG)
        elif opcode == CLOSE:
            self.why = f"closed by the server: {payload!r}"
        return begin + size

    def _write(self, data: bytes) -> None:
        if self._transport is None:
            raise SocketEnded(self.why)
        self._transport.write(data)
