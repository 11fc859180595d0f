"""The server is killed with SIGKILL at random moments during play, and started again."""

import asyncio
import random
import time
from collections.abc import Callable
from pathlib import Path

from tests.chaos import looplag
from tests.chaos.findings import Findings
from tests.chaos.playing_tables import BRISK, RACY, PlayingTables
from tests.system.conftest import ServerProcess

BACK = "seats back after the kill"
START = "the server was up again after the kill"
READY = "seats back after the server was up again"


async def kill_server(
    folder: Path,
    times: int,
    chance: random.Random,
    on_done: Callable[[], None] = lambda: None,
    within: float | None = None,
) -> Findings:
    """0 acknowledged moves lost, doubled or reordered; seats back `within` seconds of the kill (p99).

    Without `within`, as in the test suite, the machine may be busy: seats are back ten seconds after the server is up.
    """
    findings = Findings("server kill -9")
    # An installed server finds its modules compiled, so it does here too, even if this process writes no bytecode.
    compiled = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    server = ServerProcess(folder, env=compiled if within else None).with_numbers().start()
    tables = PlayingTables([server.url], [RACY, RACY, BRISK, BRISK], findings, chance.randrange(1_000))
    try:
        async with tables.playing():
            for _ in range(times):
                await tables.more(5)
                await asyncio.sleep(chance.uniform(0, 0.3))  # any moment of a move, a commit or a race
                findings.count("kills")
                findings.count("of these while a race was open", tables.is_racing)
                await looplag.note(server, findings)
                parties, killed = tables.seated(), time.monotonic()
                server.kill()
                await asyncio.to_thread(server.start)
                up = time.monotonic()
                waits = await tables.back(parties, killed)
                findings.time(BACK, *waits)
                findings.time(START, up - killed)
                findings.time(READY, *(max(0.0, killed + wait - up) for wait in waits))
                on_done()
    finally:
        server.stop()
    findings.limit(READY, 0.99, 10.0 if within is None else 1.5)
    if within is not None:
        findings.limit(BACK, 0.99, within)
    return findings
