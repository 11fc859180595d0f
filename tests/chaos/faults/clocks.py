"""The wall clock of the server and of Redis is set forward and back during play."""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

from tests.chaos.faults.nodes import KINDS, two_nodes
from tests.chaos.findings import Findings
from tests.chaos.playing_tables import BRISK, RACY, PlayingTables
from tests.chaos.shim import WallClock
from tests.chaos.switchboard import Switchboard
from tests.system.conftest import ServerProcess

STEPS = (-86_400.0, -3_600.0, -60.0, -2.0, -0.01, 0.01, 2.0, 60.0, 3_600.0, 86_400.0)
"""The error of the clock in seconds."""


async def step_clock(
    folder: Path, times: int, chance: random.Random, on_done: Callable[[], None] = lambda: None
) -> Findings:
    """Promise: no order changes, no clock of a game runs out, no player is disconnected."""
    findings = Findings("wall clock steps, one server")
    clock = WallClock(folder)
    server = ServerProcess(folder, env=clock.env).start()
    tables = PlayingTables([server.url], [RACY, RACY, BRISK], findings, chance.randrange(1_000))
    try:
        async with tables.playing():
            for _ in range(times):
                clock.shift(chance.choice(STEPS))
                findings.count("steps")
                findings.time("play went on", await tables.more(5))
                on_done()
    finally:
        server.stop()
    if findings.counts["sockets lost"]:
        findings.wrongs.append("players were cut off because the clock was set")
    findings.limit("play went on", 1.0, 5.0)
    return findings


async def step_clock_of_nodes(
    folder: Path,
    times: int,
    chance: random.Random,
    on_done: Callable[[], None] = lambda: None,
    steps: tuple[float, ...] = STEPS,
) -> Findings:
    """Leases are timed by the clock of Redis. Set it, then kill a node: the other node takes over its rooms at once."""
    findings = Findings("wall clock steps, two nodes, then a kill")
    clock = WallClock(folder)
    async with (
        two_nodes(folder, clock.env) as nodes,
        Switchboard(lambda: [it.port for it in nodes]).open() as board,
    ):
        tables = PlayingTables([board.url], KINDS, findings, chance.randrange(1_000))
        async with tables.playing():
            for _ in range(times):
                await tables.more(5)
                parties, node = tables.seated(), chance.choice(nodes)
                node.freeze()  # so that it cannot correct its leases before it dies
                clock.shift(chance.choice(steps))
                node.kill()
                findings.count("steps with a kill")
                findings.time("every table played on", await tables.each_moves(parties))
                await asyncio.to_thread(node.start)
                on_done()
    findings.limit("every table played on", 1.0, 10.0)
    return findings
