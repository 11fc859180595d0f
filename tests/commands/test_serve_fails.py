"""A server that cannot start says why in one sentence: exit code 2 for wrong arguments, 1 for the machine."""

import os
from pathlib import Path

import pytest

from photofinish.store.embedded import server as embedded
from photofinish.store.embedded.binary import find_binary
from tests.commands.shell import Done, typed
from tests.system.conftest import ServerProcess

pytestmark = pytest.mark.timeout(60)
"""A server that starts after all would run for ever."""
PASSWORD = "hunter2"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "text").write_text("short\n", encoding="utf-8")
    return tmp_path


def check(done: Done, code: int, *named: str) -> None:
    assert (done.code, done.out) == (code, ""), done
    assert done.err.startswith("photofinish: "), done
    assert done.err.count("\n") == 1, done
    for it in named:
        assert it in done.err
    assert PASSWORD not in done.err


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("--origin nonsense", "--origin takes an address"),
        ("--host-name http://cards.example.org", "--host-name takes a name"),
        ("--access-token-file text", "expected one token per line"),
        ("--trust-proxy nobody", "--trust-proxy takes an address"),
        (f"--redis http://:{PASSWORD}@somewhere", "http"),
        (f"--redis redis://:{PASSWORD}@somewhere:99999", "Port out of range"),
        (f"--redis redis://:{PASSWORD}#x@somewhere", "%23 for #"),
        (f"--redis redis://:{PASSWORD}@somewhere?nosuch=1", "unknown option"),
        ("--metrics-host nosuch.invalid", "--metrics-host 'nosuch.invalid' is not an address"),
    ],
)
def test_a_setting_that_only_the_start_can_judge_is_named(
    words: str, named: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check(typed(f"serve --port 0 --metrics-port 0 {words}", folder, monkeypatch, capsys), 2, named)


def test_a_port_or_a_folder_that_another_server_uses_is_named(
    server: ServerProcess, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    port = typed(f"serve --port {server.port} --metrics-port 0", folder, monkeypatch, capsys)
    data = typed(f"serve --port 0 --metrics-port 0 --data {server.data}", folder, monkeypatch, capsys)

    check(port, 1, str(server.port), "in use")
    check(data, 1, str(server.data), "in use by another server")


def test_a_redis_that_does_not_answer_is_named_without_its_password(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"serve --port 0 --metrics-port 0 --redis redis://:{PASSWORD}@127.0.0.1:9"
    check(typed(words, folder, monkeypatch, capsys), 1, "127.0.0.1:9")


def test_the_data_folder_is_not_looked_at_with_a_redis_of_ones_own(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "serve --port 0 --metrics-port 0 --redis redis://127.0.0.1:9 --data text"
    check(typed(words, folder, monkeypatch, capsys), 1, "127.0.0.1:9")


def test_a_machine_without_redis_or_with_a_broken_one_is_told_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = folder / "valkey-server"
    program.write_text("#!/bin/sh\necho 'Bad directive' >&2\nexit 3\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    check(typed("serve --port 0 --metrics-port 0", folder, monkeypatch, capsys), 1)
    monkeypatch.setattr(embedded, "find_binary", lambda: find_binary("", "nosuchwheel"))
    check(typed("serve --port 0 --metrics-port 0", folder, monkeypatch, capsys), 1, "No Redis was found")
