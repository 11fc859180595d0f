"""A power cut during play: server and Redis end at once, and every byte that is not synced is lost."""

import asyncio
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import redis.asyncio
from redis.exceptions import RedisError

from photofinish.store.embedded.binary import find_binary
from tests.chaos.findings import Findings
from tests.chaos.playing_tables import BRISK, LOOK_AGAIN, PATIENCE, RACY, PlayingTables
from tests.chaos.shim import Disk
from tests.system.conftest import ServerProcess

SLOW = 20_000
"""Microseconds added to each sync, so that most cuts fall between a write and its sync."""


async def cut_power(
    folder: Path, times: int, chance: random.Random, on_done: Callable[[], None] = lambda: None
) -> Findings:
    """Promise: no acknowledged move is lost, no room is half written."""
    findings = Findings("power cut")
    disk = Disk(folder, SLOW)
    server = ServerProcess(folder, env=disk.env).start()
    tables = PlayingTables([server.url], [RACY, BRISK, BRISK, BRISK], findings, chance.randrange(1_000))
    try:
        async with tables.playing():
            for _ in range(times):
                await tables.more(10)
                await asyncio.sleep(chance.uniform(0, 0.1))  # any moment of a write or a sync
                parties, cut = tables.seated(), time.monotonic()
                child = server.redis_pid
                server.freeze()  # both at once: a Redis whose server has died would store what it holds
                os.kill(child, signal.SIGKILL)
                server.kill()
                await _is_gone(child)
                forgotten, torn = disk.cut(server.data / "appendonlydir", chance)
                findings.count("power cuts")
                findings.count("bytes not synced, forgotten", forgotten)
                findings.count("bytes not synced, left over", torn)
                await asyncio.to_thread(server.start)
                findings.time("seats back", *await tables.back(parties, cut))
                on_done()
    finally:
        server.stop()
    findings.count("syncs", disk.syncs)
    return findings


async def lost_without_sync(folder: Path) -> int:
    """Keys lost by a Redis that never syncs, although it had acknowledged them.

    Shows that the power cut does lose data.
    """
    disk = Disk(folder)
    words = ["--port", "0", "--unixsocket", str(folder / "s"), "--dir", str(folder), "--save", ""]
    words += ["--appendonly", "yes", "--appendfsync", "no"]
    left: list[int] = []
    for _ in range(2):
        child = await asyncio.create_subprocess_exec(
            find_binary(), *words, stdout=subprocess.DEVNULL, env={**os.environ, **disk.env}
        )
        async with redis.asyncio.from_url(f"unix://{folder / 's'}") as client:
            await _answers(client)
            left.append(await client.dbsize())
            for key in range(100):
                await client.set(f"key {key}", key)
        child.kill()
        await child.wait()
        disk.cut(folder / "appendonlydir", random.Random(1))
    return 100 - left[1]


async def _answers(client: redis.asyncio.Redis) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            await client.ping()
        except RedisError:
            assert time.monotonic() < until, "this Redis does not come up"
            await asyncio.sleep(LOOK_AGAIN)
        else:
            return


async def _is_gone(pid: int) -> None:
    until = time.monotonic() + PATIENCE
    while not _is_dead(pid):
        assert time.monotonic() < until, f"{pid} does not die"
        await asyncio.sleep(LOOK_AGAIN)


def _is_dead(pid: int) -> bool:
    """The process has ended, or is a zombie, which writes nothing."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True
