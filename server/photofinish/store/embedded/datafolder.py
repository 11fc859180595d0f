"""The data folder of the embedded Redis. One server uses it at a time; a left-over Redis child is stopped first."""

import fcntl
import os
import shutil
import signal
import tempfile
import time
from pathlib import Path
from typing import IO

SOCKET_LIMIT = 100
"""Longest path of a unix socket, in bytes. The strictest system is macOS, with about 104."""
STOP_SECONDS = 10.0
"""A left-over child gets SIGTERM, and SIGKILL after this many seconds."""


class FolderInUse(Exception):  # noqa: N818 - the operator reads it as a sentence
    """Another server uses this data folder."""


class DataFolder:
    """Holds two file locks: one for this process, one that the child inherits. A held lock means a live process."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = _open(self.path / "server.lock")
        if not _try_lock(self._lock):
            holder = self._lock.read().strip() or "unknown"
            self._lock.close()
            raise FolderInUse(
                f"{self.path} is in use by another server (process {holder}). Stop that server, or start this one with "
                "another data folder."
            )
        _write(self._lock, str(os.getpid()))
        self._child = _open(self.path / "child.lock")
        try:
            self._stop_leftover_child()
        except BaseException:
            self.close()
            raise
        self.sockets = _short_folder()

    @property
    def child_lock(self) -> int:
        """The file descriptor that the child inherits. The child then holds the lock until it ends."""
        return self._child.fileno()

    @property
    def socket(self) -> Path:
        return self.sockets / "redis.sock"

    def note_child(self, pid: int) -> None:
        """Write down the child for the next start, which stops it if we are killed."""
        _write(self._child, f"{pid} {self.sockets}")

    def close(self) -> None:
        if hasattr(self, "sockets"):
            shutil.rmtree(self.sockets, ignore_errors=True)
        self._child.close()
        self._lock.close()

    def _stop_leftover_child(self) -> None:
        """Stop the child of a server that was killed. On Linux it ends by itself; elsewhere it would run on."""
        self._child.seek(0)
        pid, _, sockets = self._child.read().strip().partition(" ")
        began = time.monotonic()
        last_sent = None
        while not _try_lock(self._child):
            # The child holds the lock, so it is alive and the pid in the file is still its pid.
            waited = time.monotonic() - began
            if waited > 2 * STOP_SECONDS:
                raise FolderInUse(
                    f"{self.path} is in use by a Redis that does not stop (process {pid or 'unknown'})."
                )
            to_send = signal.SIGTERM if waited < STOP_SECONDS else signal.SIGKILL
            if pid.isdigit() and to_send is not last_sent:
                os.kill(int(pid), to_send)
                last_sent = to_send
            time.sleep(0.01)
        if sockets and Path(sockets).name.startswith(_PREFIX):
            shutil.rmtree(sockets, ignore_errors=True)


_PREFIX = "photofinish-"


def _short_folder() -> Path:
    """A new folder for the socket. Only this user can open it, and its path is short enough for a socket."""
    for parent in (os.environ.get("XDG_RUNTIME_DIR"), tempfile.gettempdir(), "/tmp"):  # noqa: S108 - mkdtemp: 0700, random
        if parent and len(os.fsencode(parent)) + 35 <= SOCKET_LIMIT and os.access(parent, os.W_OK):
            return Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
    raise OSError("no writable folder has a path short enough for a unix socket; set TMPDIR to one")


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
