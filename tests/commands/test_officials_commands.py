"""T70: what officials type while an event runs."""

import asyncio
import json
import re
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from photofinish.commands.tournament import as_rehearsal
from photofinish_client.client import connect
from photofinish_client.keys import PlayerKey
from photofinish_protocol.messages import CheckIn, Enter
from tests.commands.shell import Done, photofinish
from tests.system.conftest import ServerProcess
from tests.tournament.course import toml
from tests.waiting import wait_until

CALLED_AT_ONCE = toml("reflex", "swiss", "rounds = 1", clock="break_seconds = 0\nno_show_seconds = 600")
NEW, REFEREE = PlayerKey.new().public, PlayerKey.new().public


class HostedEvent:
    """One event whose three players have entered and do not come to their tables."""

    def __init__(self, server: ServerProcess, folder: Path) -> None:
        self.server, self.key, self.event = server, folder / "key", ""

    def type(self, command: str, *words: str | Path) -> Done:
        return photofinish("tournament", command, *words, "--url", self.server.url, "--key", self.key)

    def done(self, command: str, *words: str | Path) -> str:
        got = self.type(command, self.event, *words)
        assert got.code == 0, got
        return got.out

    def refused(self, command: str, *words: str | Path, code: int = 2) -> str:
        got = self.type(command, self.event, *words)
        assert (got.code, got.out) == (code, ""), got
        assert "Traceback" not in got.err
        return got.err

    def page(self, part: str = "") -> Any:
        where = f"http://127.0.0.1:{self.server.port}/api/events/{self.event}{part}"
        with urllib.request.urlopen(where, timeout=20) as reply:
            return json.load(reply)

    def log(self, kind: str) -> list[dict[str, Any]]:
        where = f"http://127.0.0.1:{self.server.port}/api/events/{self.event}/log"
        with urllib.request.urlopen(where, timeout=20) as reply:
            bodies = [json.loads(json.loads(line)["body"]) for line in reply]
        return [it for it in bodies if it["e"] == kind]

    async def enter(self, name: str) -> str:
        own = PlayerKey.new()
        async with connect(self.server.url, name=name, key=own) as table:
            await table.request(Enter(id=0, event=self.event))
            await table.request(CheckIn(id=0, event=self.event))
        return own.public


@pytest.fixture(scope="module")
def hosted(server: ServerProcess, tmp_path_factory: pytest.TempPathFactory) -> HostedEvent:
    folder = tmp_path_factory.mktemp("hosted")
    (folder / "event.toml").write_text(CALLED_AT_ONCE, encoding="utf-8")
    made = HostedEvent(server, folder)
    created = made.type("create", folder / "event.toml")
    found = re.search(r"event ([A-Z0-9]+)", created.out)
    assert found is not None, created
    made.event = found[1]
    printed = made.done("open")
    assert f"http://127.0.0.1:{server.port}/events/{made.event}" in printed
    assert f"photofinish tournament start {made.event} --url {server.url}" in printed, (
        "the next command, as it is typed"
    )
    assert "0 of 0 are" in made.refused("start", code=1)
    for name in ("Ada", "Bo", "[/x]"):
        asyncio.run(made.enter(name))
    assert "3 entered" in photofinish("tournament", "status", made.event, "--url", server.url).out
    made.done("start")
    wait_until(
        lambda: made.page("/tables")[:1] and made.page("/tables")[0]["state"] == "called", "table 1 is called"
    )
    return made


def test_T70_the_command_key_prints_the_key_of_the_organiser(hosted: HostedEvent) -> None:
    shown = photofinish("tournament", "key", "--key", hosted.key)
    assert shown.code == 0
    assert hosted.page()["organisers"] == [shown.out.strip()]


def test_T72_a_name_is_shown_as_plain_text_in_the_terminal_too(hosted: HostedEvent) -> None:
    """`[/x]` would end a style of the terminal, and ended `status` and `watch` with a traceback."""
    shown = photofinish("tournament", "status", hosted.event, "--url", hosted.server.url)
    assert shown.code == 0, shown
    assert "[/x]" in shown.out


def test_T70_extend_gives_a_called_table_more_time(hosted: HostedEvent) -> None:
    assert "table 1 of event" in hosted.done("extend", "1", "90")
    (moved,) = hosted.log("moved_clock")
    assert (moved["table"], moved["micros"], moved["by"]) == (1, 90_000_000, hosted.page()["organisers"][0])
    assert "900" in hosted.refused("extend", "1", "901")
    assert hosted.refused("extend", "7")
    assert len(hosted.log("moved_clock")) == 1


