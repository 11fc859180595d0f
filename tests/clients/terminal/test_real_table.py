"""The command `play` on a real terminal at a real server: the rules, a server that dies, and one that comes back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.terminal.ptys import terminal
from tests.system.conftest import ServerProcess

OPEN = ("--game", "cauldron15", "--bots", "2", "--name", "Ana")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path)
    yield process.start()
    process.stop()


async def test_the_rules_are_fetched_and_a_lost_connection_shows_until_the_server_is_back(
    server: ServerProcess, tmp_path: Path
) -> None:
    with terminal("play", server.url, *OPEN, size=(80, 24), state=tmp_path / "state") as screen:
        await screen.wait(b"I am ready")
        so_far = len(screen.out)
        screen.press("?")
        await screen.wait(b"B1. ", after=so_far)
        screen.press("?")
        await screen.wait(b"I am ready", after=so_far)
        server.kill()
        await screen.wait(b"NO CONNECTION for", after=so_far)
        server.start()
        so_far = len(screen.out)
        screen.press("1")
        await screen.wait(b"Not ready after all", after=so_far)


@pytest.mark.parametrize("words", [OPEN, ()], ids=["a new room", "the usual room"])
async def test_a_program_whose_terminal_is_closed_ends(
    server: ServerProcess, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """Before, it read the end of its terminal for ever: a whole core, and the seat stayed taken."""
    with terminal("play", server.url, *words, size=(80, 24), state=tmp_path / "state") as screen:
        await screen.wait(b"I am ready")
        screen.hang_up()

        assert await screen.end() != 0
