"""A server that is told to stop stops within ten seconds, whatever Redis does. Real processes."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from photofinish_protocol.version import JSON
from tests.attacks.test_limits import request
from tests.store.servers import HOST, free_port
from tests.store.servers import server as redis_server
from tests.system.conftest import ServerProcess

pytestmark = pytest.mark.system
LONGEST = 10.0
"""Seconds."""


@contextlib.asynccontextmanager
async def players(url: str):
    """Two at a table, and one whose new room the store does not answer for."""
    async with contextlib.AsyncExitStack() as stack:
        many: list[ClientConnection] = []
        for n in range(3):
            one = await stack.enter_async_context(
                connect(url, subprotocols=[Subprotocol(JSON)], compression=None, proxy=None, close_timeout=1)
            )
            await request(one, 0, "hello", v=1, name=f"P{n}")
            many.append(one)
        room = (await request(many[0], 1, "create", game="cambio", seats=2))["got"]["room"]
        await request(many[1], 1, "join", room=room)
        yield many


def seconds_to_stop(server: ServerProcess) -> float:
    began = time.monotonic()
    server.stop(timeout=60)
    return time.monotonic() - began


async def knock_about(many: list[ClientConnection]) -> None:
    """Everybody asks for something that has to be stored."""
    await many[0].send(json.dumps({"t": "ready", "id": 2}))
    await many[2].send(json.dumps({"t": "create", "id": 1, "game": "cambio"}))
    await asyncio.sleep(0.3)  # until the requests are on their way to the store; nothing tells


async def test_the_server_stops_while_the_embedded_redis_hangs(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path).start()
    async with players(server.url) as many:
        os.kill(server.redis_pid, signal.SIGSTOP)
        await knock_about(many)

        assert await asyncio.to_thread(seconds_to_stop, server) < LONGEST
    assert "Traceback" not in server.log


@pytest.fixture
def foreign_redis(tmp_path: Path) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    port = free_port()
    with redis_server(tmp_path / "redis", port) as process:
        yield port, process
        process.send_signal(signal.SIGCONT)


async def test_the_server_stops_while_redis_hangs(
    tmp_path: Path, foreign_redis: tuple[int, subprocess.Popen[bytes]]
) -> None:
    port, process = foreign_redis
    server = ServerProcess(tmp_path, "--redis", f"redis://{HOST}:{port}").start()
    async with players(server.url) as many:
        process.send_signal(signal.SIGSTOP)
        await knock_about(many)

        assert await asyncio.to_thread(seconds_to_stop, server) < LONGEST
    assert "Traceback" not in server.log


def read_only(client: redis.Redis) -> None:
    client.replicaof(HOST, str(free_port()))


def full(client: redis.Redis) -> None:
    client.config_set("maxmemory", 1)


def paused(client: redis.Redis) -> None:
    """Reads are answered, writes wait."""
    client.client_pause(60_000, all=False)


@pytest.mark.parametrize("state", [read_only, full, paused])
async def test_the_server_stops_while_redis_takes_no_write(
    tmp_path: Path,
    foreign_redis: tuple[int, subprocess.Popen[bytes]],
    state: Callable[[redis.Redis], None],
) -> None:
    port, _ = foreign_redis
    server = ServerProcess(tmp_path, "--redis", f"redis://{HOST}:{port}").start()
    async with players(server.url) as many:
        with redis.Redis(HOST, port) as client:
            state(client)
        await knock_about(many)

        assert await asyncio.to_thread(seconds_to_stop, server) < LONGEST
    assert "Traceback" not in server.log


async def test_two_workers_stop_while_redis_hangs(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, "--workers", "2").start()
    async with players(server.url) as many:
        os.kill(server.redis_pid, signal.SIGSTOP)
        await knock_about(many)

        assert await asyncio.to_thread(seconds_to_stop, server) < LONGEST


async def test_a_sighup_without_a_certificate_changes_nothing(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path).start()
    async with players(server.url) as many:
        os.kill(server.pid, signal.SIGHUP)
        for n in range(2, 12):
            assert (await request(many[1], n, "ready", ready=bool(n % 2)))["t"] == "ack"
            await asyncio.sleep(0.05)
    assert "SIGHUP" in server.log
    assert server.stop() == 0


async def test_a_sighup_to_the_parent_of_two_workers_changes_nothing(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, "--workers", "2").start()
    async with players(server.url) as many:
        os.kill(server.pid, signal.SIGHUP)
        for n in range(2, 12):
            assert (await request(many[1], n, "ready", ready=bool(n % 2)))["t"] == "ack"
            await asyncio.sleep(0.05)
    assert server.stop() == 0
