"""A TCP proxy in this process that can cut, delay or block each connection to the servers."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

CHUNK = 65_536


@dataclass(eq=False)
class Link:
    """One connection through the switchboard."""

    down: asyncio.StreamWriter
    """To the client."""
    up: asyncio.StreamWriter
    """To the server."""
    is_open: asyncio.Event = field(default_factory=asyncio.Event)
    """Cleared: nothing passes either way, and neither side is told (half-open)."""
    cut_after: int | None = None
    """Bytes that still pass before the link is cut, perhaps in the middle of a frame."""

    def cut(self) -> None:
        """Reset the connection on both sides."""
        for side in (self.down, self.up):
            side.transport.abort()


class Switchboard:
    """Clients connect here.

    Each is connected to the first server that answers, starting with a different one each time.
    """

    def __init__(self, ports: Callable[[], list[int]]) -> None:
        self._ports = ports
        self._turn = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self.links: set[Link] = set()
        self.port = 0
        self.on_link: Callable[[Link], None] = lambda _: None

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator["Switchboard"]:
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            for link in list(self.links):
                link.cut()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await server.wait_closed()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ports = self._ports()
        self._turn += 1
        for place in range(len(ports)):
            port = ports[(self._turn + place) % len(ports)]
            try:
                server_reader, server_writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                continue
            link = Link(writer, server_writer)
            link.is_open.set()
            self.links.add(link)
            self.on_link(link)
            for pump in (self._pump(link, reader, server_writer), self._pump(link, server_reader, writer)):
                task = asyncio.create_task(pump)
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            return
        writer.transport.abort()

    async def _pump(self, link: Link, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(CHUNK):
                await link.is_open.wait()
                if link.cut_after is not None:
                    writer.write(data[: link.cut_after])
                    link.cut_after -= len(data)
                    if link.cut_after < 0:
                        return
                else:
                    writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            self.links.discard(link)
            await link.is_open.wait()
            _close(link.down)
            _close(link.up)


def _close(writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError, RuntimeError):
        writer.close()
