"""Two nodes on one Redis: one is frozen past its lease, killed, or restarted during play."""

import asyncio
import contextlib
import os
import random
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import redis.asyncio

from photofinish.store.embedded.server import EmbeddedRedis
from photofinish.store.keys import room_of
from photofinish.store.ports import LEASE_MS, RoomId
from tests.chaos.findings import Findings
from tests.chaos.playing_tables import BRISK, LOOK_AGAIN, PATIENCE, RACY, PlayingTables
from tests.chaos.switchboard import Switchboard
from tests.system.conftest import ServerProcess
from tests.system.ledger import Party

EXIT = "a node told to stop has ended"
BACK = "seats back"
FROZEN = 2.8
"""Shortest freeze in seconds: afterwards the node's leases have expired, and the others treat it as dead."""
WORKERS = 3
UP = "worker is up"
KINDS = (RACY, RACY, BRISK, BRISK)


@contextlib.asynccontextmanager
async def two_nodes(folder: Path, env: dict[str, str] | None = None) -> AsyncIterator[list[ServerProcess]]:
    """Each has its own port. `env` is also the environment of their Redis."""
    with _environment(env or {}):
        store = await EmbeddedRedis.start(folder / "redis")
    nodes = []
    try:
        for name in ("north", "south"):
            (folder / name).mkdir()
            nodes.append(ServerProcess(folder / name, "--redis", store.url, env=env).start())
        yield nodes
    finally:
        for node in nodes:
            node.stop()
        await store.stop()


async def freeze_owner(
    folder: Path, times: int, chance: random.Random, on_done: Callable[[], None] = lambda: None
) -> Findings:
    """Promise: 0 stale writes.

    The frozen node finds its rooms taken and tells its players; other players notice nothing.
    """
    findings = Findings("zombie owner")
    async with two_nodes(folder) as nodes:
        tables = PlayingTables([it.url for it in nodes], KINDS, findings, chance.randrange(1_000))
        async with tables.playing():
            for _ in range(times):
                await tables.more(5)
                await asyncio.sleep(chance.uniform(0, 0.1))  # any moment
                frozen, parties, began = chance.choice(nodes), tables.seated(), time.monotonic()
                frozen.freeze()
                try:
                    findings.time("another node owned every room", await _all_taken(folder, parties))
                    await asyncio.sleep(max(0.0, began + FROZEN - time.monotonic()))
                finally:
                    frozen.thaw()
                findings.count("nodes frozen past their leases")
                findings.time("every table played on", await tables.each_moves(parties))
                on_done()
    for node in nodes:
        findings.count("owners that found themselves replaced", node.log.count("room moved on"))
        findings.count("rooms quarantined", node.log.count("room quarantined"))
    return findings


async def restart_nodes(
    folder: Path, times: int, chance: random.Random, on_done: Callable[[], None] = lambda: None
) -> Findings:
    """Promise: 0 hands lost. Each node in turn gets SIGTERM, ends within 10 s, and is started again."""
    findings = Findings("rolling restarts")
    async with two_nodes(folder) as nodes, Switchboard(lambda: [it.port for it in nodes]).open() as board:
        tables = PlayingTables([board.url], KINDS, findings, chance.randrange(1_000))
        async with tables.playing():
            for turn in range(times):
                await tables.more(5)
                node, parties, began = nodes[turn % 2], tables.seated(), time.monotonic()
                code = await asyncio.to_thread(node.stop)
                findings.time(EXIT, time.monotonic() - began)
                if code != 0:
                    findings.wrongs.append(f"a node ended with code {code}")
                await asyncio.to_thread(node.start)
                findings.count("restarts")
                await tables.each_moves(parties)
                findings.time(BACK, *tables.absences(parties, began))
                on_done()
    findings.limit(EXIT, 1.0, 10.0)
    return findings


async def kill_node(
    folder: Path, times: int, chance: random.Random, on_done: Callable[[], None] = lambda: None
) -> Findings:
    """One of two nodes is killed. The other takes over its rooms, and disconnected players reconnect there."""
    findings = Findings("one of two nodes kill -9")
    async with two_nodes(folder) as nodes, Switchboard(lambda: [it.port for it in nodes]).open() as board:
        tables = PlayingTables([board.url], KINDS, findings, chance.randrange(1_000))
        async with tables.playing():
            for _ in range(times):
                await tables.more(5)
                node, parties, began = chance.choice(nodes), tables.seated(), time.monotonic()
                node.kill()
                findings.count("kills")
                findings.time("every table played on", await tables.each_moves(parties))
                findings.time(BACK, *tables.absences(parties, began))
                await asyncio.to_thread(node.start)
                on_done()
    return findings


async def kill_worker(
    folder: Path, times: int, chance: random.Random, on_done: Callable[[], None] = lambda: None
) -> Findings:
    """One of three workers on one port is killed. The others take over its rooms, and it is started again."""
    findings = Findings("one of three workers kill -9")
    server = ServerProcess(folder, "--workers", str(WORKERS)).start()
    tables = PlayingTables([server.url], KINDS, findings, chance.randrange(1_000))
    try:
        async with tables.playing():
            for _ in range(times):
                await tables.more(5)
                parties, began = tables.seated(), time.monotonic()
                os.kill(chance.choice(_workers(server)), signal.SIGKILL)
                findings.count("kills")
                findings.time("every table played on", await tables.each_moves(parties))
                findings.time(BACK, *tables.absences(parties, began))
                while (
                    len(_workers(server)) < WORKERS
                    or server.log.count(UP) < WORKERS + findings.counts["kills"]
                ):
                    assert time.monotonic() - began < PATIENCE, "the worker was not started again"
                    await asyncio.sleep(LOOK_AGAIN)
                findings.time("the worker was up again after the kill", time.monotonic() - began)
                on_done()
    finally:
        server.stop()
    findings.limit(BACK, 0.99, 3.0)
    return findings


def _workers(server: ServerProcess) -> list[int]:
    """The processes of this server's workers, oldest first."""
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text(encoding="ascii").split()
    words = {int(pid): Path(f"/proc/{pid}/cmdline") for pid in children}
    return [pid for pid, line in words.items() if line.exists() and b"--reuse-port" in line.read_bytes()]


async def _all_taken(folder: Path, parties: dict[int, Party]) -> float:
    """Wait until every room's lease was taken or renewed by a node that is not frozen."""
    began = time.monotonic()
    async with redis.asyncio.from_url(_store_url(folder)) as client:
        seconds, micros = await client.time()
        past = seconds * 1000 + micros // 1000 + LEASE_MS
        for party in parties.values():
            while int(await client.hget(room_of(RoomId(party.room)), "until") or past + 1) <= past:
                assert time.monotonic() - began < PATIENCE, "nobody took the frozen node's rooms"
                await asyncio.sleep(LOOK_AGAIN)
    return time.monotonic() - began


def _store_url(folder: Path) -> str:
    """The address of the Redis of `two_nodes`, read from its data folder."""
    return f"unix://{(folder / 'redis' / 'child.lock').read_text(encoding='ascii').split()[1]}/redis.sock"


@contextlib.contextmanager
def _environment(more: dict[str, str]) -> Iterator[None]:
    """The environment for a child of this process."""
    before = dict(os.environ)
    os.environ.update(more)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
