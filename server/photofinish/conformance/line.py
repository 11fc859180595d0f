"""A proxy between the client under test and a real server. It passes frames on and records them."""

import asyncio
import contextlib
import socket
import struct
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias
from urllib.parse import urlsplit

import msgspec
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as connect_to
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from photofinish_protocol.version import JSON, MSGPACK, SUBPROTOCOLS

Message = dict[str, Any]
SMALL_BUFFER, SMALL_SEGMENT = 16_384, 1_400
PING_EVERY = 0.4
"""Seconds between two websocket pings to the client."""
LONGEST_MESSAGE = 1 << 17
"""The longest message of the client, in bytes. The server accepts far less; a longer one must not fill our memory."""
MOST_FRAMES = 20_000
"""The largest number of frames and connections recorded in one situation. After it, the connections are aborted.

A client that plays records a few hundred, and the server takes at most 50 messages per second.
"""


class Frame(NamedTuple):
    """One message as it passed. `socket` counts the connections of the client from 0."""

    at: float
    socket: int
    side: Literal["client", "server"]
    message: Message
    is_fit: bool = True
    """It is a text frame on JSON, a binary frame on msgpack, and holds one object of that encoding."""


@dataclass(frozen=True)
class LineCut:
    """The connection is cut here. With a code: closed with a close frame. `half`: in the middle of this message."""

    code: int | None = None
    half: Message | None = None


@dataclass(frozen=True)
class Pause:
    """For this many seconds nothing is passed to the client."""

    seconds: float


@dataclass(frozen=True)
class ToServer:
    message: Message


@dataclass(frozen=True)
class ToClient:
    message: Message


Step: TypeAlias = ToServer | ToClient | LineCut | Pause


class Trouble(Protocol):
    """What happens to the messages on their way."""

    is_narrow: bool
    """The line buffers as little as possible, so that unread frames soon wait in the server."""

    def server(self, message: Message, socket: int) -> Sequence[Step]:
        """What happens in place of this message of the server."""

    def client(self, message: Message, socket: int) -> Sequence[Step]:
        """What happens in place of this message of the client."""


