"""HTTP requests that do not end: bounded in bytes, in time, and over all connections of an address. Real sockets."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator

import pytest

from photofinish.app import App
from photofinish.gateway.access.limits import MOST_UNFINISHED
from photofinish.gateway.sockets.connection import MOST_REQUEST
from photofinish_protocol.version import HELLO_SECONDS
from tests.attacks.local_server import answer, fetch, local_server
from tests.waiting import until, within

REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n"
LINE = b"X-A: " + b"a" * 4000 + b"\r\n"


@contextlib.asynccontextmanager
async def wire(app: App, come_from: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    port = app.gateway.ports[0]
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(come_from, 0))
    try:
        yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


async def ending(reader: asyncio.StreamReader) -> bytes:
    """What the server sends until it closes; empty if it resets the connection."""
    try:
        async with within("the server closes the connection", HELLO_SECONDS + 10):
            return await reader.read()
    except ConnectionError:
        return b""


def unfinished(app: App, address: str) -> int:
    """Bytes of unfinished requests that the server holds for this address."""
    return app.gateway._admission._limits._state(address).unfinished


@pytest.mark.parametrize("is_finished", [False, True])
async def test_a_request_of_more_than_16_kib_is_refused(redis_url: str, is_finished: bool) -> None:
    end = b"\r\n" if is_finished else b""
    async with local_server(redis_url) as app, wire(app, "127.0.0.20") as (reader, writer):
        writer.write(REQUEST + LINE * 5 + end)
        said = await ending(reader)

        assert said.startswith(b"HTTP/1.1 431 ")
        assert unfinished(app, "127.0.0.20") == 0
        assert (await fetch(app, "/healthz", "127.0.0.20"))[0] == 200


async def test_one_connection_cannot_make_the_server_hold_more_than_16_kib(redis_url: str) -> None:
    async with local_server(redis_url) as app, wire(app, "127.0.0.21") as (reader, writer):
        writer.write(REQUEST + LINE * 3)
        await until(lambda: unfinished(app, "127.0.0.21") > 12_000, "the server has read the three lines")
        assert unfinished(app, "127.0.0.21") <= MOST_REQUEST
        for _ in range(250):  # the library alone would hold 128 lines of 8 KiB
            writer.write(LINE)
        said = await ending(reader)

        assert said.startswith(b"HTTP/1.1 431 ") or said == b""
        assert unfinished(app, "127.0.0.21") == 0


async def test_all_connections_of_an_address_together_hold_a_bounded_number_of_bytes(redis_url: str) -> None:
    each = len(REQUEST + LINE * 3)
    async with local_server(redis_url) as app, contextlib.AsyncExitStack() as stack:
        wires = [await stack.enter_async_context(wire(app, "127.0.0.22")) for _ in range(60)]
        held = []
        for _, writer in wires:
            writer.write(REQUEST + LINE * 3)
        async with within("the connections above the limit are closed", HELLO_SECONDS):
            done = [asyncio.create_task(reader.read()) for reader, _ in wires]
            while sum(it.done() for it in done) < len(wires) - MOST_UNFINISHED // each:
                held.append(unfinished(app, "127.0.0.22"))
                await asyncio.sleep(0.01)
        refused = sum(it.done() for it in done)
        for it in done:
            it.cancel()

        assert max(held) <= MOST_UNFINISHED
        assert refused >= len(wires) - MOST_UNFINISHED // each
        assert await answer(app, "127.0.0.23") == 101
        assert await answer(app, "127.0.0.22") == 101


async def test_a_request_that_arrives_byte_by_byte_is_closed_in_time(redis_url: str) -> None:
    async with local_server(redis_url) as app, wire(app, "127.0.0.24") as (reader, writer):
        began = time.monotonic()
        end = asyncio.create_task(ending(reader))
        with contextlib.suppress(ConnectionError):
            for byte in REQUEST * 100:
                writer.write(bytes((byte,)))
                await asyncio.sleep(0.1)
                if end.done():
                    break
        await end

        assert HELLO_SECONDS - 1 < time.monotonic() - began < HELLO_SECONDS + 10
        await until(lambda: unfinished(app, "127.0.0.24") == 0, "the server has let go of it", seconds=10)


async def test_bytes_after_a_refused_request_change_nothing(redis_url: str) -> None:
    """The library has answered 400 and waits for the close. Further bytes are dropped."""
    async with local_server(redis_url) as app, wire(app, "127.0.0.25") as (reader, writer):
        writer.write(b"NONSENSE\r\n" + LINE * 3)
        writer.write(LINE * 100)
        await ending(reader)

        assert unfinished(app, "127.0.0.25") == 0
        assert (await fetch(app, "/healthz", "127.0.0.25"))[0] == 200
