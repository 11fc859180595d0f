"""Starts the server of a subject with its Redis, each on its core, and the load generator."""

import contextlib
import socket
from dataclasses import dataclass
from pathlib import Path

from photofinish.lab.bench.cpu import pin
from photofinish.lab.bench.subjects import Subject
from photofinish.lab.net.child import Child
from photofinish.store.embedded import EmbeddedRedis

SERVER_CORE, LOAD_CORE = 0, 1
"""The server has a core to itself; Redis and the load generator share the other one."""


@dataclass(frozen=True, slots=True)
class Started:
    urls: list[str]
    pids: dict[str, int]
    """The processes to be measured: `server` (a second one `server 2`), and `redis`."""


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
        case other:
            raise ValueError(other)


async def started_load(stack: contextlib.AsyncExitStack, folder: Path) -> Child:
    generator = Child("load", "-", folder / "load.log", "-m", "photofinish.lab.bench.load")
    load = await stack.enter_async_context(generator)
    pin(load.pid, LOAD_CORE)
    return load


async def _cluster(stack: contextlib.AsyncExitStack, folder: Path, count: int, port: int) -> Started:
    redis = await EmbeddedRedis.start(folder / "redis")
    stack.push_async_callback(redis.stop)
    pin(redis.pid, LOAD_CORE)
    program = ["-m", "photofinish.lab.bench.server", redis.url, str(port)]
    started = await _programs(stack, folder, [program] * count)
    return Started(started.urls, started.pids | {"redis": redis.pid})


async def _programs(stack: contextlib.AsyncExitStack, folder: Path, programs: list[list[str]]) -> Started:
    urls, pids = [], {}
    for number, program in enumerate(programs):
        child = await stack.enter_async_context(Child("server", "-", folder / "server.log", *program))
        urls.append((await child.line()).decode().strip())
        pids["server" if number == 0 else f"server {number + 1}"] = child.pid
        pin(child.pid, SERVER_CORE + number)
    return Started(list(dict.fromkeys(urls)), pids)
