"""Checks that the embedded Redis can use this folder: it writes test files there and removes them."""

import fcntl
import os
import tempfile
from pathlib import Path

from photofinish.doctor.finding import Finding

NAME = "data folder"
ADVICE = "Give the server a data folder it may write to: --data."


def data_folder(data: Path) -> Finding:
    """Check the folder if it exists, otherwise the folder in which it would be created."""
    place = next(it for it in (data.absolute(), *data.absolute().parents) if it.exists())
    if not place.is_dir():
        return Finding(NAME, "fail", f"{place} is not a folder", ADVICE)
    try:
        _try(place)
    except OSError as fault:
        return Finding(NAME, "fail", f"{place}: {fault.strerror or fault}", ADVICE)
    if place != data.absolute():
        return Finding(NAME, "ok", f"{data.absolute()} can be made")
    return _free(data.absolute())


def _try(place: Path) -> None:
    """Do all that a server does there: create a folder, write a file, lock it, rename it."""
    with tempfile.TemporaryDirectory(prefix=".doctor-", dir=place) as name:
        file = Path(name) / "file"
        with file.open("wb") as opened:
            opened.write(b"photofinish")
            opened.flush()
            os.fsync(opened.fileno())
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        file.replace(file.with_suffix(".new"))


def _free(folder: Path) -> Finding:
    """Does another server use this folder now?"""
    try:
        with (folder / "server.lock").open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return Finding(NAME, "ok", f"{folder} can be used")
    except BlockingIOError:
        holder = (folder / "server.lock").read_text(encoding="ascii", errors="replace").strip() or "unknown"
        advice = "Stop that server before you start another one there, or use another folder: --data."
        return Finding(NAME, "warn", f"{folder} is in use by the server with process {holder}", advice)
    except OSError as fault:
        return Finding(NAME, "fail", f"{folder / 'server.lock'}: {fault.strerror}", ADVICE)
    return Finding(NAME, "ok", f"{folder} can be used")
