"""`bot` and `host` as one types them: encoding, number of games, progress on a terminal, who won."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.sync.server import Server, ServerConnection, serve
from websockets.typing import Subprotocol

from photofinish_client import connect
from photofinish_client.bots import RandomPlayer
from photofinish_client.commands import table_line
from photofinish_client.headless import PlayedGame, deal, play_games
from photofinish_client.player import Sitting
from photofinish_protocol.messages import Over
from photofinish_protocol.reasons import Close
from photofinish_protocol.version import SUBPROTOCOLS
from tests.clients.terminal.ptys import terminal
from tests.commands.shell import typed
from tests.forked import Forked
from tests.system.conftest import ServerProcess


class OfferedProtocols:
    """The subprotocols that a client offers to a server that closes each connection for good."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.offers: list[str] = []


@pytest.fixture
def closing_server() -> Iterator[OfferedProtocols]:
    def answer(connection: ServerConnection) -> None:
        assert connection.request is not None
        made.offers.append(connection.request.headers["Sec-WebSocket-Protocol"])
        connection.recv()
        connection.close(Close.MALFORMED, "no message")

    server: Server
    with serve(answer, "127.0.0.1", 0, subprotocols=[Subprotocol(it) for it in SUBPROTOCOLS]) as server:
        made = OfferedProtocols(f"ws://127.0.0.1:{server.socket.getsockname()[1]}")
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield made
        server.shutdown()
        thread.join()


def test_a_bot_uses_msgpack_or_json_and_a_closed_connection_is_one_sentence(
    closing_server: OfferedProtocols,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for more in ("", " --json"):
        done = typed(f"bot {closing_server.url} --room ABCDE{more}", tmp_path, monkeypatch, capsys)
        assert (done.code, done.out) == (1, "")
        assert done.err.startswith("photofinish: ")
        assert done.err.count("\n") == 1

    assert ["json" in it for it in closing_server.offers] == [False, True]


async def test_a_bot_plays_as_many_games_as_were_typed_and_prints_a_line_for_each(
    server: ServerProcess,
) -> None:
    async with connect(server.url, name="Ada") as ada:
        room = await ada.create("cauldron15", seats=2)
        words = ("bot", server.url, "--room", room, "--player", "random", "--name", "Robin 7")
        robin = Forked([*words, "--games", "2"])
        dealing = asyncio.create_task(deal(ada, 2))
        await play_games(ada, RandomPlayer(), games=2)
        await dealing
        code = await asyncio.to_thread(robin.wait, 30)
        assert robin.stdout is not None
        lines = robin.stdout.read().splitlines()
        robin.stdout.close()

    assert code == 0
    assert [it.split(",")[0] for it in lines] == [f"Robin 7: game {n} in {room}" for n in (1, 2)]


async def test_host_on_a_terminal_shows_the_game_that_runs(server: ServerProcess, tmp_path: Path) -> None:
    words = ("host", server.url, "--game", "cauldron15", "--players", "random,random", "--games", "2")
    with terminal(*words, size=(120, 24), state=tmp_path / "state") as screen:
        await screen.wait(b"game 2 of 2 in ")
        assert await screen.end() == 0
    # The line of a game may be there before the bar is drawn again.
    assert screen.out.count(b" won") == 2


def test_all_winners_of_a_shared_victory_are_named() -> None:
    over = Over(winners=(0, 2), why="", scores=(3, 1, 3), seed="", nonces=())
    played = PlayedGame("ABCDE", 0, 1, Sitting(over, 5), 0)

    assert table_line(played, ["Ada", "Bo", "Cy"]).startswith("game 1 in ABCDE: Ada and Cy won (")
