"""A real server in the test's own process, on the real Redis, and clients from many addresses."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from photofinish.app import App, running
from photofinish.config import Settings
from photofinish_protocol.version import JSON
from tests.waiting import within


@contextlib.asynccontextmanager
async def local_server(redis_url: str, **settings: Any) -> AsyncIterator[App]:
    async with running(Settings(**{"port": 0, "redis": redis_url, "metrics_port": 0, **settings})) as app:
        yield app


def open_websocket(
    app: App, come_from: str = "127.0.0.1", words: tuple[str, ...] = (), **headers: str
) -> connect:
    """Open a websocket from this address with these headers and further subprotocols."""
    return connect(
        app.url,
        subprotocols=[Subprotocol(name) for name in (*words, JSON)],
        additional_headers={name.replace("_", "-"): value for name, value in headers.items()},
        local_addr=(come_from, 0),
        compression=None,
        proxy=None,
    )


async def answer(app: App, come_from: str = "127.0.0.1", words: tuple[str, ...] = (), **headers: str) -> int:
    """The HTTP status of a handshake: 101 if it is admitted."""
    try:
        async with open_websocket(app, come_from, words, **headers):
            return 101
    except InvalidStatus as refused:
        assert refused.response.body, "no sentence"  # noqa: PT017 - most tests want only the status
        return refused.response.status_code


async def fetch(app: App, path: str, come_from: str = "127.0.0.1", **headers: str) -> tuple[int, str]:
    """A page, as a browser gets it: status and everything that was sent."""
    host, _, port = app.url.removeprefix("ws://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port), local_addr=(come_from, 0))
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}:{port}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    async with within(f"the whole page {path}"):
        said = (await reader.read()).decode()
    writer.close()
    await writer.wait_closed()
    return int(said.split()[1]), said


async def open_many(
    stack: contextlib.AsyncExitStack, app: App, count: int, come_from: str
) -> list[ClientConnection]:
    return [await stack.enter_async_context(open_websocket(app, come_from)) for _ in range(count)]
