"""Runs commands as a user types them, without a terminal: in a new process, or faster, in this one."""

import os
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from photofinish.cli import main
from tests.forked import run
from tests.own_logging import own_logging

BIN = Path(sys.executable).parent / "photofinish"


class Done(NamedTuple):
    code: int
    out: str
    err: str


def photofinish(*words: str | Path, folder: Path | None = None, **env: str) -> Done:
    done = run(*words, cwd=folder, env={**os.environ, **env})
    return Done(done.returncode, done.stdout, done.stderr)


def typed(words: str, folder: Path, patch: pytest.MonkeyPatch, said: pytest.CaptureFixture[str]) -> Done:
    """Run the command line through the same `main` in this process: a new process needs a second for its imports."""
    patch.chdir(folder)
    patch.setattr(sys, "argv", ["photofinish", *words.split()])
    said.readouterr()
    with own_logging(), pytest.raises(SystemExit) as end:
        main()
    assert isinstance(end.value.code, int)
    return Done(end.value.code, *said.readouterr())
