"""A Redis master is killed during play and a replica takes over: counts losses, measures the interruption."""

import asyncio
import contextlib
import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from photofinish.store.keys import room_of
from photofinish.store.ports import RoomId
from tests.chaos.faults.lagging import DelayingProxies
from tests.chaos.findings import Findings
from tests.chaos.playing_tables import BRISK, RACY, PlayingTables
from tests.chaos.playing_tables import Kind as Game
from tests.store.many.fleets import (
    ClusterFleet,
    RedisServer,
    SentinelFleet,
    cluster_with_replicas,
    under_sentinels,
)
from tests.system.conftest import ServerProcess
from tests.waiting import wait_until

LAG = 0.02
"""Seconds that a replica is behind its master, as between two distant machines, or near ones that are busy."""
REPLICAS = {"sentinel": 2, "cluster": 1}
"""Replicas per master. Only what all of them have survives every failover."""
KINDS = (RACY, BRISK, BRISK, BRISK)

Kind = Literal["sentinel", "cluster"]
Servers = SentinelFleet | ClusterFleet


async def fail_over(
    folder: Path,
    times: int,
    chance: random.Random,
    on_done: Callable[[], None] = lambda: None,
    *,
    kind: Kind = "sentinel",
    wait: int = 0,
    nodes: int = 1,
    kinds: Sequence[Game] = KINDS,
) -> Findings:
    """If every replica must confirm: 0 acknowledged moves lost.

    Otherwise losses are counted, and every game must verify.
    """
    is_sure = wait >= REPLICAS[kind]
    findings = Findings(f"{kind} failover, --redis-wait {wait}, {nodes} node{'s' * (nodes > 1)}")
    with (
        DelayingProxies(LAG) as proxies,
        _fleet(kind, folder, proxies) as fleet,
        _served(folder, fleet, wait, nodes) as servers,
    ):
        urls = [it.url for it in servers]
        tables = PlayingTables(urls, kinds, findings, chance.randrange(1_000), may_lose=not is_sure)
        async with tables.playing():
            for _ in range(times):
                await tables.more(20)
                await asyncio.sleep(chance.uniform(0, 0.1))  # any moment
                await _lose_master(fleet, proxies, tables, findings, chance)
                on_done()
        for server in servers:
            findings.count("rooms that went back", server.log.count("room went back"))
            findings.count("rooms quarantined", server.log.count("room quarantined"))
        alive = fleet.promotions() - findings.counts["failovers"]
        findings.count("masters replaced though they were alive", alive)
    if findings.counts["rooms quarantined"]:
        findings.wrongs.append("a failover is no bug of a game: no room may be quarantined for it")
    if is_sure and findings.counts["rooms that went back"]:
        findings.wrongs.append("a room went back although every replica had confirmed every move")
    return findings


async def _lose_master(
    fleet: Servers, proxies: DelayingProxies, tables: PlayingTables, findings: Findings, chance: random.Random
) -> None:
    """One failover: from the death of a master until every table plays and every server is up again."""
    parties = tables.seated()
    victim = await asyncio.to_thread(
        _master, fleet, chance.choice([it.room for it in parties.values()] or ["FOX"])
    )
    began = time.monotonic()
    proxies.cut(victim.own)
    victim.kill()
    findings.count("failovers")
    playing = asyncio.create_task(tables.each_moves(parties))
    await asyncio.to_thread(wait_until, lambda: _is_replaced(fleet, victim), "another one is master")
    findings.time("another server was master", time.monotonic() - began)
    await asyncio.to_thread(fleet.start_again, victim)
    await playing
    findings.time("every table played on", time.monotonic() - began)
    findings.time("seats back, of those cut off", *tables.absences(parties, began))
    await asyncio.to_thread(wait_until, fleet.is_whole, "everybody is there again")


def _master(fleet: Servers, room: str) -> RedisServer:
    return fleet.master if isinstance(fleet, SentinelFleet) else fleet.of_key(room_of(RoomId(room)))


def _is_replaced(fleet: Servers, victim: RedisServer) -> bool:
    if isinstance(fleet, SentinelFleet):
        return fleet.master is not victim
    return len(fleet.masters) == 3


@contextlib.contextmanager
def _fleet(kind: Kind, folder: Path, proxies: DelayingProxies) -> Iterator[Servers]:
    if kind == "sentinel":
        with under_sentinels(folder / "redis", proxies) as sentinels:
            yield sentinels
    else:
        with cluster_with_replicas(folder / "redis", proxies) as cluster:
            yield cluster


@contextlib.contextmanager
def _served(folder: Path, fleet: Servers, wait: int, nodes: int) -> Iterator[list[ServerProcess]]:
    servers = []
    try:
        for place in range(nodes):
            (folder / f"node{place}").mkdir()
            words = ("--redis", fleet.url, "--redis-wait", str(wait))
            servers.append(ServerProcess(folder / f"node{place}", *words).start())
        yield servers
    finally:
        for server in servers:
            server.stop()
