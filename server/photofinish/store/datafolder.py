"""The folder an embedded server keeps its games in: one server at a time, and no child left behind."""

import fcntl
import os
import shutil
import signal
import tempfile
import time
from pathlib import Path
from typing import IO

SOCKET_LIMIT = 100
"""A unix socket's path may have about 104 bytes; macOS is the strictest."""
FAREWELL = 10.0
"""Seconds a left-over child has to store what it holds before it is killed."""


class FolderInUse(Exception):  # noqa: N818 - the operator reads it as a sentence
    """Another server keeps its games there."""


class DataFolder:
    """Two locks: ours dies with us, the child's with the child, so we know exactly who is still alive."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = _open(self.path / "server.lock")
        if not _try_lock(self._lock):
            holder = self._lock.read().strip() or "unknown"
            self._lock.close()
            raise FolderInUse(
                f"{self.path} is in use by another server (process {holder}). Stop it, or give this one a data "
                "folder of its own."
            )
        _write(self._lock, str(os.getpid()))
        self._child = _open(self.path / "child.lock")
        try:
            self._see_off()
        except BaseException:
            self.close()
            raise
        self.sockets = _short_folder()

    @property
    def child_lock(self) -> int:
        """Handed to the child, which thereby holds the lock as long as it lives."""
        return self._child.fileno()

    @property
    def socket(self) -> Path:
        return self.sockets / "redis.sock"

    def note_child(self, pid: int) -> None:
        _write(self._child, f"{pid} {self.sockets}")

    def close(self) -> None:
        if hasattr(self, "sockets"):
            shutil.rmtree(self.sockets, ignore_errors=True)
        self._child.close()
        self._lock.close()

    def _see_off(self) -> None:
        """A child whose server was killed may still be there: on Linux for a moment, elsewhere for good."""
        self._child.seek(0)
        pid, _, sockets = self._child.read().strip().partition(" ")
        asked = time.monotonic()
        said = None
        while not _try_lock(self._child):
            # It holds the lock, so it lives, so the number is still its own.
            waited = time.monotonic() - asked
            if waited > 2 * FAREWELL:
                raise FolderInUse(
                    f"{self.path} is held by a Redis that does not stop (process {pid or 'unknown'})."
                )
            farewell = signal.SIGTERM if waited < FAREWELL else signal.SIGKILL
            if pid.isdigit() and farewell is not said:
                os.kill(int(pid), farewell)
                said = farewell
            time.sleep(0.01)
        if sockets and Path(sockets).name.startswith(_PREFIX):
            shutil.rmtree(sockets, ignore_errors=True)


_PREFIX = "photofinish-"


def _short_folder() -> Path:
    """A folder only we can enter, with a path short enough for a socket."""
    for parent in (os.environ.get("XDG_RUNTIME_DIR"), tempfile.gettempdir(), "/tmp"):  # noqa: S108 - mkdtemp: 0700, random
        if parent and len(os.fsencode(parent)) + 35 <= SOCKET_LIMIT and os.access(parent, os.W_OK):
            return Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
    raise OSError("no folder with a path short enough for a unix socket; set TMPDIR to one")


def _open(path: Path) -> IO[str]:
    return path.open("a+", encoding="ascii")


def _try_lock(file: IO[str]) -> bool:
    file.seek(0)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _write(file: IO[str], text: str) -> None:
    file.seek(0)
    file.truncate()
    file.write(text)
    file.flush()
