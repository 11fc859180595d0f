"""Every command has a help text, and a test here or in its own folder that runs it as a user types it."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from photofinish import cli
from photofinish.commands.shared.base import app
from photofinish.commands.shared.events import page_of
from photofinish_client import connect
from photofinish_client.keys import PlayerKey
from photofinish_protocol.messages import Ack, Create, EventCreate, EventDo, EventGot, Seated
from tests.commands.shell import photofinish, typed
from tests.forked import Forked
from tests.system.conftest import ServerProcess
from tests.tournament.course import toml
from tests.waiting import until

TOP = Path(__file__).parent.parent
cli.import_commands()
COMMANDS = sorted(name for name in app if not name.startswith("-"))
OF_EVENTS = sorted(name for name in app["tournament"] if not name.startswith("-"))


@pytest.mark.parametrize("words", [*COMMANDS, *(f"tournament {name}" for name in OF_EVENTS)])
def test_every_command_has_a_help_text(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = typed(f"{words} --help", tmp_path, monkeypatch, capsys)

    assert (done.code, done.err) == (0, "")
    assert f"Usage: photofinish {words}" in done.out
    sentence = done.out.partition("\n\n")[2].strip()
    assert re.match(r"[A-Z].*\.", sentence, re.DOTALL), "no sentence says what it does"


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_is_run_by_some_test(name: str) -> None:
    """Looks for arguments that begin with the command: `photofinish("games", …)`, `("play --bots -1", …)`."""
    begins = re.compile(rf"""["(\[ ]["']{re.escape(name)}["' ]""")
    found = [file for file in TOP.rglob("test_*.py") if begins.search(file.read_text(encoding="utf-8"))]

    assert found, f"no test types `photofinish {name}`"


def test_the_table_of_commands_names_each_with_its_module() -> None:
    found = {
        name: (app[name].default_command or app[name]["create"].default_command).__module__.rpartition(".")[2]
        for name in COMMANDS
    }

    assert found == cli.COMMANDS


async def test_a_bot_joins_the_named_room_and_plays(server: ServerProcess) -> None:
    async with connect(server.url, name="Ada") as host:
        made = await host.request(Create(id=0, game="reflex", seats=2))
        assert isinstance(made, Ack)
        assert isinstance(made.got, Seated)
        bot = Forked(["bot", server.url, "--room", made.got.room, "--player", "random", "--name", "Robin 7"])
        try:
            await until(
                lambda: (
                    host.session.room is not None
                    and [it.name for it in host.session.room.seats] == ["Ada", "Robin 7"]
                ),
                "the bot sits at the table",
            )
        finally:
            bot.kill()
            await asyncio.to_thread(bot.wait, 20)
            assert bot.stdout is not None
            bot.stdout.close()


def test_an_event_is_created_opened_and_its_status_printed(server: ServerProcess, tmp_path: Path) -> None:
    file, key = tmp_path / "event.toml", tmp_path / "key"
    file.write_text(toml("cambio", "swiss", "rounds = 1"), encoding="utf-8")
    where = ("--url", server.url, "--key", key)
    created = photofinish("tournament", "create", file, *where)
    assert created.code == 0, created
    event = re.search(r"\b[A-Z0-9]{5,}\b", created.out)
    assert event is not None, created.out
    assert "max_ping_ms is 0" in created.out, "T12: the organiser is warned"
    opened = photofinish("tournament", "open", event[0], *where)
    assert opened.code == 0, opened
    shown = photofinish("tournament", "status", event[0], "--url", server.url)
    assert shown.code == 0, shown

    assert event[0] in shown.out
    assert photofinish("tournament", "start", "NOSUCH", *where).code != 0
    assert photofinish("tournament", "status", "NOSUCH", "--url", server.url).code != 0


async def test_T70_watch_follows_an_event_over_its_socket_until_it_is_over(server: ServerProcess) -> None:
    async with connect(server.url, name="Host", key=PlayerKey.new()) as host:
        got = (await host.request(EventCreate(id=0, toml=toml("cambio", "swiss", "rounds = 1")))).got
        assert isinstance(got, EventGot)
        watcher = Forked(["tournament", "watch", got.event, "--url", server.url])
        await host.request(EventDo(id=0, event=got.event, do="open"))
        await host.request(EventDo(id=0, event=got.event, do="cancel", reason="Rain."))
        assert await asyncio.to_thread(watcher.wait, 40) == 0
        assert watcher.stdout is not None
        shown = watcher.stdout.read()
        watcher.stdout.close()

    assert f"({got.event}): cancelled" in shown


async def test_T70_rehearse_plays_with_64_bots_and_what_was_played_is_exported_and_verified(
    server: ServerProcess, tmp_path: Path
) -> None:
    """Cancelled in round 1: a whole round waits 30 s for disputes. `make tournament-rehearsal` plays to the end."""
    file, key, saved = tmp_path / "event.toml", tmp_path / "key", tmp_path / "event.zip"
    file.write_text(
        toml("reflex", "swiss", "rounds = 1", clock="break_seconds = 0", tail=LIGHTS), encoding="utf-8"
    )
    where = ("--url", server.url)
    rehearsal = Forked(["tournament", "rehearse", file, "--bots", "64", *where, "--key", key])
    assert rehearsal.stdout is not None
    printed = await asyncio.to_thread(rehearsal.stdout.readline)
    named = re.search(r"event ([A-Z0-9]+) with 64 bots", printed)
    assert named is not None, printed
    event = named[1]

    async def is_one_done() -> bool:
        await asyncio.sleep(0.3)
        tables = json.loads(await asyncio.to_thread(page_of, server.url, f"/api/events/{event}/tables"))
        return len(tables) == 32 and any(it["state"] == "done" for it in tables)

    await until(is_one_done, "a table of round 1 is done")
    early = await asyncio.to_thread(photofinish, "tournament", "export", event, "-o", saved, *where)
    assert (early.code, saved.exists()) == (2, False), early
    assert "The event is not finished." in early.err
    words = ("tournament", "cancel", event, "--reason", "enough", *where, "--key", key)
    assert (await asyncio.to_thread(photofinish, *words)).code == 0
    assert await asyncio.to_thread(rehearsal.wait, 40) == 1, "it was not played to the end"
    shown = rehearsal.stdout.read()
    rehearsal.stdout.close()
    assert f"({event}): cancelled" in shown
    assert "of 32" in shown, "the progress of the round"
    for command in (("tournament", "export", event, "-o", saved, *where), ("verify", saved)):
        assert (await asyncio.to_thread(photofinish, *command)).code == 0, command


LIGHTS = "[room]\nmax_ping_ms = 500\n[options]\nflashes = 1\ngap_ms = 400\nwindow_ms = 400\n"


def test_a_wrong_event_file_is_named_with_its_line(server: ServerProcess, tmp_path: Path) -> None:
    file = tmp_path / "event.toml"
    file.write_text('title = "x"\ngmae = "cambio"\nformat = "swiss"\n', encoding="utf-8")
    done = photofinish("tournament", "create", file, "--url", server.url, "--key", tmp_path / "key")

    assert done.code != 0
    assert "gmae" in done.err
    assert "Traceback" not in done.err


def test_inspect_finds_no_fault_in_our_own_server(server: ServerProcess) -> None:
    done = photofinish("inspect", server.url, "--json")

    assert done.code == 0, done
    assert json.loads(done.out)


def test_new_game_writes_its_folder_and_says_which_one(tmp_path: Path) -> None:
    for folder in ("server/photofinish/games", "tests/games"):
        (tmp_path / folder).mkdir(parents=True)
    done = photofinish("new-game", "high_card", "--checkout", tmp_path)
    again = photofinish("new-game", "high_card", "--checkout", tmp_path)

    assert done.code == 0, done
    assert "high_card" in done.out
    assert (tmp_path / "server/photofinish/games/high_card/rules.py").is_file()
    assert again.code != 0, "it must not write over a game"
    assert "Traceback" not in again.err


def test_a_short_bench_prints_what_an_action_costs() -> None:
    done = photofinish("bench", "--rounds", "1", "--seconds", "0.2", "--json")

    assert done.code == 0, done
    assert json.loads(done.out)
