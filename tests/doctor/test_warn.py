"""A Redis that would lose games: `serve` says so at its start, in the same words as `doctor`."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from photofinish.config import Settings
from photofinish.doctor import warn
from photofinish.doctor.data_folder import data_folder
from tests.doctor.test_examine import run
from tests.forked import Forked
from tests.store.servers import HOST, free_port, server
from tests.system.conftest import ServerProcess
from tests.waiting import wait_until

KEPT = ("--appendonly", "yes", "--appendfsync", "always")


@contextmanager
def serving(folder: Path, *words: str) -> Iterator[ServerProcess]:
    folder.mkdir(exist_ok=True)
    process = ServerProcess(folder, *words)
    process.start()
    try:
        yield process
    finally:
        process.stop()


@pytest.mark.parametrize(
    ("settings", "words", "name", "found"),
    [
        (("--appendonly", "no"), (), "Redis AOF", "appendonly no"),
        ((*KEPT, "--maxmemory-policy", "allkeys-lru"), (), "Redis memory", "allkeys-lru"),
        (KEPT, ("--redis-wait", "2"), "Redis replicas", "0 connected"),
    ],
    ids=["no AOF", "evicts", "too few replicas"],
)
def test_serve_says_at_its_start_what_would_lose_games_and_doctor_finds_the_same(
    tmp_path: Path, settings: tuple[str, ...], words: tuple[str, ...], name: str, found: str
) -> None:
    port = free_port()
    url = f"redis://{HOST}:{port}"
    with server(tmp_path / "redis", port, *settings):
        with serving(tmp_path / "serve", "--redis", url, *words) as process:
            wait_until(lambda: "GAMES MAY BE LOST" in process.log, "the server warns")
            wait_until(lambda: name in process.log and found in process.log, f"the warning names {name}")
        code, findings = run("--data", tmp_path, "--redis", url, *words)

    assert code == 1
    assert findings[name]["state"] == "fail"
    assert found in findings[name]["found"]
    assert findings[name]["advice"] in process.log
    assert "[error" in next(line for line in process.log.splitlines() if name in line), (
        "a failure is an error"
    )


def test_settings_that_cannot_be_read_are_reported_too(tmp_path: Path) -> None:
    """A hosted Redis may not allow CONFIG."""
    port = free_port()
    url = f"redis://{HOST}:{port}"
    with server(tmp_path / "redis", port, *KEPT, "--rename-command", "CONFIG", ""):
        with serving(tmp_path / "serve", "--redis", url) as process:
            wait_until(lambda: "Redis settings" in process.log, "the server warns")
        _, findings = run("--data", tmp_path, "--redis", url)

    assert findings["Redis settings"]["state"] == "warn"
    assert findings["Redis settings"]["found"] == "cannot be read"
    assert "Redis AOF" not in findings


async def test_a_redis_that_does_not_answer_delays_the_warnings_only_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(warn, "LONGEST", 0.2)
    with socket.create_server((HOST, 0)) as silence:  # it never accepts
        began = time.monotonic()
        await warn.say_losses(Settings(redis=f"redis://{HOST}:{silence.getsockname()[1]}"))

    assert time.monotonic() - began < 2.9, "the client's own timeout is 3 s"


def test_serve_on_a_replica_says_so(tmp_path: Path) -> None:
    master, replica = free_port(), free_port()
    url = f"redis://{HOST}:{replica}"
    with ExitStack() as stack:
        stack.enter_context(server(tmp_path / "master", master, *KEPT))
        stack.enter_context(server(tmp_path / "replica", replica, *KEPT, "--replicaof", HOST, str(master)))
        log = tmp_path / "serve.log"
        # It waits for a Redis that it can write to, so it does not print its start message.
        with log.open("wb") as out:
            process = Forked(
                ["serve", "--port", "0", "--metrics-port", "0", "--redis", url], stdout=out, stderr=out
            )
        try:
            wait_until(lambda: "Redis role" in log.read_text("utf-8"), "serve says that this is a replica")
        finally:
            process.kill()
            process.wait(10)
        code, findings = run("--data", tmp_path, "--redis", url)

    assert code == 1
    assert findings["Redis role"]["state"] == "fail"


def test_there_is_no_warning_about_a_redis_that_loses_nothing(tmp_path: Path) -> None:
    port = free_port()
    words = ("--redis", f"redis://{HOST}:{port}")
    with server(tmp_path / "redis", port, *KEPT), serving(tmp_path / "serve", *words) as process:
        assert process.stop() == 0

    assert "GAMES MAY BE LOST" not in process.log


def test_serve_says_that_redis_wait_has_no_effect_on_the_embedded_redis(tmp_path: Path) -> None:
    with serving(tmp_path / "serve", "--redis-wait", "1") as process:
        wait_until(lambda: "--redis-wait has no effect" in process.log, "the server warns")


def test_several_workers_print_the_warning_once(tmp_path: Path) -> None:
    port = free_port()
    words = ("--redis", f"redis://{HOST}:{port}", "--workers", "2")
    with (
        server(tmp_path / "redis", port, "--appendonly", "no"),
        serving(tmp_path / "serve", *words) as process,
    ):
        wait_until(lambda: "Redis AOF" in process.log, "the server warns")
        assert process.stop() == 0

    assert process.log.count("Redis AOF") == 1


def test_doctor_finds_a_data_folder_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    for data in (tmp_path / "file", tmp_path / "file" / "below"):
        code, found = run("--data", data)
        assert (code, found["data folder"]["state"]) == (1, "fail")
        assert "is not a folder" in found["data folder"]["found"]

    assert data_folder(Path("/proc/self/games")).state == "fail"
    (tmp_path / "data" / "server.lock").mkdir(parents=True)
    assert data_folder(tmp_path / "data").state == "fail", "its lock cannot be read"


def test_doctor_tests_the_folder_and_leaves_no_file_behind(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()

    assert data_folder(tmp_path / "data").state == "ok"
    assert data_folder(tmp_path / "not" / "there").state == "ok"
    assert [it.name for it in tmp_path.iterdir()] == ["data"]
    assert list((tmp_path / "data").iterdir()) == []


def test_doctor_says_that_another_server_uses_the_folder(tmp_path: Path) -> None:
    with serving(tmp_path) as process:
        busy = data_folder(process.data)
    free = data_folder(process.data)

    assert busy.state == "warn"
    assert str(process.pid if process._child else "") in busy.found
    assert free.state == "ok"
