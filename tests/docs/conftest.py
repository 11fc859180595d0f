"""The documentation site, built once for all workers."""

import fcntl
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
LONGEST = 30.0
"""Seconds of processor time: the figure of the issue. Load of other programs does not count."""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site. Only one pytest worker builds it; the others wait for it."""
    run = tmp_path_factory.getbasetemp()
    run = run.parent if os.environ.get("PYTEST_XDIST_WORKER") else run
    folder, trouble = run / "docs-site", run / "docs.trouble"
    with (run / "docs.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not trouble.exists():
            trouble.write_text(_build(folder), encoding="utf-8")
    if reason := trouble.read_text(encoding="utf-8"):
        pytest.fail(f"the site could not be built:\n{reason}", pytrace=False)
    return folder


def _build(folder: Path) -> str:
    """Returns the error text."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [sys.executable, "-m", "protocol.website.build", str(folder)]
    ran = subprocess.run(words, cwd=TOP, capture_output=True, text=True, check=False, timeout=110)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if ran.returncode:
        return ran.stdout + ran.stderr[-3000:]
    return "" if took < LONGEST else f"it took {took:.1f} s of processor time, at most {LONGEST} are allowed"
