"""Saved seats: readable only by this user, locked while in use, deleted when the seat is lost."""

import json
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from photofinish_client import connect
from photofinish_client.saved_seats import lock_saved, save_and_lock, seats_folder
from tests.clients.terminal.ptys import terminal
from tests.system.conftest import ServerProcess
from tests.waiting import until

URL = "ws://127.0.0.1:8765"
OPEN = ("--game", "cauldron15", "--bots", "2", "--name", "Ana")


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path_factory.mktemp("server"))
    yield process.start()
    process.stop()


def test_a_saved_seat_is_found_again_with_its_newest_token(state: Path) -> None:
    held = save_and_lock(URL, "ABCDE", "Ana", "first")
    assert held is not None
    held.keep("second")
    held.release()
    [found] = lock_saved(URL)

    assert (found.seat.room, found.seat.name, found.seat.token) == ("ABCDE", "Ana", "second")
    found.release()
    assert seats_folder().is_relative_to(state)


def test_the_newest_seat_comes_first_and_other_servers_have_their_own(state: Path) -> None:
    del state
    for url, room in ((URL, "AAAAA"), (URL, "BBBBB"), ("wss://elsewhere", "CCCCC")):
        it = save_and_lock(url, room, "Ana", "token")
        assert it is not None
        it.release()
    found = list(lock_saved(URL))

    assert [it.seat.room for it in found] == ["BBBBB", "AAAAA"]
    for it in found:
        it.release()
    assert [it.seat.room for it in lock_saved(URL, "aaaaa")] == ["AAAAA"]


def test_nobody_else_can_read_a_token(state: Path) -> None:
    del state
    held = save_and_lock(URL, "ABCDE", "Ana", "secret")
    assert held is not None
    held.release()

    assert stat.S_IMODE(seats_folder().stat().st_mode) == 0o700
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in seats_folder().iterdir())


def test_a_seat_in_use_is_left_to_the_program_that_has_it(state: Path) -> None:
    held = save_and_lock(URL, "ABCDE", "Ana", "token")
    assert held is not None
    code = f"from photofinish_client.saved_seats import lock_saved; print(len(list(lock_saved({URL!r}))))"

    def seen_elsewhere() -> str:
        return subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"XDG_STATE_HOME": str(state)},
        ).stdout.strip()

    assert seen_elsewhere() == "0"
    held.release()
    assert seen_elsewhere() == "1"


def test_a_seat_that_was_given_up_is_deleted_and_a_broken_file_is_skipped(state: Path) -> None:
    del state
    held = save_and_lock(URL, "ABCDE", "Ana", "token")
    assert held is not None
    held.forget()
    held.release()
    (seats_folder() / "broken.json").write_text("{", encoding="utf-8")

    assert list(lock_saved(URL)) == []
    assert [file.name for file in seats_folder().iterdir()] == ["broken.json"]


def test_a_folder_that_cannot_be_written_does_not_stop_the_game(state: Path) -> None:
    (state / "photofinish").write_text("a file where the folder should be", encoding="utf-8")

    assert save_and_lock(URL, "ABCDE", "Ana", "token") is None


def saved_room(state: Path) -> str:
    [file] = (state / "photofinish" / "seats").glob("*.json")
    return str(json.loads(file.read_bytes())["room"])


async def test_q_asks_and_keeps_the_seat_and_the_next_play_returns_to_it(
    server: ServerProcess, tmp_path: Path
) -> None:
    with terminal("play", server.url, *OPEN, size=(80, 24), state=tmp_path) as first:
        await first.wait(b"I am ready")
        room = saved_room(tmp_path)
        first.press("q")
        await first.wait(b"Leave the screen and keep the seat")
        first.press("n")
        await first.rest(after=len(first.out))
        assert first.child.poll() is None
        first.press("q")
        first.press("y")
        assert await first.end() == 0
        await first.wait(f"Your seat in room {room} is kept".encode())

    with terminal("play", server.url, size=(80, 24), state=tmp_path) as second:
        await second.wait(b"I am ready")
        async with connect(server.url, name="Wil") as wil:
            await wil.watch(room)
            await until(
                lambda: wil.room is not None and wil.room.seats[0].connected, "Ana is back in her seat"
            )
            assert wil.room is not None
            assert wil.room.seats[0].name == "Ana"
            assert len(wil.room.seats) == 3
        assert saved_room(tmp_path) == room
        second.press("q")
        second.press("g")
        assert await second.end() == 0

    assert list((tmp_path / "photofinish" / "seats").glob("*.json")) == []


async def test_play_reports_a_lost_seat_and_starts_a_new_game(server: ServerProcess, tmp_path: Path) -> None:
    with terminal("play", server.url, *OPEN, size=(80, 24), state=tmp_path) as first:
        await first.wait(b"I am ready")
        first.press("q")
        first.press("y")
        assert await first.end() == 0
    [file] = (tmp_path / "photofinish" / "seats").glob("*.json")
    kept = json.loads(file.read_bytes())
    file.write_text(json.dumps({**kept, "token": "nobody-gave-this-one"}), encoding="utf-8")

    with terminal("play", server.url, size=(80, 24), state=tmp_path) as second:
        await second.wait(f"Your seat in room {kept['room']} is gone".encode())
        await second.wait(b"I am ready")
