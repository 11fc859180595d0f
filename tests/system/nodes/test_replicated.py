"""Whole games on a Redis that has replicas: on a cluster and through Sentinel, and when a master dies under play."""

import asyncio
import random
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from photofinish.games import all_games
from photofinish.replay.verify import verify
from tests.chaos.faults import failovers
from tests.chaos.playing_tables import BRISK
from tests.store.many.fleets import cluster_with_replicas, family
from tests.system.conftest import ServerProcess
from tests.system.ledger import QUICK_CAMBIO, Party, fetch_replay, logged_moves
from tests.waiting import wait_until

pytestmark = pytest.mark.system

CHANCE = 20_262
SHORT = (BRISK,) * 3


@pytest.fixture
def on_cluster(tmp_path: Path) -> Iterator[list[ServerProcess]]:
    """Two nodes on three masters, each with its replica."""
    with cluster_with_replicas(tmp_path / "redis") as fleet:
        nodes = []
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
            words = ("--redis", fleet.url, "--redis-wait", "1")
            nodes.append(ServerProcess(tmp_path / name, *words).start())
        yield nodes
        for node in nodes:
            node.stop()


async def checked(url: str, party: Party) -> None:
    """The replay verifies, and holds exactly the moves that were acknowledged, in everybody's own order."""
    replay = await asyncio.to_thread(fetch_replay, url, party.room)
    assert verify(replay, all_games()).faults == []
    for ledger in party.ledgers:
        assert ledger.over is not None
        assert ledger.acknowledged == logged_moves(replay, ledger.seat)


async def test_players_on_two_nodes_play_to_the_end_on_a_cluster(on_cluster: list[ServerProcess]) -> None:
    """Rooms, mail and the lobby lie on different masters."""
    urls = [node.url for node in on_cluster]
    racing = Party(urls, "cambio", 4, QUICK_CAMBIO | {"target_points": 50}, chance=11)
    brisk = [Party(urls[::-1], BRISK.game, BRISK.seats, BRISK.options, chance) for chance in (12, 13, 14)]
    await asyncio.gather(*(party.play() for party in (racing, *brisk)))

    for party in (racing, *brisk):
        await checked(urls[0], party)
        assert all(ledger.cuts == 0 for ledger in party.ledgers)


async def test_when_sentinels_master_dies_no_acknowledged_move_is_lost(tmp_path: Path) -> None:
    """Both replicas confirm: one is not enough where Sentinel may take a living master for dead."""
    found = await failovers.fail_over(
        tmp_path, 1, random.Random(CHANCE), kind="sentinel", wait=2, kinds=SHORT
    )

    assert found.wrongs == []
    assert found.counts["failovers"] == 1
    assert found.counts["moves acknowledged"] > 50
    assert found.counts["sockets lost"] == 0


async def test_when_a_master_of_a_cluster_dies_no_acknowledged_move_is_lost(tmp_path: Path) -> None:
    found = await failovers.fail_over(tmp_path, 1, random.Random(CHANCE), kind="cluster", wait=1, kinds=SHORT)

    assert found.wrongs == []
    assert found.counts["failovers"] == 1
    assert found.counts["moves acknowledged"] > 50


async def test_a_server_with_too_few_replicas_acknowledges_nothing_says_so_and_continues_when_they_are_back(
    tmp_path: Path,
) -> None:
    with family(tmp_path / "redis", 1) as (master, replica):
        words = ("--redis", f"redis://127.0.0.1:{master.own}", "--redis-wait", "1")
        server = ServerProcess(tmp_path, *words).start()
        try:
            party = Party(server.url, BRISK.game, BRISK.seats, BRISK.options, chance=15)
            playing = asyncio.create_task(party.play())
            await party.until_acknowledged(10, playing)
            replica.freeze()
            try:
                await asyncio.to_thread(wait_until, lambda: "0 of 1 replicas" in ready(server), "it says so")
                before = party.acknowledged
                await asyncio.to_thread(
                    wait_until, lambda: server.log.count("too few replicas") > 0, "so does its log"
                )
                during = party.acknowledged
            finally:
                replica.thaw()
            await playing
            await checked(server.url, party)
            after = ready(server)
        finally:
            assert server.stop() == 0

    assert before == during
    assert after == "ready\n"
    assert all(ledger.cuts == 0 for ledger in party.ledgers)


def ready(server: ServerProcess) -> str:
    with urllib.request.urlopen(f"http{server.url.removeprefix('ws')}/readyz", timeout=10) as page:
        return str(page.read().decode())
