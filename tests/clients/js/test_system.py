"""The JavaScript SDK in Node against a real server: whole games, cuts, several nodes, access tokens."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from photofinish.games import all_games
from photofinish.replay.verify import verify
from tests.clients.js.conftest import JS, TOP, node, run_tests
from tests.system.conftest import ServerProcess
from tests.system.ledger import LONG_CAMBIO, fetch_replay, logged_moves
from tests.system.test_access import TOKEN, guarded  # noqa: F401 - a fixture
from tests.waiting import wait_until

pytestmark = [pytest.mark.system, pytest.mark.timeout(900)]


@contextmanager
def party(compiled: Path, urls: list[str], seats: int, options: dict[str, Any]) -> Iterator[Iterator[Any]]:
    """A whole game in one Node process; yields what it prints, line by line."""
    words = [",".join(urls), "cambio", str(seats), json.dumps(options)]
    child = subprocess.Popen(
        [sys.executable, TOP / "clients" / "node.py", "node", compiled / "system" / "party.js", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stdout is not None
        yield (json.loads(line) for line in child.stdout)
    finally:
        child.terminate()
        child.wait(timeout=20)
        child.stdout.close()


def until_acknowledged(lines: Iterator[Any], moves: int) -> None:
    assert any(line.get("acknowledged", 0) >= moves for line in lines), "the game ended before that"


def check(url: str, end: Any) -> None:
    """The replay verifies, and holds exactly the moves that were acknowledged, in everybody's own order."""
    replay = fetch_replay(url, end["room"])
    assert verify(replay, all_games()).faults == []
    for seat, player in enumerate(end["players"]):
        assert player["over"] is not None
        assert player["moves"] == logged_moves(replay, seat), seat


def test_the_javascript_sdk_plays_whole_games_and_sends_every_request(
    server: ServerProcess, compiled: Path
) -> None:
    run_tests(compiled / "system" / "cambio.test.js", PHOTOFINISH_URL=server.url)


def test_players_with_keys_enter_an_event_and_pages_follow_it(server: ServerProcess, compiled: Path) -> None:
    run_tests(compiled / "system" / "keys.test.js", PHOTOFINISH_URL=server.url)


def test_the_example_of_the_readme_plays_a_game_unchanged(server: ServerProcess, compiled: Path) -> None:
    text = (JS / "README.md").read_text(encoding="utf-8")
    example = text.partition("```js example\n")[2].partition("```")[0]
    assert 10 < len(example.splitlines()) <= 40
    program = compiled / "example.mjs"
    program.write_text(example, encoding="utf-8")
    ran = node("node", program, server.url)

    assert ran.returncode == 0, ran.stderr
    assert "verified: " in ran.stdout
    assert "refused: game_over" in ran.stdout


def test_after_kill_9_every_player_resumes_and_no_move_is_lost_or_made_twice(
    server: ServerProcess, compiled: Path
) -> None:
    with party(compiled, [server.url], 4, LONG_CAMBIO) as lines:
        for moves in (20, 45):
            until_acknowledged(lines, moves)
            server.kill()
            server.start()
        *_, end = lines

    check(server.url, end)
    assert all(player["cuts"] >= 2 for player in end["players"])


def test_clients_notice_a_silent_server_and_take_their_seats_again(
    server: ServerProcess, compiled: Path
) -> None:
    with party(compiled, [server.url], 2, LONG_CAMBIO) as lines:
        until_acknowledged(lines, 10)
        server.freeze()
        try:
            wait_until(lambda: is_awaited(server), "the players cut the silent sockets and come back")
        finally:
            server.thaw()
        *_, end = lines

    check(server.url, end)
    assert all(player["cuts"] >= 1 for player in end["players"])


def is_awaited(server: ServerProcess) -> bool:
    """Are there connections that the frozen process has not accepted?"""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]]
    here = [row for row in rows if row[1].endswith(f":{server.port:04X}") and row[3] == "0A"]
    return any(int(row[4].split(":")[1], 16) > 0 for row in here)


def test_a_client_follows_its_room_to_another_node_that_requires_the_same_token(
    guarded: list[ServerProcess],  # noqa: F811 - the fixture
    compiled: Path,
) -> None:
    urls = ",".join(node.url for node in guarded)
    run_tests(compiled / "system" / "access.test.js", PHOTOFINISH_URLS=urls, PHOTOFINISH_TOKEN=TOKEN)


def test_a_client_stays_where_it_is_if_the_rooms_node_cannot_be_reached(
    tmp_path: Path, redis_url: str, compiled: Path
) -> None:
    nodes = []
    for name, more in (("one", ("--public-url", "ws://127.0.0.1:1")), ("two", ())):
        (tmp_path / name).mkdir()
        nodes.append(ServerProcess(tmp_path / name, "--redis", redis_url, *more).start())
    try:
        urls = ",".join(node.url for node in nodes)
        run_tests(compiled / "system" / "unreachable_node.test.js", PHOTOFINISH_URLS=urls)
    finally:
        for node in nodes:
            node.stop()
