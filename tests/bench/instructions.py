"""Instructions of a move, in process: they do not depend on what else the machine does.

    python -m tests.bench.instructions [moves]

It needs valgrind. Six rooms of the real server on uvloop play Counter. Each move is given to `data_received` of its
connection. What the server writes to its clients is only kept, and each commit is answered at once with `stored`, so
neither the kernel nor Redis is counted. The figure includes about a tenth for the measurement itself.
"""

import asyncio
import contextlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import uvloop

from photofinish.app import App, running
from photofinish.config import Settings
from photofinish.gateway.sockets.connection import Connection
from photofinish.lab.bench.counter import COUNTER
from photofinish.lab.bench.tables.room import IdleTable
from photofinish.store.embedded.server import EmbeddedRedis
from photofinish.store.scripts import COMMIT
from photofinish.telemetry import set_up_logging
from photofinish_protocol import messages
from photofinish_protocol.codec import CODECS
from photofinish_protocol.version import MSGPACK

ROOMS, SEATS = 6, 4
WARM_UP = 300
"""Moves per room before the count: then every seat has 64 kept answers."""
MOVES = 360
TURNS = 8
"""Turns of the event loop in which all moves are received, stored and shown."""
SETTLE = 1.5
"""Seconds in which the frequent first pings end."""
STORED = b"$6\r\nstored\r\n"


class RecordingTransport:
    """A transport that keeps what is written."""

    def __init__(self, real: Any) -> None:
        self.real = real
        self.writes: list[bytes] = []
        self.write = self.writes.append

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)


class Answering:
    """The transport to Redis. Commits are answered at once; all else goes to Redis."""

    def __init__(self, socket: Any) -> None:
        self.real, self._socket, self.commits = socket._transport, socket, 0

    def write(self, packed: bytes) -> None:
        count = packed.count(COMMIT.sha.encode())
        if count != self._socket._count:
            self.real.write(packed)
            return
        self.commits += count
        asyncio.get_running_loop().call_soon(self._socket.data_received, STORED * count)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)


class Table:
    """The server's side of one room: its connections by seat."""

    def __init__(self, app: App, code: str) -> None:
        actor: Any = next(it._actor for it in app.gateway.sessions.values() if it._actor.code == code)
        sessions = [actor.room.presence.sessions[chair.key] for chair in actor.room.record.chairs]
        self._ids = [app.gateway.sessions[it]._answers.highest for it in sessions]
        sockets: list[Any] = [app.gateway.sessions[it].outbox._socket for it in sessions]
        self._connections: list[Connection] = [it._connection for it in sockets]
        for name in sessions:  # no limit: here a move takes a tenth of the time
            rate = app.gateway.sessions[name]._rate
            rate._size = rate._level = 1e15
        for it in self._connections:
            it.transport = RecordingTransport(it.transport)  # type: ignore[assignment]  # it is only called
        self._moves = 0

    def move(self) -> None:
        seat = self._moves % SEATS
        self._moves += 1
        self._ids[seat] += 1
        payload = CODECS[MSGPACK].encode(messages.Play(id=self._ids[seat], move={"t": "add"}))
        self._connections[seat].data_received(bytes((0x82, 0x80 | len(payload), 0, 0, 0, 0)) + payload)

    def end(self) -> None:
        for it in self._connections:
            it.transport = it.transport.real  # type: ignore[attr-defined]  # a `RecordingTransport`


async def play(moves: int, count: Callable[[Awaitable[None]], Awaitable[None]]) -> None:
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pf-bench-")))
        redis = await EmbeddedRedis.start(folder)
        stack.push_async_callback(redis.stop)
        settings = Settings(port=0, redis=redis.url, metrics_port=0, no_limits=True)
        app = await stack.enter_async_context(running(settings, {COUNTER.key: COUNTER}))
        clients = [IdleTable() for _ in range(ROOMS)]
        for number, it in enumerate(clients):
            await it.open([app.url], number)
        await asyncio.sleep(SETTLE)
        gateway, store = app.gateway, app.directory._store
        for task in app.directory._tasks:  # no renewal joins the commits, and no timer runs while we count
            task.cancel()
        await gateway._parts.events.stop()
        gateway._pings._slots.clear()
        gateway._loop_lag._next.cancel()
        socket: Any = store._client._pipelines[""]._server._socket  # type: ignore[attr-defined]  # it is Redis
        tables = [Table(app, it.room) for it in clients]
        redis_end = socket._transport = Answering(socket)

        async def all_move(times: int) -> None:
            for _ in range(times):
                for table in tables:
                    table.move()
                for _ in range(TURNS):
                    await asyncio.sleep(0)

        await all_move(WARM_UP)
        before = redis_end.commits
        await count(all_move(moves // ROOMS))
        assert redis_end.commits - before == moves, "not every move was stored within its turns"
        for table in tables:
            table.end()
        socket._transport = redis_end.real


async def counted(work: Awaitable[None]) -> None:
    _callgrind("--instr=on")
    await work
    _callgrind("--instr=off")


def _callgrind(order: str) -> None:
    subprocess.run(["callgrind_control", order, str(os.getpid())], check=True, stdout=subprocess.DEVNULL)


def main(moves: int) -> int:
    command = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--callgrind-out-file=/dev/null"]
    program = [sys.executable, "-m", "tests.bench.instructions", "inside", str(moves)]
    ended = subprocess.run(
        [*command, *program],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": "0"},
    )
    found = re.search(r"Collected : (\d+)", ended.stderr)
    if ended.returncode or found is None:
        print(ended.stdout, ended.stderr, file=sys.stderr)  # noqa: T201 - a script
        return 1
    print(f"{int(found[1]) / moves:,.0f} instructions per move")  # noqa: T201 - a script
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["inside"]:
        set_up_logging(is_json=False, is_verbose=False)
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(play(int(sys.argv[2]), counted))
    else:
        sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else MOVES))
