"""Starts the server of a subject with its Redis, each on its core, and the load generator."""

import asyncio
import contextlib
import os
import socket
from dataclasses import dataclass
from pathlib import Path

from photofinish.lab.bench.cpu import pin
from photofinish.lab.bench.subjects import Subject
from photofinish.lab.net.child import Child, ChildEnded
from photofinish.store.embedded.server import EmbeddedRedis

SERVER_CORE, LOAD_CORE = 0, 1
"""The server has a core to itself; Redis and the load generator share the other one."""


@dataclass(frozen=True, slots=True)
class Started:
    urls: list[str]
    pids: dict[str, int]
    """The processes to be measured: `server` (a second one `server 2`), and `redis`."""
    metrics: tuple[int, ...] = ()
    """The ports of our servers' metrics."""


async def started_server(stack: contextlib.AsyncExitStack, subject: Subject, folder: Path) -> Started:
    match subject.server:
        case ("echo", way, loop):
            return await _programs(stack, folder, [["-m", "photofinish.lab.bench.echo", way, loop]])
        case ("nodes", count):
            return await _cluster(stack, folder, int(count), 0)
        case ("workers", count):
            reserved = stack.enter_context(socket.socket())
            reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            reserved.bind(("127.0.0.1", 0))
            return await _cluster(stack, folder, int(count), reserved.getsockname()[1])
        case ("peer", file, way):
            return await _peer(stack, folder, file, way)
        case other:
            raise ValueError(other)


async def started_load(stack: contextlib.AsyncExitStack, folder: Path) -> Child:
    generator = Child("load", "-", folder / "load.log", "-m", "photofinish.lab.bench.load")
    load = await stack.enter_async_context(generator)
    pin(load.pid, LOAD_CORE)
    return load


PEERS = Path("tests/bench/peers")
"""The other game servers. They exist only in a checkout; `make bench-peers` installs what they need."""


async def _peer(stack: contextlib.AsyncExitStack, folder: Path, file: str, way: str) -> Started:
    with (folder / "peer.log").open("ab") as log:
        peer = await asyncio.create_subprocess_exec(
            os.environ.get("NODE", "node"), PEERS / file, way,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=log,
        )  # fmt: skip
    stack.push_async_callback(peer.wait)
    stack.callback(peer.terminate)
    assert peer.stdout is not None
    url = ""
    while not url.startswith("ws://"):
        line = await peer.stdout.readline()
        if not line:
            raise ChildEnded(f"{file} ended: {(folder / 'peer.log').read_text(encoding='utf-8')[-2000:]}")
        url = line.decode().strip()
    pin(peer.pid, SERVER_CORE)
    return Started([url], {"server": peer.pid})


async def _cluster(stack: contextlib.AsyncExitStack, folder: Path, count: int, port: int) -> Started:
    redis = await EmbeddedRedis.start(folder / "redis")
    stack.push_async_callback(redis.stop)
    pin(redis.pid, LOAD_CORE)
    metrics = tuple(free_port() for _ in range(count))
    programs = [["-m", "photofinish.lab.bench.server", redis.url, str(port), str(it)] for it in metrics]
    started = await _programs(stack, folder, programs)
    return Started(started.urls, started.pids | {"redis": redis.pid}, metrics)


def free_port() -> int:
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return int(it.getsockname()[1])


async def _programs(stack: contextlib.AsyncExitStack, folder: Path, programs: list[list[str]]) -> Started:
    urls, pids = [], {}
    for number, program in enumerate(programs):
        child = await stack.enter_async_context(Child("server", "-", folder / "server.log", *program))
        urls.append((await child.line()).decode().strip())
        pids["server" if number == 0 else f"server {number + 1}"] = child.pid
        pin(child.pid, SERVER_CORE + number)
    return Started(list(dict.fromkeys(urls)), pids)
