"""Compiles the shim of `shim.c`, with which a test simulates a power cut or sets the clock."""

import os
import random
import shutil
import struct
import subprocess
from pathlib import Path

SOURCE = Path(__file__).parent / "shim.c"
FILES, RENAMES, NAME = 512, 64, 512
"""Must equal the value in `shim.c`."""


def compiler() -> str | None:
    return shutil.which("cc") or shutil.which("gcc")


def build(folder: Path) -> Path:
    """Compile the shared library."""
    made, with_what = folder / "shim.so", compiler()
    assert with_what is not None, "there is no C compiler"
    subprocess.run([with_what, "-O2", "-shared", "-fPIC", "-o", made, SOURCE, "-ldl"], check=True)
    return made


class Disk:
    """Knows which part of a Redis server's files would survive a power cut."""

    def __init__(self, folder: Path, sync_us: int = 0) -> None:
        """Each sync takes this many microseconds longer, so that more cuts fall between a write and its sync."""
        self._table = folder / "disk"
        self.env = {
            "LD_PRELOAD": str(build(folder)),
            "PHOTOFINISH_DISK": str(self._table),
            "PHOTOFINISH_SYNC_US": str(sync_us),
        }

    @property
    def syncs(self) -> int:
        return int(struct.unpack_from("=Q", self._table.read_bytes(), self._end)[0])

    _end = 2 * 8 * FILES + RENAMES * (4 + 2 * NAME)

    def cut(self, aof: Path, chance: random.Random) -> tuple[int, int]:
        """Drop what was not synced, except a piece of random length.

        Returns the bytes dropped and the unsynced bytes kept.
        """
        table = self._table.read_bytes()
        known = dict(
            zip(*(struct.unpack_from(f"={FILES}q", table, at * 8 * FILES) for at in (0, 1)), strict=True)
        )
        for place in reversed(range(RENAMES)):
            at = 2 * 8 * FILES + place * (4 + 2 * NAME)
            is_pending, to, saved = struct.unpack_from(f"=i{NAME}s{NAME}s", table, at)
            if is_pending:
                name, old = (Path(os.fsdecode(raw.partition(b"\0")[0])) for raw in (to, saved))
                name.unlink(missing_ok=True)
                if old.name:
                    old.rename(name)
        forgotten = torn = 0
        for file in aof.iterdir():
            found = file.stat()
            synced = min(known.get(found.st_ino, 0), found.st_size)
            left = synced + chance.randint(0, found.st_size - synced)
            os.truncate(file, left)
            forgotten, torn = forgotten + found.st_size - left, torn + left - synced
        return forgotten, torn


class WallClock:
    """The wall clock of every process started with `env`."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "clock"
        self._file.write_bytes(bytes(8))
        self.env = {"LD_PRELOAD": str(build(folder)), "PHOTOFINISH_CLOCK": str(self._file)}

    def shift(self, seconds: float) -> None:
        """Set the clock this far off the true time."""
        with self._file.open("r+b") as file:
            file.write(struct.pack("=q", round(seconds * 1e6)))
