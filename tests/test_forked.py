"""A forked `photofinish` is a process like any other: its own pid, environment, output, signals and exit code."""

import os
import signal
from pathlib import Path

import pytest

from tests.forked import Forked, run


def test_output_and_exit_code_of_a_forked_command_come_back() -> None:
    version, refused = run("--version"), run("serve", "--nosuch")

    assert (version.returncode, version.stderr) == (0, "")
    assert version.stdout.strip().count(".") == 2
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "--nosuch" in refused.stderr


def test_a_forked_command_has_its_own_environment_and_folder(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no replay", encoding="utf-8")
    found = run("verify", "text", cwd=tmp_path)
    other = run("serve", env={**os.environ, "PHOTOFINISH_PORT": "65536"})

    assert "text" in found.stderr
    assert "not found" not in found.stderr
    assert "65536" in other.stderr


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGKILL])
def test_a_signal_reaches_only_the_forked_command_it_is_for(tmp_path: Path, sign: signal.Signals) -> None:
    words = ["serve", "--port", "0", "--metrics-port", "0"]
    one, other = (Forked([*words, "--data", tmp_path / name]) for name in ("one", "other"))
    for server in (one, other):
        assert server.stdout is not None
        assert "Photofinish is at" in server.stdout.readline()
    one.send_signal(sign)

    assert one.wait(20) == (0 if sign is signal.SIGTERM else -signal.SIGKILL)
    assert other.returncode is None
    os.kill(other.pid, 0)
    other.send_signal(signal.SIGTERM)
    assert other.wait(20) == 0
    for server in (one, other):
        assert server.stdout is not None
        server.stdout.close()
