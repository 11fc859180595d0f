"""The embedded Redis is killed or paused during play."""

import asyncio
import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import redis.asyncio
from redis.exceptions import RedisError

from tests.chaos import looplag
from tests.chaos.findings import Findings
from tests.chaos.playing_tables import BRISK, LOOK_AGAIN, PATIENCE, RACY, PlayingTables
from tests.system.conftest import ServerProcess

ON = "play went on after Redis answered"
SHORTEST, LONGEST = 0.3, 10.0
"""Lengths of the stalls in seconds; most are short."""


async def kill_redis(
    folder: Path, times: int, chance: random.Random, on_done: Callable[[], None] = lambda: None, acks: int = 0
) -> Findings:
    """Promise: 0 lost, play continues within 2 s after Redis answers.

    Repeats until there are `acks` acknowledgements.
    """
    findings = Findings("Redis kill -9")
    server = ServerProcess(folder).with_numbers().start()
    tables = PlayingTables([server.url], [RACY, *[BRISK] * 4], findings, chance.randrange(1_000))
    try:
        async with tables.playing():
            while findings.counts.get("kills", 0) < times or tables.acknowledged < acks:
                await tables.more(max(10, acks // times) if times else 10)
                await asyncio.sleep(chance.uniform(0, 0.1))  # any moment
                before = server.redis_pid
                os.kill(before, signal.SIGKILL)
                findings.count("kills")
                findings.time("Redis answers again", await _answers(server, before))
                findings.time(ON, await tables.more(1))
                on_done()
        await looplag.note(server, findings)
    finally:
        server.stop()
    findings.limit(ON, 1.0, 2.0)
    if findings.counts.get("sockets lost"):
        findings.wrongs.append("players were cut off because Redis was away")
    return findings


async def stall_redis(
    folder: Path,
    times: int,
    chance: random.Random,
    on_done: Callable[[], None] = lambda: None,
    longest: float = LONGEST,
) -> Findings:
    """Promise: no move is applied twice, however often its commit was sent."""
    findings = Findings("Redis stalls")
    server = ServerProcess(folder).with_numbers().start()
    tables = PlayingTables([server.url], [RACY, RACY, BRISK, BRISK], findings, chance.randrange(1_000))
    try:
        async with tables.playing():
            for _ in range(times):
                await tables.more(5)
                await asyncio.sleep(chance.uniform(0, 0.1))  # any moment
                stall = SHORTEST * (longest / SHORTEST) ** chance.random()
                os.kill(server.redis_pid, signal.SIGSTOP)
                await asyncio.sleep(stall)  # this is the fault itself
                os.kill(server.redis_pid, signal.SIGCONT)
                findings.count("stalls")
                findings.time("stalled for", stall)
                findings.time(ON, await tables.more(1))
                on_done()
        await looplag.note(server, findings)
    finally:
        server.stop()
    findings.limit(ON, 1.0, 2.0)
    findings.count("times the store was found away", server.log.count("store does not answer"))
    return findings


async def _answers(server: ServerProcess, before: int) -> float:
    """Wait until a new Redis process has replaced this one. Returns the seconds it took."""
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE:
        words = (server.data / "child.lock").read_text(encoding="ascii").split()
        if len(words) == 2 and int(words[0]) != before:
            client = redis.asyncio.from_url(server.redis_url)
            try:
                if await client.ping():
                    return time.monotonic() - began
            except (RedisError, OSError):
                pass
            finally:
                await client.aclose()
        await asyncio.sleep(LOOK_AGAIN)
    raise TimeoutError("Redis did not come back")
