"""The seats of this user, on disk, so that a new program can resume the seat of one that ended.

There is one file per seat, readable only by this user. A program holds a lock on the file while it uses the seat, so
that a second `photofinish play` does not take the seat from the first.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Final

import msgspec

try:
    import fcntl
except ImportError:  # Windows has no fcntl: there a second program can take the seat
    fcntl = None  # type: ignore[assignment]

STATE: Final = "XDG_STATE_HOME"


class SavedSeat(msgspec.Struct, frozen=True):
    """What is needed to resume a seat. `url` contains no access token."""

    url: str
    room: str
    name: str
    token: str
    saved_at: float = 0.0


def seats_folder() -> Path:
    """The folder with the saved seats of this user."""
    state = os.environ.get(STATE, "")
    return (Path(state) if state else Path.home() / ".local" / "state") / "photofinish" / "seats"


class LockedSeat:
    """A saved seat whose file this program has locked."""

    def __init__(self, file: Path, lock: int, seat: SavedSeat) -> None:
        self._file, self._lock, self.seat = file, lock, seat

    def keep(self, token: str) -> None:
        """Replace the token, atomically: if we crash here, the file is still complete."""
        self.seat = msgspec.structs.replace(self.seat, token=token, saved_at=time())
        fresh = self._file.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(msgspec.json.encode(self.seat))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._file)

    def forget(self) -> None:
        self._file.unlink(missing_ok=True)

    def release(self) -> None:
        os.close(self._lock)
        if not self._file.exists():
            self._file.with_suffix(".lock").unlink(missing_ok=True)


def save_and_lock(url: str, room: str, name: str, token: str) -> LockedSeat | None:
    """Save a new seat and lock it. None if it cannot be saved: then it cannot be resumed after this program ends."""
    try:
        folder = seats_folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = folder / f"{sha256(f'{url} {room}'.encode()).hexdigest()[:24]}.json"
        lock = _locked(file)
        if lock is None:
            return None
        held = LockedSeat(file, lock, SavedSeat(url, room, name, token))
        held.keep(token)
    except OSError:
        return None
    return held


def lock_saved(url: str, room: str | None = None) -> Iterator[LockedSeat]:
    """The saved seats at this server, newest first, that no other program uses. The caller must release each."""
    found = [(file, seat) for file in seats_folder().glob("*.json") if (seat := _read(file)) is not None]
    for file, seat in sorted(found, key=lambda it: it[1].saved_at, reverse=True):
        if seat.url == url and (room is None or seat.room == room.upper()):
            lock = _locked(file)
            if lock is not None:
                # Read again: the program that had the lock may have changed the token.
                yield LockedSeat(file, lock, _read(file) or seat)


@contextmanager
def released(held: LockedSeat | None) -> Iterator[None]:
    try:
        yield
    finally:
        if held is not None:
            held.release()


def _read(file: Path) -> SavedSeat | None:
    with suppress(OSError, msgspec.DecodeError, msgspec.ValidationError):
        return msgspec.json.decode(file.read_bytes(), type=SavedSeat)
    return None


def _locked(file: Path) -> int | None:
    """A lock that the system releases when this program ends; None if another program has it."""
    lock = os.open(file.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    if fcntl is not None:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            return None
    return lock
