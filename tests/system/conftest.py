"""A real server in a process of its own, on its embedded Redis, to be killed and started again."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.forked import Forked

BIN = Path(sys.executable).parent / "photofinish"


class ServerProcess:
    """`photofinish serve` on a port of its own. A second `start` finds the data of the first."""

    def __init__(self, folder: Path, *more: str, env: dict[str, str] | None = None, port: int = 0) -> None:
        self._folder, self._more, self._env = folder, more, env or {}
        self.data = folder / "data"
        self._child: Forked | subprocess.Popen[str] | None = None
        self.port = port
        self.metrics_port = 0
        """The metrics port; 0 for none."""
        self.greeting: list[str] = []

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._child is not None
        return self._child.pid

    @property
    def redis_pid(self) -> int:
        """The embedded Redis of this server, as the data folder knows it."""
        return int((self.data / "child.lock").read_text(encoding="ascii").split()[0])

    @property
    def redis_url(self) -> str:
        return f"unix://{(self.data / 'child.lock').read_text(encoding='ascii').split()[1]}/redis.sock"

    @property
    def log(self) -> str:
        return (self._folder / "serve.log").read_text(encoding="utf-8")

    def with_numbers(self) -> "ServerProcess":
        """From the next start on it serves metrics on a free port."""
        with socket.socket() as place:
            place.bind(("127.0.0.1", 0))
            self.metrics_port = int(place.getsockname()[1])
        return self

    def start(self) -> "ServerProcess":
        words = ["serve", "--port", str(self.port), "--data", str(self.data)]
        words += ["--metrics-port", str(self.metrics_port), *self._more]
        with (self._folder / "serve.log").open("a", encoding="utf-8") as log:
            if self._env or "--components" in words:  # libraries to load, or other games: a real start
                env = {**os.environ, "PYTHONUNBUFFERED": "1", **self._env}
                self._child = subprocess.Popen(
                    [BIN, *words], stdout=subprocess.PIPE, stderr=log, text=True, env=env
                )
            else:
                self._child = Forked(words, stderr=log)
        try:
            self._greeted()
        except BaseException:  # the test has no server to stop then
            self.kill()
            raise
        return self

    def _greeted(self) -> None:
        """Read its first lines, which tell its port."""
        assert self._child is not None
        assert self._child.stdout is not None
        first = self._child.stdout.readline()
        assert "Photofinish is at" in first, first + self.log
        self.greeting = [first, *(self._child.stdout.readline() for _ in range(3))]
        self.port = int(first.split("ws://127.0.0.1:")[1].split()[0])

    def freeze(self) -> None:
        os.kill(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def kill(self) -> None:
        """Kill it with SIGKILL: it cannot close its connections properly."""
        self._end(signal.SIGKILL)

    def stop(self, timeout: float = 20) -> int:
        return self._end(signal.SIGTERM, timeout)

    def _end(self, sign: signal.Signals, timeout: float = 20) -> int:
        child, self._child = self._child, None
        if child is None:
            return 0
        assert child.stdout is not None
        with child.stdout:
            child.send_signal(sign)
            try:
                return child.wait(timeout=timeout)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait(timeout=timeout)
                raise


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path)
    yield process.start()
    process.stop()


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One server for a whole file of tests that do not hurt it."""
    process = ServerProcess(tmp_path_factory.mktemp("server"))
    yield process.start()
    process.stop()


@pytest.fixture
def nodes(tmp_path: Path, redis_url: str) -> Iterator[list[ServerProcess]]:
    """Two nodes on one Redis."""
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        made.append(ServerProcess(tmp_path / name, "--redis", redis_url).start())
    yield made
    for node in made:
        node.stop()
