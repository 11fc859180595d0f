"""The SDK against a real server process: bots, rematches, cuts, restarts, watching, both codecs."""

import asyncio
import io
import random
from collections.abc import Iterator
from typing import Any

import pytest
from rich.console import Console

from photofinish_client import commands
from photofinish_client.bots import RandomPlayer
from photofinish_client.client import Table, connect
from photofinish_client.connection.codec import Encoding
from photofinish_client.errors import CutOff, MoveRefused, RequestRefused, SeatLost
from photofinish_client.headless import bot, deal, play_games
from photofinish_client.player import Decision
from photofinish_client.terminal.app import TableApp
from photofinish_client.terminal.live import bind
from photofinish_protocol.messages import Said, View
from photofinish_protocol.reasons import Close, Reason
from tests.system.conftest import ServerProcess
from tests.waiting import hears, within

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path_factory.mktemp("server"))
    yield process.start()
    process.stop()


@pytest.fixture
def fragile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that a test may kill."""
    process = ServerProcess(tmp_path_factory.mktemp("fragile"))
    yield process.start()
    process.stop()


def player(seed: int) -> RandomPlayer:
    return RandomPlayer(random.Random(seed))


@pytest.mark.parametrize("codec", ["msgpack", "json"])
async def test_three_bots_play_a_game_to_the_end_and_agree_who_won(
    server: ServerProcess, codec: Encoding
) -> None:
    results = await commands.host(
        server.url,
        "cauldron15",
        [player(n) for n in range(3)],
        codec=codec,
        console=Console(file=io.StringIO()),
    )

    overs = [games[0].sitting.over for games in results]
    assert overs[0] is not None
    assert overs == [overs[0]] * 3
    assert all(games[0].sitting.moves > 0 for games in results)


async def test_bots_stay_for_a_rematch(server: ServerProcess) -> None:
    out = io.StringIO()
    results = await commands.host(
        server.url, "cauldron15", [player(5), player(6)], games=2, console=Console(file=out, width=200)
    )

    assert [[game.number for game in games] for games in results] == [[1, 2], [1, 2]]
    assert out.getvalue().count("after") == 2


class CuttingPlayer:
    """Plays like another player, and cuts its own connection after each fixed number of views."""

    def __init__(self, other: RandomPlayer, table: Table, every: int) -> None:
        self._other, self._table, self._every, self._views = other, table, every, 0

    def choose(self, view: View) -> Decision:
        self._views += 1
        if self._views % self._every == 0 and self._table._socket is not None:
            self._table._socket.transport.abort()
        return self._other.choose(view)


async def test_a_player_whose_connection_breaks_often_still_finishes_the_game(server: ServerProcess) -> None:
    tokens: list[str] = []
    async with connect(server.url, name="Ana", keep=tokens.append) as ana, asyncio.TaskGroup() as group:
        room = await ana.create("cauldron15", seats=2)
        other = group.create_task(bot(server.url, room, player(1), "Bo"))
        dealing = group.create_task(deal(ana))
        [played] = await play_games(ana, CuttingPlayer(player(2), ana, every=9))
        await dealing
        [seen_by_bo] = await other

    assert played.cuts >= 2
    assert played.sitting.over == seen_by_bo.sitting.over
    assert len(set(tokens)) == len(tokens) == played.cuts + 1


async def test_a_killed_server_comes_back_and_the_bots_finish_their_game(fragile: ServerProcess) -> None:
    views = asyncio.Semaphore(0)
    async with connect(fragile.url, name="Ana") as ana, asyncio.TaskGroup() as group:
        room = await ana.create("cauldron15", seats=2)
        other = group.create_task(bot(fragile.url, room, player(3), "Bo"))
        dealing = group.create_task(deal(ana))
        playing = group.create_task(play_games(ana, player(4), on_view=lambda _: views.release()))
        for _ in range(10):
            await views.acquire()
        await asyncio.to_thread(fragile.kill)
        await asyncio.to_thread(fragile.start)
        [played] = await playing
        await dealing
        [seen_by_bo] = await other

    assert played.cuts == 1
    assert played.sitting.over is not None
    assert played.sitting.over == seen_by_bo.sitting.over


async def test_a_second_program_takes_over_a_seat_and_the_first_is_told(server: ServerProcess) -> None:
    async with connect(server.url, name="Ana") as first:
        room = await first.create("cambio", seats=2)
        async with connect(server.url, name="Ana", token=first.token) as second:
            assert (second.seat, room) == (0, second.session.welcome.resumed.room)
            async with within("the first program is told"):
                async for _ in first:
                    pass
            with pytest.raises(CutOff) as cut:
                await first.ready()

            assert cut.value.code == Close.TAKEN_OVER
            await second.ready()


async def test_an_invented_token_gives_no_seat(server: ServerProcess) -> None:
    with pytest.raises(SeatLost) as lost:
        async with connect(server.url, name="Eve", token="ABCDE.0000"):
            pass

    assert lost.value.reason is Reason.BAD_TOKEN


async def test_a_refused_move_names_its_reason(server: ServerProcess) -> None:
    async with connect(server.url, name="Ana") as ana:
        await ana.create("cambio", seats=2)
        with pytest.raises(MoveRefused) as early:
            await ana.play({"t": "draw", "from": "main"})
        with pytest.raises(RequestRefused) as alone:
            await ana.start()

    assert early.value.reason is Reason.NOT_STARTED
    assert alone.value.reason in (Reason.NOT_ENOUGH_SEATS, Reason.NOT_READY)
    assert alone.value.retry


async def test_without_a_server_the_client_gives_up_and_says_why() -> None:
    with pytest.raises(CutOff, match="no server at"):
        async with connect("ws://127.0.0.1:9", name="Ana", give_up_after=0.2):
            pass


async def test_the_lists_of_games_and_rooms_are_printed(server: ServerProcess) -> None:
    out = io.StringIO()
    console = Console(file=out, width=200)
    async with connect(server.url, name="Ana") as ana:
        room = await ana.create("cambio", seats=3)
        await commands.games(server.url, console=console)
        await commands.rooms(server.url, game="cambio", console=console)

    assert "cambio" in out.getvalue()
    assert room in out.getvalue()
    assert "2 of 3" in out.getvalue()


async def test_two_players_chat_and_a_watcher_sees_the_deal(server: ServerProcess) -> None:
    async with (
        connect(server.url, name="Ana") as ana,
        connect(server.url, name="Bo", codec="json") as bo,
        connect(server.url, name="Wil") as wil,
    ):
        room = await ana.create("cauldron15", seats=2)
        await bo.join(room)
        await wil.watch(room)
        await bo.chat("good luck")
        async with within("Ana hears what Bo says"):
            heard = await anext(aiter_of(ana, Said))
        await ana.ready()
        await bo.ready()
        await ana.start()
        async with within("the watcher gets a view"):
            seen = await anext(aiter_of(wil, View))
        assert await ana.ping() < 5

    assert (heard.name, heard.text) == ("Bo", "good luck")
    assert seen.you is None
    assert seen.offers == ()


async def aiter_of(table: Table, kind: type) -> Any:
    async for event in table:
        if isinstance(event, kind):
            yield event


async def test_a_person_at_the_terminal_deals_and_plays_against_a_bot_with_the_keyboard(
    server: ServerProcess,
) -> None:
    async with connect(server.url, name="Ana") as ana:
        room = await ana.create("cauldron15", seats=2)
        app = TableApp(may_play=True)
        bind(ana, app)
        async with app.run_test(size=(80, 24)) as pilot, asyncio.TaskGroup() as group:
            group.create_task(bot(server.url, room, player(8), "Bo"))
            await hears(ana, lambda it: it.seats[1].ready)
            await pilot.press("1")
            await hears(ana, lambda it: it.seats[0].ready)
            await pilot.press("3")
            await hears(ana, lambda it: it.phase == "playing")
            presses = 0
            async with within(lambda: f"the game is over; {presses} keys were pressed", 100):
                while ana.room is not None and ana.room.phase == "playing":
                    presses += 1
                    first = next((entry.key for entry in app.menu.entries()), "1")
                    await pilot.press(first, "enter")
            await pilot.pause()

        assert presses > 5
        assert app.view is not None
        assert app.view.over is not None
