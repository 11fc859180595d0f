"""The JavaScript SDK, compiled once for all tests that run a part of it in Node."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.conftest import ServerProcess

TOP = Path(__file__).parents[3]
JS = TOP / "clients" / "js"


def node(
    *words: str | Path, timeout: float = 100, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a command of Node.js (`node`, `npm`) in clients/js."""
    return subprocess.run(
        [sys.executable, TOP / "clients" / "node.py", *words],
        cwd=JS,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def run_tests(compiled: Path, **env: str) -> None:
    """Run one file of compiled JavaScript tests; fails with the output of the runner."""
    ran = node("node", "--test", "--test-reporter=tap", compiled, env=env)
    if ran.returncode or "# fail 0" not in ran.stdout or "# pass 0" in ran.stdout:
        pytest.fail(f"{compiled.name}:\n{ran.stdout[-8000:]}\n{ran.stderr[-4000:]}", pytrace=False)


def build() -> str:
    """Install the packages of the lock file if necessary, and compile. Returns the error text."""
    lock, installed = JS / "package-lock.json", JS / "node_modules" / ".package-lock.json"
    steps = [["npm", "run", "--silent", "build-tests"]]
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        steps.insert(0, ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"])
    for words in steps:
        ran = node(*words, timeout=600)
        if ran.returncode:
            return f"{' '.join(words)}:\n{ran.stdout}\n{ran.stderr}"
    return ""


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder `build/test`. Only one pytest worker installs and compiles; the others wait for it."""
    run = tmp_path_factory.getbasetemp()
    run = run.parent if os.environ.get("PYTEST_XDIST_WORKER") else run
    with (run / "js.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = run / "js.done"
        if not done.exists():
            done.write_text(build(), encoding="utf-8")
        if trouble := done.read_text(encoding="utf-8"):
            pytest.fail(f"the JavaScript SDK could not be built:\n{trouble[-6000:]}", pytrace=False)
    return JS / "build" / "test"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One server for all programs of a file."""
    process = ServerProcess(tmp_path_factory.mktemp("server"))
    yield process.start()
    process.stop()
