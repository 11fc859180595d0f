"""Shaped links without root: TCP proxies in user space that add the delay of their link.

The kernel then sees only the proxy, so the server must run with `--behind-proxy`. A lost packet is a piece that
takes a round trip and 200 ms longer. Uses the same line protocol as the tunnels.
"""

import asyncio
import sys
import time
from collections import deque
from random import Random

import msgspec

from photofinish.lab.net.links.netns import die_with_parent
from photofinish.lab.net.links.shape import (
    LatenessRecorder,
    LinkDirection,
    Shape,
    congestion,
    sharp_loop,
    summary,
)

AGAIN_MS = 200.0
"""How long a kernel waits, besides a round trip, before it sends a lost packet again."""


class ProxyRequest(msgspec.Struct, frozen=True):
    """The first line: the address of the server, and the links."""

    port: int
    shapes: tuple[Shape, ...]


class Ports(msgspec.Struct, frozen=True):
    """The answer: the port for each seat."""

    ports: tuple[int, ...]


class ProxyEnd(asyncio.Protocol):
    """One end of a proxied connection. Bytes that arrive here are sent at the other end after the delay."""

    def __init__(self, link: "Link", *, is_down: bool, other: "ProxyEnd | None" = None) -> None:
        self.link, self.other = link, other
        self._way = link.way(is_down=is_down)
        self._transport: asyncio.Transport | None = None
        self._early: list[bytes | None] = []
        self._under_way: deque[tuple[int, bytes | None]] = deque()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        for data in self._early:
            self.write(data)
        if self.other is None:
            self.other = ProxyEnd(self.link, is_down=True, other=self)
            self.link.connect(self.other)

    def data_received(self, data: bytes) -> None:
        again = self._way.is_lost()
        self.link.noted.lost += again
        more = self._way.shape.rtt_ms + AGAIN_MS if again else 0.0
        self._later(self._way.due(time.perf_counter_ns(), more), data)

    def connection_lost(self, _fault: Exception | None) -> None:
        self._later(self._way.due(time.perf_counter_ns()), None)

    def _later(self, due: int, data: bytes | None) -> None:
        self._under_way.append((due, data))
        asyncio.get_running_loop().call_later((due - time.perf_counter_ns()) / 1e9, self._pass)

    def _pass(self) -> None:
        # Timers that are due together may fire in any order, but the pieces must keep their order.
        due, data = self._under_way.popleft()
        assert self.other is not None
        self.link.noted.note(due, time.perf_counter_ns())
        self.other.write(data)

    def write(self, data: bytes | None) -> None:
        """Send these bytes. None: the other end has closed."""
        if self._transport is None:
            self._early.append(data)
        elif data is None:
            self._transport.close()
        else:
            self._transport.write(data)


class Link:
    """A listening port and the shape of its link."""

    def __init__(self, shape: Shape, port: int, rng: Random, noted: LatenessRecorder) -> None:
        self.shape, self.noted = shape, noted
        self._port, self._rng = port, rng
        self._congested = congestion(rng)
        self._connecting: set[asyncio.Task[object]] = set()

    def way(self, *, is_down: bool) -> LinkDirection:
        return LinkDirection(self.shape, self._rng, is_down=is_down, congested=self._congested)

    def connect(self, half: ProxyEnd) -> None:
        loop = asyncio.get_running_loop()
        task: asyncio.Task[object] = loop.create_task(
            loop.create_connection(lambda: half, "127.0.0.1", self._port)
        )
        self._connecting.add(task)
        task.add_done_callback(self._connecting.discard)


async def run() -> None:
    loop = asyncio.get_running_loop()
    request = msgspec.json.decode(
        await loop.run_in_executor(None, sys.stdin.buffer.readline), type=ProxyRequest
    )
    rng, noted = Random(1), LatenessRecorder()  # noqa: S311 - repeatable on purpose
    links = [Link(shape, request.port, rng, noted) for shape in request.shapes]
    servers = [
        await loop.create_server(lambda link=link: ProxyEnd(link, is_down=False), "127.0.0.1", 0)  # type: ignore[misc]  # bound in the loop on purpose
        for link in links
    ]
    _say(Ports(tuple(server.sockets[0].getsockname()[1] for server in servers)))
    while line := await loop.run_in_executor(None, sys.stdin.buffer.readline):
        _say(summary(noted))
        noted.passed, noted.lost = 0, 0
        noted.late_us.clear()
        for link, shape in zip(links, msgspec.json.decode(line, type=tuple[Shape, ...]), strict=True):
            link.shape = shape
    _say(summary(noted))


def _say(it: msgspec.Struct) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(it) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    die_with_parent()
    with asyncio.Runner(loop_factory=sharp_loop) as runner:
        runner.run(run())
