"""The output of the commands: text for people, JSON for programs."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.commands.shell import BIN, photofinish, typed
from tests.system.conftest import ServerProcess


def printed(*words: str | Path) -> Any:
    done = photofinish(*words, "--json")
    assert done.code == 0, done
    return json.loads(done.out)


def test_the_command_games_prints_json(server: ServerProcess) -> None:
    games = {it["key"]: it for it in printed("games", server.url)}

    assert games["cambio"]["least"] == 2
    assert games["cambio"]["most"] == 8
    assert len(games) >= 8


@pytest.mark.parametrize("address", [(), ("--url",)])
def test_the_command_rooms_prints_json(server: ServerProcess, address: tuple[str, ...]) -> None:
    """The address is the first word, or `--url` as in `tournament`."""
    found = printed("rooms", *address, server.url, "--game", "cambio")

    assert isinstance(found["rooms"], list)
    assert found["total"] == len(found["rooms"])


def test_host_as_json_has_one_line_per_game_with_its_winners(server: ServerProcess) -> None:
    words = ("--game", "gravekeepers", "--players", "random,random", "--games", "2", "--json")
    done = photofinish("host", server.url, *words)
    games = [json.loads(line) for line in done.out.splitlines()]

    assert [it["game"] for it in games] == [1, 2]
    assert " won" not in done.err, "only the progress is for people"
    for it in games:
        assert it["is_over"]
        assert len(it["scores"]) == 2
        assert set(it["winners"]) <= {"Robin 1", "Robin 2"}
        assert it["winners"]


def test_save_fetches_the_game_with_the_number_that_was_typed(server: ServerProcess, tmp_path: Path) -> None:
    words = ("--game", "cauldron15", "--players", "random,random", "--games", "2", "--json")
    room = json.loads(photofinish("host", server.url, *words).out.splitlines()[0])["room"]
    for number in (1, 2):
        done = photofinish(
            "save", server.url, "--room", room, "--number", str(number), "-o", tmp_path / "game.json"
        )
        assert done.code == 0, done
        first = json.loads((tmp_path / "game.json").read_bytes())["entries"][0]
        assert json.loads(first["body"])["number"] == number


def test_host_shows_its_progress_and_names_the_winner(server: ServerProcess) -> None:
    done = photofinish(
        "host", server.url, "--game", "gravekeepers", "--players", "random,random", "--games", "2"
    )

    assert done.code == 0, done
    assert re.search(r"^game 1 of 2 in [A-Z0-9]+, 2 players$", done.out, re.MULTILINE)
    assert re.search(r"^game 2 of 2 in [A-Z0-9]+$", done.out, re.MULTILINE)
    assert (
        len(
            re.findall(r"^game [12] in [A-Z0-9]+: (Robin [12])( and Robin [12])? won", done.out, re.MULTILINE)
        )
        == 2
    )


def test_the_command_arena_prints_json() -> None:
    found = printed("arena", "--game", "cauldron15", "--players", "house:easy,random", "-n", "2")

    assert [it["player"] for it in found["players"]] == ["house:easy", "random"]
    assert sum(it["wins"] for it in found["players"]) <= 2
    assert found["matches"] == 2


def test_the_command_doctor_prints_json(tmp_path: Path) -> None:
    done = photofinish("doctor", "--json", "--data", tmp_path)

    findings = json.loads(done.out)
    assert {"name", "state", "found", "advice"} <= findings[0].keys()
    assert {"Python", "fsync"} <= {it["name"] for it in findings}


def test_doctor_prints_each_finding_with_its_advice_and_reads_the_redis_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:9")
    done = typed("doctor", tmp_path, monkeypatch, capsys)

    assert (done.code, done.err) == (1, "")
    assert re.search(r"^ok +Python: ", done.out, re.MULTILINE)
    assert re.search(r"^fail  Redis: does not answer.*\n      Start it, or correct", done.out, re.MULTILINE)


@pytest.fixture(scope="module")
def replay(server: ServerProcess, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished Cambio game with races."""
    words = ("--game", "cambio", "--players", "random,random,random", "--set", "target_points=10", "--json")
    hosted = photofinish("host", server.url, *words)
    assert hosted.code == 0, hosted
    file = tmp_path_factory.mktemp("replay") / "game.json"
    saved = photofinish("save", server.url, "--room", json.loads(hosted.out)["room"], "-o", file)
    assert saved.code == 0, saved
    return file


def test_the_command_verify_prints_json(replay: Path) -> None:
    found = printed("verify", replay)

    assert found["is_true"]
    assert found["faults"] == []
    assert found["races"] > 0


def test_host_plays_with_the_options_that_were_typed(replay: Path) -> None:
    first = json.loads(replay.read_bytes())["entries"][0]

    assert json.loads(first["body"])["options"]["target_points"] == 10


def test_verify_of_a_changed_replay_names_the_fault_as_json(replay: Path, tmp_path: Path) -> None:
    changed = tmp_path / "changed.json"
    changed.write_text(replay.read_text("utf-8").replace('"seed": "', '"seed": "00', 1), "utf-8")
    done = photofinish("verify", changed, "--json")

    assert done.code == 1
    assert json.loads(done.out)["faults"]


def test_strip_takes_the_number_that_replay_prints(replay: Path) -> None:
    printed = photofinish("replay", replay).out
    races = re.findall(r"race (\d+): \d+ moves in order \((\S+)\)", printed)

    assert [int(number) for number, _ in races] == list(range(1, len(races) + 1))
    for number, key in (races[0], races[-1]):
        done = photofinish("strip", replay, "--race", number)
        assert done.code == 0
        assert key in done.out
    unwritable = photofinish("strip", replay, "-o", replay.parent / "nowhere" / "strip.svg")
    assert (unwritable.code, unwritable.out) == (2, "")
    assert "strip.svg cannot be written" in unwritable.err
    beyond = photofinish("strip", replay, "--race", str(len(races) + 1))
    assert (beyond.code, beyond.out) == (2, "")
    assert f"there is no race {len(races) + 1}" in beyond.err


COMPLETE = """
source <("$0" completion bash)
COMP_WORDS=({words}) COMP_CWORD={at}
"$(complete -p photofinish | sed 's/.*-F \\([^ ]*\\).*/\\1/')" photofinish
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.mark.parametrize(
    ("words", "expected"), [("photofinish ho", {"host"}), ("photofinish host --pl", {"--players"})]
)
def test_bash_completes_commands_and_options(words: str, expected: set[str]) -> None:
    script = COMPLETE.format(words=words, at=len(words.split()) - 1)
    done = subprocess.run(
        ["bash", "-c", script, BIN], capture_output=True, text=True, check=False, timeout=60,
        env={**os.environ, "PATH": f"{BIN.parent}:{os.environ['PATH']}"},
    )  # fmt: skip

    assert {it.strip() for it in done.stdout.split()} == expected, done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_there_is_a_completion_for_each_shell(
    shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = typed(f"completion {shell}", tmp_path, monkeypatch, capsys)

    assert done.code == 0
    assert "tls-cert" in done.out
