"""The address that the client under test gets: frames pass to a real server and back, and are written down."""

import asyncio
import contextlib
import time
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Protocol

import msgspec
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as connect_to
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from photofinish_protocol.version import JSON, MSGPACK, SUBPROTOCOLS

Message = dict[str, Any]


class Frame(NamedTuple):
    """One message as it passed. `socket` counts the connections of the client from 0."""

    at: float
    socket: int
    side: Literal["client", "server"]
    message: Message


class Cut(Exception):  # noqa: N818 - an event, not an error
    """The line is to be cut now; with a code, closed with a close frame."""

    def __init__(self, code: int | None = None) -> None:
        super().__init__(code)
        self.code = code


class Trouble(Protocol):
    """What happens to the messages of the server on their way."""

    def server(self, message: Message, socket: int) -> Sequence["Message | Cut"]:
        """What is handed to the client in place of this message. A `Cut` ends the connection there."""


class Line:
    """All connections of one client in one situation."""

    def __init__(self, target: str, trouble: Trouble) -> None:
        self.frames: list[Frame] = []
        self.opened: list[float] = []
        self.closed: list[float] = []
        self._target, self._trouble = target, trouble
        self._server: Server | None = None

    @property
    def url(self) -> str:
        assert self._server is not None
        return f"ws://127.0.0.1:{next(iter(self._server.sockets)).getsockname()[1]}"

    async def open(self, port: int = 0) -> None:
        self._server = await serve(
            self._connected, "127.0.0.1", port, compression=None, max_size=None, close_timeout=1,
            subprotocols=[Subprotocol(it) for it in SUBPROTOCOLS], ping_interval=None,
        )  # fmt: skip

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._server.wait_closed(), 3)

    async def quiet(self) -> None:
        """Returns when the client has no connection open."""
        while len(self.closed) < len(self.opened):  # noqa: ASYNC110 - looked at once in a while, by one examiner
            await asyncio.sleep(0.02)

    async def _connected(self, client: ServerConnection) -> None:
        number = len(self.opened)
        self.opened.append(time.monotonic())
        spoken = client.subprotocol or Subprotocol(MSGPACK)
        try:
            async with connect_to(
                self._target, subprotocols=[spoken], compression=None, max_size=None, close_timeout=1
            ) as server:
                pumps = [
                    asyncio.create_task(self._up(client, server, number)),
                    asyncio.create_task(self._down(server, client, number, is_text=spoken == JSON)),
                ]
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
                for pump in pumps:
                    pump.cancel()
                await asyncio.gather(*pumps, return_exceptions=True)
        finally:
            self.closed.append(time.monotonic())

    async def _up(self, client: ServerConnection, server: ClientConnection, number: int) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for raw in client:
                self._note(number, "client", _read(raw))
                await server.send(raw)

    async def _down(
        self, server: ClientConnection, client: ServerConnection, number: int, *, is_text: bool
    ) -> None:
        try:
            async for raw in server:
                for message in self._trouble.server(_read(raw), number):
                    if isinstance(message, Cut):
                        raise message
                    self._note(number, "server", message)
                    await client.send(_write(message, is_text=is_text))
        except Cut as cut:
            if cut.code is None:
                client.transport.abort()
            else:
                await client.close(cut.code)
        except ConnectionClosed:
            pass
        else:
            await client.close(server.close_code or 1006 if server.close_code != 1006 else 1011)

    def _note(self, number: int, side: Literal["client", "server"], message: Message) -> None:
        self.frames.append(Frame(time.monotonic(), number, side, message))


def _read(raw: bytes | str) -> Message:
    try:
        read = msgspec.json.decode(raw) if isinstance(raw, str) else msgspec.msgpack.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        read = None
    return read if isinstance(read, dict) else {"t": "?"}


def _write(message: Message, *, is_text: bool) -> bytes | str:
    return msgspec.json.encode(message).decode() if is_text else msgspec.msgpack.encode(message)
