"""Runs one of our commands on a pseudo-terminal: reads what it writes and when, and sends it keys."""

import asyncio
import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from tests.waiting import within

BIN = Path(sys.executable).parent / "photofinish"
PATIENCE = 40.0


class Terminal:
    """The other end of a pseudo-terminal. Reads in the background. A `wait` that times out names what it waited for."""

    def __init__(self, master: int, child: subprocess.Popen[bytes]) -> None:
        self._master, self.child = master, child
        self.out = b""
        self.came_at = perf_counter()
        """When the last bytes were read."""
        self._news = asyncio.Event()
        self._is_hung_up = False
        self.has_closed = False
        """The program has closed its side: nothing more will be written."""
        asyncio.get_running_loop().add_reader(master, self._read)

    def _read(self) -> None:
        try:
            data = os.read(self._master, 65536)
        except OSError:  # the program has closed its side
            data = b""
        if not data:
            self.has_closed = True
            asyncio.get_running_loop().remove_reader(self._master)
        self.came_at = perf_counter()
        self.out += data
        self._news.set()

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    async def wait(self, what: bytes, *, after: int = 0, patience: float = PATIENCE) -> float:
        """Wait for these bytes at or after this position of the output. Returns the time at which they were read."""
        async with within(lambda: f"{what!r} is written; it wrote {self.out[after:][-2000:]!r}", patience):
            while what not in self.out[after:]:
                assert not self.has_closed, f"it ended before {what!r}: {self.out[after:][-2000:]!r}"
                self._news.clear()
                await self._news.wait()
        return self.came_at

    async def rest(self, quiet: float = 0.06, *, after: int = 0) -> None:
        """Wait until something was written after this position, and then nothing for this long."""
        async with within(lambda: f"something is written after {self.out[:after][-500:]!r}", PATIENCE):
            while len(self.out) <= after:
                assert not self.has_closed, f"it ended after {self.out[-2000:]!r}"
                self._news.clear()
                await self._news.wait()
            while (left := self.came_at + quiet - perf_counter()) > 0:  # noqa: ASYNC110 - silence is no event
                await asyncio.sleep(left)

    async def end(self) -> int:
        """Wait until the program ends by itself. Returns the exit code."""
        async with within(lambda: f"the program ends; it wrote {self.out[-500:]!r}", PATIENCE):
            while (code := self.child.poll()) is None:  # noqa: ASYNC110 - nor is the end of a process
                await asyncio.sleep(0.02)
        return code

    def hang_up(self) -> None:
        """Close the terminal. The program has none of its own session, so it gets no SIGHUP."""
        asyncio.get_running_loop().remove_reader(self._master)
        os.close(self._master)
        self._is_hung_up = True

    def close(self) -> None:
        self.child.kill()
        self.child.wait()
        if not self._is_hung_up:
            self.hang_up()


@contextmanager
def terminal(*words: str | Path, size: tuple[int, int] = (120, 40), state: Path) -> Iterator[Terminal]:
    """`photofinish` with these words on a terminal of this size; its saved seats are under `state`."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
    env = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "XDG_STATE_HOME": str(state)}
    child = subprocess.Popen(
        [BIN, *words], stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True
    )
    os.close(slave)
    it = Terminal(master, child)
    try:
        yield it
    finally:
        it.close()
