"""`.venv` is created with the fastest build of the Python version."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deploy import make_venv


def _python(folder: Path, begin: str) -> str:
    """A program `python3` that runs this Python after some commands of the shell."""
    folder.mkdir()
    path = folder / "python3"
    path.write_text(f'#!/bin/sh\n{begin}\nexec {sys.executable} "$@"\n', "ascii")
    path.chmod(0o700)
    return str(path)


def test_a_build_that_is_clearly_faster_is_taken() -> None:
    assert make_venv.fastest({sys.executable: 1.0, "/slow": 2.0, "/fast": 0.6}) == "/fast"


def test_a_build_that_is_as_fast_within_noise_is_not_taken() -> None:
    assert make_venv.fastest({sys.executable: 1.0, "/same": 0.9}) == sys.executable


def test_only_pythons_of_this_version_that_run_are_candidates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = _python(tmp_path / "good", "")
    broken = _python(tmp_path / "broken", "exit 1")
    other = _python(tmp_path / "other", "echo '(3, 4)'; exit 0")
    monkeypatch.setenv("PATH", os.pathsep.join(str(Path(it).parent) for it in (broken, other, good)))

    found = make_venv.others()

    assert good in found
    assert not {broken, other} & set(found)
    assert make_venv.seconds(good) < make_venv.seconds(broken) == float("inf")


def test_the_program_creates_an_environment_that_runs(tmp_path: Path) -> None:
    script = Path(make_venv.__file__)

    subprocess.run([sys.executable, script, tmp_path / "new"], check=True, timeout=120, capture_output=True)

    version = subprocess.run(
        [tmp_path / "new/bin/python", "-c", "import sys; print(*sys.version_info[:2])"],
        check=True,
        timeout=60,
        capture_output=True,
        text=True,
    )
    assert version.stdout.split() == [str(it) for it in sys.version_info[:2]]
