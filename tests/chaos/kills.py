"""The server is killed with SIGKILL at random moments under play, and started again."""

import asyncio
import random
import time
from collections.abc import Callable
from pathlib import Path

from tests.chaos.crowd import BRISK, RACY, Crowd
from tests.chaos.findings import Findings
from tests.system.conftest import ServerProcess

BACK = "seats back after the kill"
READY = "seats back after the server was up again"


async def kill_server(
    folder: Path, times: int, chance: random.Random, told: Callable[[], None] = lambda: None
) -> Findings:
    """0 acknowledged moves lost, doubled or reordered; seats back within 3 s (p99)."""
    findings = Findings("server kill -9")
    server = ServerProcess(folder).start()
    crowd = Crowd([server.url], [RACY, RACY, BRISK, BRISK], findings, chance.randrange(1_000))
    try:
        async with crowd.playing():
            for _ in range(times):
                await crowd.more(5)
                await asyncio.sleep(chance.uniform(0, 0.3))  # any moment of a move, a commit or a race
                findings.count("kills")
                findings.count("of these while a race was open", crowd.is_racing)
                parties, killed = crowd.seated(), time.monotonic()
                server.kill()
                await asyncio.to_thread(server.start)
                up = time.monotonic()
                waits = await crowd.back(parties, killed)
                findings.time(BACK, *waits)
                findings.time(READY, *(max(0.0, killed + wait - up) for wait in waits))
                told()
    finally:
        server.stop()
    findings.limit(READY, 0.99, 3.0)
    return findings
