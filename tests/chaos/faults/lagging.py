"""A delayed network between Redis servers. On one machine a replica is never behind, and nothing would be lost.

Each server is reached through a proxy. The proxy delays what a master sends to its replicas, and nothing
else. When the master's machine dies, the delayed bytes are lost.
"""

import asyncio
import contextlib
import threading
from collections import deque
from types import TracebackType
from typing import Self

from tests.store.servers import HOST

A_REPLICA = b"PSYNC"
"""A connection that sends this is a replica's."""


class _Link:
    """One connection through a proxy."""

    def __init__(self, lag: float, near: asyncio.StreamWriter, far: asyncio.StreamWriter) -> None:
        self._lag, self._near, self._far = lag, near, far
        self._on_the_way: deque[bytes] = deque()
        self._is_replica = False

    async def up(self, reader: asyncio.StreamReader) -> None:
        while some := await reader.read(65_536):
            self._is_replica |= A_REPLICA in some
            self._far.write(some)

    async def down(self, reader: asyncio.StreamReader) -> None:
        while some := await reader.read(65_536):
            if self._is_replica and self._lag:
                self._on_the_way.append(some)
                asyncio.get_running_loop().call_later(self._lag, self._arrive)
            else:
                self._near.write(some)

    def _arrive(self) -> None:
        if self._on_the_way:
            self._near.write(self._on_the_way.popleft())

    def cut(self) -> None:
        self._on_the_way.clear()
        for writer in (self._near, self._far):
            writer.transport.abort()


class DelayingProxies:
    """Call it with a server's port to get the port of its proxy.

    It runs in its own thread, so tests that block do not stop it.
    """

    def __init__(self, lag: float) -> None:
        self._lag = lag
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxies")
        self._links: dict[int, set[_Link]] = {}
        self._servers: list[asyncio.Server] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def __call__(self, own: int) -> int:
        return asyncio.run_coroutine_threadsafe(self._open(own), self._loop).result(10)

    def cut(self, own: int) -> None:
        """Cut off that server as if its machine had died: the delayed bytes are dropped."""

        async def now() -> None:
            for link in self._links[own]:
                link.cut()

        asyncio.run_coroutine_threadsafe(now(), self._loop).result(10)

    async def _open(self, own: int) -> int:
        self._links[own] = set()

        async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                back, far = await asyncio.open_connection(HOST, own)
            except OSError:
                writer.transport.abort()
                return
            link = _Link(self._lag, writer, far)
            self._links[own].add(link)
            ways = [asyncio.ensure_future(link.up(reader)), asyncio.ensure_future(link.down(back))]
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            link.cut()
            self._links[own].discard(link)

        server = await asyncio.start_server(carry, HOST, 0)
        self._servers.append(server)
        return int(server.sockets[0].getsockname()[1])

    async def _close(self) -> None:
        for server in self._servers:
            server.close()
        for links in self._links.values():
            for link in links:
                link.cut()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        if others:
            await asyncio.wait(others, timeout=5)
