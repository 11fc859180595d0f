"""Whole games over real sockets, a real server and a real Redis, also when the server is killed."""

import asyncio

import pytest

from photofinish.games import all_games
from photofinish.replay.verify import Report, verify
from photofinish_client.client import connect
from tests.system.conftest import ServerProcess
from tests.system.ledger import LONG_CAMBIO, QUICK_CAMBIO, Party, fetch_replay, logged_moves

pytestmark = pytest.mark.system


async def test_four_headless_clients_play_cambio_to_the_end_and_the_replay_verifies(
    server: ServerProcess,
) -> None:
    party = Party(server.url, "cambio", 4, QUICK_CAMBIO)
    await party.play()

    outcomes = {ledger.over for ledger in party.ledgers}
    assert len(outcomes) == 1
    assert None not in outcomes
    assert (await checked(server, party)).races > 0


async def test_after_kill_9_the_four_resume_and_finish_the_same_game(server: ServerProcess) -> None:
    party = Party(server.url, "cambio", 4, LONG_CAMBIO, chance=7)
    playing = asyncio.create_task(party.play())
    for moves in (8, 20):  # in the middle of a hand
        await party.until_acknowledged(moves, playing)
        server.kill()
        server.start()
    await playing

    assert all(ledger.over is not None and ledger.cuts >= 2 for ledger in party.ledgers)
    await checked(server, party)


async def checked(server: ServerProcess, party: Party) -> Report:
    """The replay verifies, and holds exactly the moves that were acknowledged, in everybody's own order."""
    replay = await asyncio.to_thread(fetch_replay, server.url, party.room)
    report = verify(replay, all_games())
    assert report.faults == []
    assert report.committed == len(party.ledgers)
    assert report.withheld == ()
    for ledger in party.ledgers:
        assert ledger.acknowledged == logged_moves(replay, ledger.seat)
    return report


async def test_a_second_start_finds_the_games_of_the_first(server: ServerProcess) -> None:
    async with connect(server.url, name="Ada") as table:
        room = await table.create("cambio", seats=2)
        assert await asyncio.to_thread(server.stop) == 0
        await asyncio.to_thread(server.start)

        assert room in {line.room for line in (await table.rooms()).rooms}
        assert table.seat == 0