def test_T8_T70_rebind_takes_a_name_and_never_an_officials_key(hosted: HostedEvent) -> None:
    (organiser,) = hosted.page()["organisers"]
    old = {it["name"]: it["key"] for it in hosted.page("/entrants")}
    assert "64 hex digits" in hosted.refused("rebind", "Ada", NEW[:8])
    assert "'Nobody'" in hosted.refused("rebind", "Nobody", NEW)
    assert "Officials do not play" in hosted.refused("rebind", "Ada", organiser)
    assert "Ada has the key" in hosted.done("rebind", "ada", NEW, "--reason", "a broken phone")
    (rebound,) = hosted.log("rebound")
    assert (rebound["old"], rebound["new"], rebound["reason"]) == (old["Ada"], NEW, "a broken phone")
    assert "Once per entrant" in hosted.refused("rebind", NEW[:8], REFEREE), (
        "found by the key as pages show it"
    )
    assert {it["name"]: it["key"] for it in hosted.page("/entrants")} == old | {"Ada": NEW}


def test_T70_appoint_names_referees_and_relieves_them(hosted: HostedEvent) -> None:
    assert hosted.refused("appoint")
    assert f"{REFEREE[:8]} now referee" in hosted.done("appoint", REFEREE)
    assert hosted.page()["referees"] == [REFEREE]
    assert f"{REFEREE[:8]} no longer referee" in hosted.done("appoint", REFEREE, "--away")
    assert hosted.page()["referees"] == []
    hosted.done("appoint", REFEREE, "--role", "organiser")
    assert REFEREE in hosted.page()["organisers"]


def test_T22_T70_an_organiser_pauses_resumes_and_cancels_a_running_event(hosted: HostedEvent) -> None:
    assert "No round waits" in hosted.refused("round")
    assert "is paused" in hosted.done("pause", "--reason", "fire alarm")
    assert hosted.page()["reason"] == "fire alarm"
    assert "is running" in hosted.done("resume")
    assert "is running" in hosted.refused("seal")
    assert "is cancelled" in hosted.done("cancel", "--reason", "rain")


def test_an_unknown_event_is_named_in_one_line(hosted: HostedEvent) -> None:
    for words in (("extend", "NOSUCH", "1"), ("rebind", "NO SUCH", "Ada", NEW), ("seal", "NOSUCH")):
        done = hosted.type(*words)
        assert done.code == 2, done
        assert re.fullmatch(r"photofinish: .*(no event with that code|No such event)\.\n", done.err), done.err


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('title = "x"\n\n[clock]\n', 'title = "x"\nrehearsal = true\n[clock]\n'),
        ('title = "x"\n[clock]\n\n', 'title = "x"\nrehearsal = true\n[clock]\n\n'),
        ('rehearsal = false\ntitle = "x"\n', 'rehearsal = true\ntitle = "x"\n'),
        ('title = "x"', 'title = "x"\nrehearsal = true\n'),
    ],
)
def test_a_rehearsal_keeps_the_lines_of_its_file_and_says_rehearsal_once(text: str, expected: str) -> None:
    assert as_rehearsal(text) == expected


def test_an_event_file_with_a_byte_order_mark_is_read_and_a_file_that_is_not_utf8_or_no_key_is_reported(
    hosted: HostedEvent, tmp_path: Path
) -> None:
    marked, latin, wrong = tmp_path / "marked.toml", tmp_path / "latin.toml", tmp_path / "wrong.key"
    marked.write_text("\ufeff" + CALLED_AT_ONCE, encoding="utf-8")
    latin.write_bytes(CALLED_AT_ONCE.replace("Test", "Bäume").encode("latin-1"))
    wrong.write_text("hello", encoding="ascii")
    assert hosted.type("create", marked).code == 0
    done = hosted.type("create", latin)
    assert (done.code, done.err) == (2, f"photofinish: {latin} is not UTF-8 text.\n")
    done = photofinish("tournament", "key", "--key", wrong)
    assert (done.code, done.out) == (2, "")
    assert "holds no key" in done.err
    assert wrong.read_text(encoding="ascii") == "hello", "it is left as it is"
