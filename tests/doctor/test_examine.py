"""`photofinish doctor` on this machine and on real Redis servers with good and bad settings."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from photofinish.doctor import examine
from tests import forked
from tests.store.servers import HOST, free_port, server

BIN = Path(sys.executable).parent / "photofinish"


def run(*words: str | Path, shell: str = "") -> tuple[int, dict[str, dict[str, Any]]]:
    """Run it; returns the exit code and the findings by name. `shell` is a command to run before it."""
    if shell:
        command = ["sh", "-c", f'{shell} exec "$@"', "sh", BIN, "doctor", "--json", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    else:
        done = forked.run("doctor", "--json", *words)
    assert done.stderr == ""
    return done.returncode, {it["name"]: it for it in json.loads(done.stdout)}


def test_a_machine_that_runs_these_tests_can_run_the_server(tmp_path: Path) -> None:
    code, found = run("--data", tmp_path / "not" / "there" / "yet")

    assert code == 0
    assert found["TCP_NODELAY"]["state"] == "ok"
    assert found["embedded Redis"]["state"] == "ok"
    assert {
        "Python",
        "uvloop",
        "TCP_INFO",
        "forced ACKs",
        "clock source",
        "clock",
        "open files",
        "socket path",
        "fsync",
    } <= set(found)
    assert str(tmp_path) in found["fsync"]["found"]
    assert list(tmp_path.iterdir()) == []


def test_every_finding_that_is_not_ok_says_what_to_do(tmp_path: Path) -> None:
    _, found = run("--data", tmp_path, "--redis", f"redis://{HOST}:1")

    assert all(bool(it["advice"]) == (it["state"] != "ok") for it in found.values())


def test_few_open_files_are_a_warning_and_very_few_a_failure(tmp_path: Path) -> None:
    code, found = run("--data", tmp_path, shell="ulimit -n 2048;")
    assert (code, found["open files"]["state"]) == (0, "warn")

    code, found = run("--data", tmp_path, shell="ulimit -n 256;")
    assert (code, found["open files"]["state"]) == (1, "fail")
    assert "LimitNOFILE" in found["open files"]["advice"]


def test_no_folder_with_a_path_short_enough_for_a_socket_is_a_failure(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 90)
    deep.mkdir()
    code, found = run("--data", tmp_path, shell=f"unset XDG_RUNTIME_DIR; TMPDIR={deep}; export TMPDIR;")

    assert (code, found["socket path"]["state"]) == (1, "fail")


def test_a_redis_that_syncs_every_move_is_ok(redis_url: str, tmp_path: Path) -> None:
    code, found = run("--data", tmp_path, "--redis", redis_url)

    assert code == 0
    assert [found[it]["state"] for it in ("Redis", "Redis AOF", "Redis memory")] == ["ok"] * 3
    assert "always" in found["Redis AOF"]["found"]


@pytest.mark.parametrize(
    ("settings", "name", "state"),
    [
        (("--appendonly", "no"), "Redis AOF", "fail"),
        (("--appendonly", "yes", "--appendfsync", "no"), "Redis AOF", "fail"),
        (("--appendonly", "yes", "--appendfsync", "everysec"), "Redis AOF", "warn"),
        (("--appendonly", "yes", "--maxmemory-policy", "allkeys-lru"), "Redis memory", "fail"),
    ],
)
def test_a_redis_that_may_lose_a_game_is_reported(
    tmp_path: Path, settings: tuple[str, ...], name: str, state: str
) -> None:
    port = free_port()
    with server(tmp_path / "redis", port, *settings):
        code, found = run("--data", tmp_path, "--redis", f"redis://{HOST}:{port}")

    assert found[name]["state"] == state
    assert code == (1 if state == "fail" else 0)


def test_a_redis_that_does_not_answer_is_a_failure_and_its_password_is_not_printed(tmp_path: Path) -> None:
    code, found = run("--data", tmp_path, "--redis", f"redis://ada:hunter2@{HOST}:1")

    assert (code, found["Redis"]["state"]) == (1, "fail")
    assert "hunter2" not in json.dumps(found)


@pytest.mark.parametrize(
    ("number", "state"), [("6.2.14", "fail"), ("7.0.15", "ok"), ("9.1.2", "ok"), ("?", "fail")]
)
def test_a_redis_older_than_7_is_too_old(number: str, state: str) -> None:
    assert examine._aged("Redis", number, number).state == state


def test_a_disk_that_cannot_be_written_is_a_failure() -> None:
    sync = {it.name: it for it in examine._disk(Path("/proc/self"))}["fsync"]

    assert sync.state == "fail"
