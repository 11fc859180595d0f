"""HTTP answers take the time that they and their readers need, within limits. A real server and real sockets."""

import asyncio
import http
import socket
import ssl
import time
from pathlib import Path

import pytest
from websockets.http11 import Request, Response

import photofinish.gateway.http.deliveries
import photofinish.gateway.server
from photofinish.app import App
from photofinish.gateway.http.routes import reply
from tests.attacks.local_server import fetch, local_server
from tests.deploy.certificates import certificate
from tests.waiting import until, within

BODY = b"0123456789abcdef" * (1 << 20)
"""16 MB: more than the buffers of both kernels hold."""


class LargePage:
    """A page that takes some time to make. Each reader may get a copy of its own."""

    def __init__(self, seconds: float, *, is_copied: bool = False) -> None:
        self._seconds, self._is_copied = seconds, is_copied

    async def answer(self, _connection: object, _request: Request) -> Response:
        await asyncio.sleep(self._seconds)
        body = bytes(bytearray(BODY)) if self._is_copied else BODY
        return reply(http.HTTPStatus.OK, body, "application/octet-stream")


def give(app: App, seconds: float, *, is_copied: bool = False) -> None:
    """From now on every page of this server is this one."""
    app.gateway.pages = LargePage(seconds, is_copied=is_copied)  # type: ignore[assignment]  # it has the one method


async def request(
    app: App, tls: ssl.SSLContext | None = None, come_from: str = "127.0.0.1"
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A request by a client with a small buffer."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
    sock.bind((come_from, 0))
    sock.setblocking(False)
    await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", app.gateway.ports[0]))
    server_hostname = None if tls is None else "127.0.0.1"
    reader, writer = await asyncio.open_connection(
        sock=sock, limit=1024, ssl=tls, server_hostname=server_hostname
    )
    writer.write(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
    return reader, writer


async def rest_of(reader: asyncio.StreamReader) -> bytes:
    async with within("the answer ends"):
        try:
            return await reader.read()
        except ConnectionError:
            return b""


async def test_a_page_may_take_longer_to_make_than_a_hello(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photofinish.gateway.server, "HELLO_SECONDS", 0.2)
    async with local_server(redis_url) as app:
        give(app, seconds=0.6)
        status, said = await fetch(app, "/large")

        assert status == 200
        assert said.partition("\r\n\r\n")[2].encode() == BODY


@pytest.mark.parametrize("is_tls", [False, True])
async def test_a_reader_that_pauses_for_longer_than_a_close_gets_the_whole_page(
    redis_url: str, tmp_path: Path, is_tls: bool
) -> None:
    """The library closes a connection 2 s after it begins to send, and drops what is left in its buffer."""
    pair = certificate(tmp_path, "live")
    settings = {"tls_cert": pair.cert, "tls_key": pair.key} if is_tls else {}
    async with local_server(redis_url, **settings) as app:
        give(app, seconds=0)
        reader, writer = await request(app, pair.trusting() if is_tls else None)
        await asyncio.sleep(2.5)
        said = await rest_of(reader)
        writer.close()

        assert said.startswith(b"HTTP/1.1 200 OK\r\n")
        assert said.partition(b"\r\n\r\n")[2] == BODY


async def test_a_page_that_takes_too_long_is_answered_by_503(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photofinish.gateway.http.deliveries, "MAKING_SECONDS", 0.2)
    async with local_server(redis_url) as app:
        give(app, seconds=60)
        status, said = await fetch(app, "/large")

        assert status == 503
        assert "Retry-After: 5\r\n" in said
        assert said.endswith("Try again in a few seconds.\n")


async def test_a_reader_that_takes_nothing_is_cut_off(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photofinish.gateway.http.deliveries, "READING_SECONDS", 0.3)
    async with local_server(redis_url) as app:
        give(app, seconds=0)
        reader, writer = await request(app)
        deliveries = app.gateway._deliveries._connections
        await until(lambda: len(deliveries) == 1, "the server sends the page")
        await until(lambda: not deliveries, "the server gives the reader up")
        said = await rest_of(reader)
        writer.close()

        assert len(said) < len(BODY)


@pytest.mark.parametrize("is_copied", [True, False])
async def test_readers_that_hold_many_copies_are_cut_off_and_not_the_others(
    redis_url: str, monkeypatch: pytest.MonkeyPatch, is_copied: bool
) -> None:
    """Each copy stays in memory until its reader has it, and a reader may take hours."""
    monkeypatch.setattr(photofinish.gateway.http.deliveries, "MOST_BYTES", 3 * len(BODY))
    async with local_server(redis_url) as app:
        give(app, seconds=0, is_copied=is_copied)
        sending = app.gateway._deliveries._sending
        honest, writer = await request(app, come_from="127.0.0.9")
        await until(lambda: len(sending) == 1, "the server sends the page")
        slow = [await request(app) for _ in range(4)]
        count = 3 if is_copied else 5
        await until(lambda: len(app.gateway._deliveries._connections) == count, "all are answered or cut off")
        said = await rest_of(honest)
        writer.close()
        for _, other in slow:
            other.close()

        assert said.partition(b"\r\n\r\n")[2] == BODY


@pytest.mark.parametrize("making", [0.0, 60.0])
async def test_a_server_that_stops_does_not_wait_for_pages(redis_url: str, making: float) -> None:
    async with local_server(redis_url) as app:
        give(app, seconds=making)
        _, writer = await request(app)
        await until(lambda: len(app.gateway._deliveries._connections) == 1, "the server has the request")
        began = time.monotonic()
    writer.close()

    assert time.monotonic() - began < 10, "a reader may take 30 s"