class ClientLine:
    """All connections of one client in one situation. A line can have several addresses, each of one server."""

    def __init__(self, trouble: Trouble) -> None:
        self.frames: list[Frame] = []
        self.opened: list[float] = []
        self.closed: list[float] = []
        self.spoken: list[str] = []
        """The subprotocol of each connection."""
        self.urls: list[str] = []
        """The address that each connection came to."""
        self.pongs: list[float] = []
        """Seconds until each websocket ping was answered, or until the connection ended without an answer."""
        self._trouble = trouble
        self._servers: dict[str, Server] = {}

    async def open(self, target: str) -> str:
        """A new address that leads to `target`."""
        return await self.open_at(lambda: target)

    async def open_at(self, target: "Target") -> str:
        """A new address of a server that is not there yet."""
        url = ""

        async def connected(client: ServerConnection) -> None:
            await self._connected(client, target(), url)

        server = await serve(
            connected, "127.0.0.1", 0, compression=None, max_size=LONGEST_MESSAGE, close_timeout=1,
            subprotocols=[Subprotocol(it) for it in SUBPROTOCOLS], ping_interval=None,
        )  # fmt: skip
        url = f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
        self._servers[url] = server
        return url

    async def shut(self, url: str) -> None:
        """Nobody answers at this address any more."""
        server = self._servers.pop(url)
        server.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(server.wait_closed(), 3)

    async def close(self) -> None:
        for url in list(self._servers):
            await self.shut(url)

    @property
    def _is_full(self) -> bool:
        return len(self.frames) + len(self.opened) >= MOST_FRAMES

    async def quiet(self) -> None:
        """Returns when the client has no connection open."""
        while len(self.closed) < len(self.opened):  # noqa: ASYNC110 - checked rarely, by one examiner
            await asyncio.sleep(0.02)

    async def _connected(self, client: ServerConnection, target: str, url: str) -> None:
        if self._is_full:
            client.transport.abort()
            return
        number = len(self.opened)
        self.opened.append(time.monotonic())
        self.urls.append(url)
        spoken = client.subprotocol or Subprotocol(MSGPACK)
        self.spoken.append(spoken)
        try:
            narrow = await narrow_socket(target) if self._trouble.is_narrow else None
            async with connect_to(
                target, subprotocols=[spoken], compression=None, max_size=None, close_timeout=1,
                max_queue=1 if narrow else 16, sock=narrow,
            ) as server:  # fmt: skip
                pair = _Pair(client, server, number, is_text=spoken == JSON)
                pumps = [asyncio.create_task(it) for it in (self._up(pair), self._down(pair))]
                pings = asyncio.create_task(self._ping(client))
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
                for task in (*pumps, pings):
                    task.cancel()
                await asyncio.gather(*pumps, pings, return_exceptions=True)
        except (OSError, WebSocketException):  # no server answers, as for a client without a line
            client.transport.abort()
        finally:
            self.closed.append(time.monotonic())

    async def _up(self, pair: "_Pair") -> None:
        with contextlib.suppress(ConnectionClosed):
            async for raw in pair.client:
                if self._is_full:
                    pair.client.transport.abort()
                    return
                message, is_fit = _read(raw, is_text=pair.is_text)
                self._note(pair, "client", message, is_fit=is_fit)
                steps = self._trouble.client(message, pair.number)
                if list(steps) == [ToServer(message)]:
                    await pair.server.send(raw)  # byte for byte
                elif await self._take(pair, steps):
                    return

    async def _down(self, pair: "_Pair") -> None:
        try:
            async for raw in pair.server:
                message, _ = _read(raw, is_text=pair.is_text)
                if await self._take(pair, self._trouble.server(message, pair.number)):
                    return
        except ConnectionClosed:
            pass
        code = pair.server.close_code or 1006
        if code == 1006:
            pair.client.transport.abort()
        else:
            await pair.client.close(code)

    async def _take(self, pair: "_Pair", steps: Sequence[Step]) -> bool:
        """Do what the trouble says. True: the connection has ended."""
        for step in steps:
            match step:
                case ToClient(message):
                    self._note(pair, "server", message)
                    await pair.client.send(_write(message, is_text=pair.is_text))
                case ToServer(message):
                    await pair.server.send(_write(message, is_text=pair.is_text))
                case Pause(seconds):
                    await asyncio.sleep(seconds)
                case LineCut(code, half):
                    if half is not None:
                        pair.client.transport.write(half_frame(_write(half, is_text=pair.is_text)))
                        pair.client.transport.close()
                    elif code is None:
                        pair.client.transport.abort()
                    else:
                        await pair.client.close(code)
                    return True
        return False

    async def _ping(self, client: ServerConnection) -> None:
        while True:
            await asyncio.sleep(PING_EVERY)
            began = time.monotonic()
            try:
                await (await client.ping())
            except ConnectionClosed:
                return
            finally:
                self.pongs.append(time.monotonic() - began)

    def _note(
        self, pair: "_Pair", side: Literal["client", "server"], message: Message, *, is_fit: bool = True
    ) -> None:
        self.frames.append(Frame(time.monotonic(), pair.number, side, message, is_fit))


class Target(Protocol):
    def __call__(self) -> str:
        """The address of the server now."""


@dataclass(frozen=True)
class _Pair:
    client: ServerConnection
    server: ClientConnection
    number: int
    is_text: bool


async def narrow_socket(url: str) -> socket.socket:
    """A connection whose kernel buffers little: a small receive buffer and small segments."""
    place = urlsplit(url)
    narrow = socket.socket()
    narrow.setblocking(False)
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
    narrow.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, SMALL_SEGMENT)
    await asyncio.get_running_loop().sock_connect(narrow, (place.hostname or "", place.port or 80))
    return narrow


def half_frame(payload: bytes | str) -> bytes:
    """The first half of a websocket frame of a server."""
    data = payload.encode() if isinstance(payload, str) else payload
    first = 0x81 if isinstance(payload, str) else 0x82
    head = (
        struct.pack("!BB", first, len(data))
        if len(data) < 126
        else struct.pack("!BBH", first, 126, len(data))
    )
    return head + data[: len(data) // 2]


def _read(raw: bytes | str, *, is_text: bool) -> tuple[Message, bool]:
    """The message, and whether the frame is of the encoding that was chosen."""
    try:
        read = msgspec.json.decode(raw) if isinstance(raw, str) else msgspec.msgpack.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        read = None
    is_object = isinstance(read, dict)
    return (read if is_object else {"t": "?"}), is_object and isinstance(raw, str) == is_text


def _write(message: Message, *, is_text: bool) -> bytes | str:
    return msgspec.json.encode(message).decode() if is_text else msgspec.msgpack.encode(message)
