"""Makes the answers to plain HTTP requests, and sends each at the pace of its reader.

The websocket library would bound both by the time of a handshake: 5 s for making and sending a page, and 2 s for what
is left in its buffer. A large export, or a page on a slow line, was cut off in the middle.
"""

import asyncio
import http
from collections.abc import Awaitable, Iterable, Iterator
from typing import Any

from websockets.http11 import Response

from photofinish.gateway.http.routes import reply
from photofinish.gateway.sockets.connection import Connection

MAKING_SECONDS = 30.0
"""A page that takes longer to make is answered by 503. What others wait for too is made all the same."""
READING_SECONDS = 30.0
"""A reader that does not take `CHUNK` bytes in this time is cut off."""
CHUNK = 64 * 1024
MOST_BYTES = 128 << 20
"""Bytes of all pages that are being sent. Above it the address that holds the most is cut off, its oldest page first:
before, 400 readers that read nothing held 400 copies of a replay for as long as they liked."""
BUSY = b"This takes longer than usual. Try again in a few seconds.\n"


class Deliveries:
    def __init__(self) -> None:
        self._connections: set[Connection] = set()
        self._sending: dict[Connection, bytes | bytearray] = {}
        """The bodies that are being sent, the oldest first."""

    async def answer(self, connection: Connection, making: Awaitable[Response]) -> Response:
        """Send the page and close the connection. The library finds it closed and sends nothing more."""
        self._connections.add(connection)
        try:
            page = await _made(connection, making)
            page.headers["Server"] = "photofinish"
            self._sending[connection] = page.body
            self._bound()
            await _send(connection, page)
        finally:
            self._connections.discard(connection)
            self._sending.pop(connection, None)
        return page

    def _bound(self) -> None:
        """Cut off readers until the pages that are being sent take no more than `MOST_BYTES`."""
        while self._sending and _size(self._sending.values()) > MOST_BYTES:
            by_address: dict[str, list[Connection]] = {}
            for connection in self._sending:
                by_address.setdefault(connection.address, []).append(connection)
            worst = max(by_address.values(), key=lambda it: _size(self._sending[one] for one in it))
            del self._sending[worst[0]]
            worst[0].transport.abort()

    def stop(self) -> None:
        """Cut off all readers."""
        for connection in list(self._connections):
            connection.transport.abort()


def _size(bodies: Iterable[bytes | bytearray]) -> int:
    """Bytes in memory: a page that is kept for all its readers counts once."""
    return sum({id(it): len(it) for it in bodies}.values())


async def _made(connection: Connection, making: Awaitable[Response]) -> Response:
    task = asyncio.ensure_future(making)
    either: set[asyncio.Future[Any]] = {task, connection.connection_lost_waiter}
    try:
        await asyncio.wait(either, timeout=MAKING_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
    finally:
        task.cancel()
    busy = reply(http.HTTPStatus.SERVICE_UNAVAILABLE, BUSY, "text/plain")
    busy.headers["Retry-After"] = "5"
    return busy


async def _send(connection: Connection, page: Response) -> None:
    lost = connection.connection_lost_waiter
    try:
        for chunk in _chunks(page):
            if lost.done():
                return
            connection.transport.write(chunk)
            async with asyncio.timeout(READING_SECONDS):
                await connection.drain()
        if connection.transport.can_write_eof():
            connection.transport.write_eof()
        else:  # TLS
            connection.transport.close()
        async with asyncio.timeout(READING_SECONDS):
            await asyncio.shield(lost)
    except (TimeoutError, OSError):
        connection.transport.abort()
        await asyncio.shield(lost)


def _chunks(page: Response) -> Iterator[bytes | memoryview]:
    """The status line and the headers, then the body. It may be large, so it is not copied as a whole."""
    yield Response(page.status_code, page.reason_phrase, page.headers).serialize()
    body = memoryview(page.body)
    for at in range(0, len(body), CHUNK):
        yield body[at : at + CHUNK]
