"""The disk is full, or a log ends at any byte."""

import asyncio
import contextlib
import os
import random
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from photofinish.replay import log
from photofinish.room.record import unpack
from photofinish.store.embedded.server import EmbeddedRedis
from photofinish.store.ports import NodeId
from photofinish.store.redis import RedisStore
from tests.chaos.findings import Findings
from tests.chaos.playing_tables import BRISK, LOOK_AGAIN, PATIENCE, PlayingTables
from tests.system.conftest import ServerProcess

SIZE = 1 << 20
"""Bytes of the small disk."""
DIED = "the embedded Redis died"
ON = "play went on when there was room"
CUTTER = NodeId("cutter")


def may_mount() -> bool:
    return os.geteuid() == 0 and shutil.which("mount") is not None


@contextlib.contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    folder.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


async def fill_disk(
    folder: Path, times: int, chance: random.Random, on_done: Callable[[], None] = lambda: None
) -> Findings:
    """Promise: no false ack. Play stops while the disk is full, continues when there is space, and nothing is lost."""
    findings = Findings("disk full")
    server = ServerProcess(folder)
    with small_disk(server.data, SIZE * (8 + 4 * times)):
        server.start()
        tables = PlayingTables([server.url], [BRISK] * 3, findings, chance.randrange(1_000))
        try:
            async with tables.playing():
                for _ in range(times):
                    await tables.more(20)
                    ballast = server.data / "ballast"
                    await asyncio.to_thread(_fill, ballast)
                    findings.count("times the disk was full")
                    findings.time("Redis gave up for the third time", await _gives_up(server, 3))
                    ballast.unlink()
                    findings.time(ON, await tables.more(5))
                    on_done()
        finally:
            server.stop()
    findings.count("times Redis was started again", server.log.count(DIED))
    findings.limit(ON, 1.0, 2.0)
    return findings


async def cut_logs(
    folder: Path, times: int, chance: random.Random, on_done: Callable[[], None] = lambda: None
) -> Findings:
    """Promise: an AOF cut at any byte loads, and every room is complete in one of its earlier states."""
    findings = Findings("AOF cut at any byte")
    server = ServerProcess(folder).start()
    tables = PlayingTables([server.url], [BRISK] * 2, findings, chance.randrange(1_000))
    try:
        async with tables.playing():
            await tables.more(60)
            server.kill()  # in the middle of the games, so that their rooms are in the AOF
            await asyncio.to_thread(server.start)
    finally:
        server.stop()
    aof = next((server.data / "appendonlydir").glob("*.incr.aof"))
    whole = aof.read_bytes()
    for turn in range(times):
        place = folder / f"cut {turn}"
        shutil.copytree(server.data, place)
        at = chance.randrange(len(whole))
        (place / "appendonlydir" / aof.name).write_bytes(whole[:at])
        for fault in await _look_at(place, findings):
            findings.wrongs.append(f"cut at byte {at} of {len(whole)}: {fault}")
        findings.count("cuts")
        shutil.rmtree(place)
        on_done()
    return findings


async def _look_at(place: Path, findings: Findings) -> list[str]:
    """Start on what is left, and compare every room's state with its log."""
    faults = []
    redis = await EmbeddedRedis.start(place)
    store = await RedisStore.open(redis.url)
    try:
        await store.reclaim()
        for room in await store.orphans():
            taken = await store.acquire(room, CUTTER)
            if taken is None:
                continue  # announced, but not yet written
            saved = taken[1]
            record = unpack(saved.state)
            findings.count("rooms looked at")
            entries = [entry for _, entry in await store.log(room, record.number)]
            if record.running is None or (record.phase == "over" and not entries):
                continue  # in the lobby, or its log is in the archive already
            key, head = log.chain_key(record.seed), bytes(log.HASH)
            for entry in entries:
                recorded, body, _ = log.read(entry)
                head = log.link(key, head, body)
                if head != recorded:
                    faults.append(f"{room}: the chain is broken")
            if head != record.running.head:
                faults.append(f"{room}: the state is not that of the log")
            findings.count("log entries checked", len(entries))
    finally:
        await store.close()
        await redis.stop()
    return faults


def _fill(ballast: Path) -> None:
    """Fill the disk to the last byte."""
    with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(4096))


async def _gives_up(server: ServerProcess, times: int) -> float:
    """Wait until Redis has ended this often: with `appendfsync always` it ends before it acknowledges what is not
    stored.
    """
    began, before = time.monotonic(), server.log.count(DIED)
    while server.log.count(DIED) < before + times:
        assert time.monotonic() - began < PATIENCE, "Redis plays on with a full disk"
        await asyncio.sleep(LOOK_AGAIN)
    return time.monotonic() - began
