"""Starts `photofinish` without the second of processor time that a new process needs for its imports.

`python -m tests.forked` imports every command once, and then forks for every start that a test asks for. The forked
process has its own pid, arguments, environment, folder and descriptors, runs the same `main`, and ends as any program
does. The games are loaded before the fork too. What depends on a start from nothing (LD_PRELOAD, PYTHON… variables,
`--components`) needs a real start.
"""

import atexit
import contextlib
import functools
import gc
import json
import mimetypes
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NoReturn

TOP = Path(__file__).parent.parent
LONGEST_ORDER = 200_000
LATE_IMPORTS = ("cyclopts.help", "docstring_parser", "encodings.idna", "rich.markdown", "rich.traceback")
"""What a command imports while it runs: for `--help`, `--version` and an address."""
SIGNALS = (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Forked:
    """A started `photofinish`, with as much of `subprocess.Popen` as the tests use."""

    def __init__(
        self,
        words: Sequence[str | Path],
        *,
        stdout: IO[Any] | None = None,
        stderr: IO[Any] | None = None,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> None:
        """Without `stdout` a pipe is made, and `self.stdout` reads from it."""
        assert "--components" not in words, "the games of a forked process are loaded: use a real start"
        self.stdout: IO[str] | None = None
        self.returncode: int | None = None
        self._news, theirs = socket.socketpair()
        order = {
            "words": [str(word) for word in words],
            "env": dict(os.environ if env is None else env),
            "cwd": str(cwd or Path.cwd()),
        }
        with contextlib.ExitStack() as stack:
            stack.enter_context(theirs)
            nothing = stack.enter_context(Path(os.devnull).open("r+b"))
            if stdout is None:
                read, write = os.pipe()
                self.stdout = os.fdopen(read, encoding="utf-8")
                out = stack.enter_context(os.fdopen(write, "wb")).fileno()
            else:
                out = stdout.fileno()
            error = (stderr or nothing).fileno()
            given = [theirs.fileno(), nothing.fileno(), out, error]
            socket.send_fds(_forker(), [json.dumps(order).encode()], given)
        try:
            self.pid = int(self._line())
        except BaseException:  # a test that waits too long is ended by an exception
            self.close()
            raise

    def _line(self) -> bytes:
        """The next line that the forker writes about this process."""
        line = b""
        while not line.endswith(b"\n"):
            more = self._news.recv(1)
            if not more:
                raise RuntimeError("the process that forks has ended")
            line += more
        return line

    def close(self) -> None:
        """Close our ends of its connection and its pipe. It is not ended by that."""
        self._news.close()
        if self.stdout is not None:
            self.stdout.close()

    def send_signal(self, sign: signal.Signals) -> None:
        if self.returncode is None:
            os.kill(self.pid, sign)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        """The exit code; a negative signal number if a signal ended it."""
        if self.returncode is None:
            self._news.settimeout(timeout)
            try:
                self.returncode = int(self._line())
            except TimeoutError:
                raise subprocess.TimeoutExpired("photofinish", timeout or 0) from None
            self._news.close()
        return self.returncode


def run(
    *words: str | Path, env: Mapping[str, str] | None = None, cwd: Path | None = None, timeout: float = 280
) -> subprocess.CompletedProcess[str]:
    """`photofinish` with these words, without a terminal, to its end."""
    with tempfile.TemporaryFile("w+b") as out, tempfile.TemporaryFile("w+b") as error:
        child = Forked(words, stdout=out, stderr=error, env=env, cwd=cwd)
        try:
            code = child.wait(timeout)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            raise
        out.seek(0)
        error.seek(0)
        return subprocess.CompletedProcess(
            ["photofinish", *words], code, out.read().decode(), error.read().decode()
        )


@functools.cache
def _forker() -> socket.socket:
    """The connection to the process that forks. It is started at the first use and ends with this process."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        child = subprocess.Popen(
            [sys.executable, "-m", "tests.forked", str(theirs.fileno())],
            cwd=TOP,
            stdin=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(),),
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # no threads in a process that forks
        )

    def end() -> None:
        ours.close()
        child.wait(10)

    atexit.register(end)
    return ours


def _import_all() -> None:
    from importlib import import_module

    from photofinish.cli import import_commands

    import_commands()
    import_module("photofinish.app")
    import_module("tests.frames")
    for name in LATE_IMPORTS:
        import_module(name)
    with contextlib.suppress(ImportError):
        import_module("uvloop")
    mimetypes.init()
    from photofinish.games import all_games
    from photofinish.gateway.http.catalogue import Catalogue

    Catalogue(all_games())  # keeps the descriptions that it reads from the source code
    gc.collect()
    gc.freeze()


def _serve_forks(orders: socket.socket) -> list[str]:
    """Fork on request until the connection closes. Returns only in a forked process, with its arguments."""
    woken, wake = socket.socketpair()
    woken.setblocking(False)
    wake.setblocking(False)
    signal.set_wakeup_fd(wake.fileno())
    for sign in SIGNALS:
        signal.signal(sign, lambda *_: None)  # a Ctrl-C is for pytest
    news: dict[int, int] = {}
    with selectors.DefaultSelector() as ready:
        ready.register(orders, selectors.EVENT_READ)
        ready.register(woken, selectors.EVENT_READ)
        while True:
            for key, _ in ready.select():
                if key.fileobj is woken:
                    with contextlib.suppress(BlockingIOError):
                        woken.recv(4096)
                    _report_ends(news)
                    continue
                order, given, _, _ = socket.recv_fds(orders, LONGEST_ORDER, 4)
                if not order:
                    _end_all(news)
                report_to, *places = given
                child = os.fork()
                if child == 0:
                    signal.set_wakeup_fd(-1)
                    for sign in SIGNALS:
                        signal.signal(
                            sign, signal.default_int_handler if sign is signal.SIGINT else signal.SIG_DFL
                        )
                    for file in (woken, wake, orders):
                        file.close()
                    for fd in (*news.values(), report_to):
                        os.close(fd)
                    return _become(json.loads(order), places)
                for fd in places:
                    os.close(fd)
                news[child] = report_to
                os.write(report_to, b"%d\n" % child)


def _become(order: dict[str, Any], places: list[int]) -> list[str]:
    for number, fd in enumerate(places):
        os.dup2(fd, number)
        os.close(fd)
    os.environ.clear()
    os.environ.update(order["env"])
    os.chdir(order["cwd"])
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - a descriptor, to the end
    sys.stdout = open(1, "w", buffering=1, encoding="utf-8", closefd=False)  # noqa: SIM115 - as long as the process
    sys.stderr = open(2, "w", buffering=1, encoding="utf-8", closefd=False)  # noqa: SIM115 - as long as the process
    words: list[str] = order["words"]
    return words


def _report_ends(news: dict[int, int]) -> None:
    while news:
        child, status = os.waitpid(-1, os.WNOHANG)
        if child == 0:
            return
        with contextlib.suppress(BrokenPipeError):
            os.write(news[child], b"%d\n" % os.waitstatus_to_exitcode(status))
        os.close(news.pop(child))


def _end_all(news: dict[int, int]) -> NoReturn:
    for child in news:
        os.kill(child, signal.SIGKILL)
    for child in news:
        os.waitpid(child, 0)
    sys.exit(0)


def _leave(code: int) -> NoReturn:
    """End as Python does, but leave the memory to the kernel: to free each object copies the forker's memory."""
    threading._shutdown()  # type: ignore[attr-defined]  # waits for the threads that are left
    atexit._run_exitfuncs()
    gc.collect()  # what was left open or unfinished writes its warning
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        sys.exit(code)  # with the message and the code of Python
    os._exit(code)


if __name__ == "__main__":
    _import_all()
    with socket.socket(fileno=int(sys.argv[1])) as orders:
        words = _serve_forks(orders)
    from photofinish.cli import main
    from tests.frames import watch_if_asked

    watch_if_asked()
    sys.argv = ["photofinish", *words]
    try:
        main()
    except SystemExit as exit_:
        if not isinstance(exit_.code, int | None):
            raise
        _leave(exit_.code or 0)
    _leave(0)
