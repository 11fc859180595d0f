"""Starts the clients under test without their imports: a process imports them once and forks for every start.

`python -m tests.conformance.warm PLACE` listens on the socket PLACE. The command of a client is
`start.py PLACE MODULE`, a process that the examiner starts and kills. The forked client ends with it.
"""

import asyncio  # noqa: F401 - the clients use it: it is imported before the fork
import contextlib
import gc
import importlib.util
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from tests.waiting import wait_until

HERE = Path(__file__).parent
USED = (
    "photofinish_client.client",
    "photofinish_client.headless",
    "photofinish_client.terminal.app",
    "photofinish_client.terminal.live",
    "tests.protocol.page",
    "tests.waiting",
    "textual.pilot",
    "websockets.asyncio.client",
)
"""What the clients import."""


class Warm:
    """The running process that forks. `command` starts a client through it."""

    def __init__(self, place: Path) -> None:
        self._place = place

    def command(self, module: str, *words: str) -> str:
        """A command line for the examiner."""
        start = HERE / "start.py"
        return " ".join((sys.executable, "-S", "-E", str(start), str(self._place), module, *words))


@contextlib.contextmanager
def warm(folder: Path) -> Iterator[Warm]:
    place = folder / "warm.sock"
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.conformance.warm", place], cwd=HERE.parents[1], stdin=subprocess.DEVNULL
    )
    try:
        wait_until(lambda: place.exists() or child.poll() is not None, "the process that forks listens")
        yield Warm(place)
    finally:
        child.kill()
        child.wait()


def _listen(place: str) -> None:
    for name in USED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the clients: the kernel reaps them
    with socket.socket(socket.AF_UNIX) as url:
        url.bind(place + ".new")
        url.listen(64)
        Path(place + ".new").rename(place)
        while True:
            order, _ = url.accept()
            if os.fork() == 0:
                url.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                break
            order.close()
    _become(order)


def _become(order: socket.socket) -> None:
    """Run the client that the order names, as `python -m` does. The exit code is 0 if it ends without an exception."""
    with Path(os.devnull).open("r+b") as nothing:
        for number in (0, 1, 2):
            os.dup2(nothing.fileno(), number)
    with order.makefile("r", encoding="utf-8") as lines:
        wanted = json.loads(lines.readline())
    os.environ.clear()
    os.environ.update(wanted["env"])
    sys.argv = wanted["words"]
    threading.Thread(target=_end_with, args=(order,), daemon=True).start()
    code = 1
    try:
        runpy.run_module(wanted["words"][0], run_name="__main__", alter_sys=True)
        code = 0
    finally:
        with contextlib.suppress(OSError):
            order.sendall(b"%d\n" % code)
        os._exit(code)


def _end_with(order: socket.socket) -> None:
    """The examiner has killed the process that it started."""
    order.recv(1)
    os._exit(1)


if __name__ == "__main__":
    _listen(sys.argv[1])
