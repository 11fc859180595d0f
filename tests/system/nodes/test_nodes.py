"""Several nodes on one Redis: any player on any node, and the end of a node."""

import asyncio
import socket
import urllib.request
from pathlib import Path

import pytest

from photofinish.games import all_games
from photofinish.replay.verify import Report, verify
from photofinish_client.client import connect
from tests.system.conftest import ServerProcess
from tests.system.ledger import LONG_CAMBIO, QUICK_CAMBIO, Party, fetch_replay, logged_moves

pytestmark = pytest.mark.system


async def checked(url: str, party: Party) -> Report:
    replay = await asyncio.to_thread(fetch_replay, url, party.room)
    report = verify(replay, all_games())
    assert report.faults == []
    assert report.committed == len(party.ledgers)
    assert report.withheld == ()
    for ledger in party.ledgers:
        assert ledger.over is not None
        assert ledger.acknowledged == logged_moves(replay, ledger.seat)
    return report


async def test_players_on_two_nodes_play_one_game(nodes: list[ServerProcess]) -> None:
    party = Party([node.url for node in nodes], "cambio", 4, QUICK_CAMBIO, chance=3)
    await party.play()

    assert (await checked(nodes[1].url, party)).races > 0
    assert all(ledger.cuts == 0 for ledger in party.ledgers)


async def test_when_the_owner_is_killed_the_other_node_continues_the_game(nodes: list[ServerProcess]) -> None:
    party = Party([node.url for node in nodes], "cambio", 4, LONG_CAMBIO, chance=5)
    playing = asyncio.create_task(party.play())
    await party.until_acknowledged(15, playing)
    nodes[0].kill()
    await asyncio.to_thread(nodes[0].start)
    await playing

    await checked(nodes[1].url, party)


async def test_a_node_told_to_stop_hands_its_rooms_over(nodes: list[ServerProcess]) -> None:
    party = Party([node.url for node in nodes], "cambio", 4, LONG_CAMBIO, chance=6)
    playing = asyncio.create_task(party.play())
    await party.until_acknowledged(15, playing)
    loop = asyncio.get_running_loop()
    began = loop.time()
    assert await asyncio.to_thread(nodes[0].stop) == 0
    assert loop.time() - began < 10
    await asyncio.to_thread(nodes[0].start)
    await playing

    await checked(nodes[1].url, party)


async def test_a_client_gets_the_address_of_its_rooms_node_and_reconnects_there(
    tmp_path: Path, redis_url: str
) -> None:
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        port = free_port()
        words = ("--redis", redis_url, "--public-url", f"ws://127.0.0.1:{port}")
        made.append(ServerProcess(tmp_path / name, *words, port=port).start())
    try:
        async with connect(made[0].url, name="Ada") as ada, connect(made[1].url, name="Bo") as bo:
            room = await ada.create("cambio", seats=2)
            await bo.join(room)
            await bo.ready()

            assert bo.url == made[0].url
            assert ada.url == made[0].url
            assert bo.seat == 1
    finally:
        for node in made:
            node.stop()


def free_port() -> int:
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return int(it.getsockname()[1])


async def test_rooms_of_all_nodes_are_listed_everywhere(nodes: list[ServerProcess]) -> None:
    async with connect(nodes[0].url, name="Ada") as ada, connect(nodes[1].url, name="Bo") as bo:
        room = await ada.create("cambio", seats=3)
        assert room in {line.room for line in (await bo.rooms()).rooms}
        await bo.join(room)
        await bo.chat("from over there")

        assert bo.seat == 1
        assert bo.room is not None
        assert [place.name for place in bo.room.seats][:2] == ["Ada", "Bo"]


async def test_four_workers_on_one_port_play_a_game(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, "--workers", "3").start()
    try:
        party = Party(server.url, "cambio", 4, QUICK_CAMBIO, chance=8)
        await party.play()
        await checked(server.url, party)
        page = urllib.request.urlopen(f"http{server.url.removeprefix('ws')}/readyz", timeout=5)  # noqa: ASYNC210
        assert page.read() == b"ready\n"
    finally:
        assert server.stop() == 0
