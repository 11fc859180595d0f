"""Child processes of the laboratory on real sockets. They exchange lines with it and end with it."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import msgspec

T = TypeVar("T", bound=msgspec.Struct)

LONGEST_LINE = 1 << 26
"""Longest line in bytes: the report of a player process for a long cell is one line."""
GRACE = 10.0
"""Seconds that a process may take to end by itself."""


class ChildEnded(Exception):  # noqa: N818 - the fact itself
    """A process of the laboratory ended before its time."""


class Child:
    """One process, in a namespace or (-) in ours.

    It has its own session, so that Ctrl-C reaches only the laboratory.
    """

    def __init__(self, name: str, space: str, log: Path, *program: str, place: int = 0) -> None:
        self.name, self._log = name, log
        self._program = [
            sys.executable, "-m", "photofinish.lab.net.links.netns_run", space, str(place), sys.executable, *program
        ]  # fmt: skip
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._program,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                limit=LONGEST_LINE,
                start_new_session=True,
            )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, _fault: BaseException | None, _trace: TracebackType | None
    ) -> None:
        process = self._running()
        assert process.stdin is not None
        process.stdin.close()
        if kind is not None or self.name == "server":
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
        try:
            await asyncio.wait_for(process.wait(), GRACE)
        except TimeoutError:
            process.kill()
            await process.wait()

    @property
    def pid(self) -> int:
        return self._running().pid

    def say(self, it: object) -> None:
        stdin = self._running().stdin
        assert stdin is not None
        stdin.write(msgspec.json.encode(it) + b"\n")

    async def line(self) -> bytes:
        """The next line of its output."""
        stdout = self._running().stdout
        assert stdout is not None
        line = await stdout.readline()
        if not line:
            raise ChildEnded(f"the {self.name} ended: {self._log.read_text(encoding='utf-8')[-2000:]}")
        return line

    async def hear(self, kind: type[T]) -> T:
        return msgspec.json.decode(await self.line(), type=kind)

    async def notes(self, kind: type[T]) -> AsyncIterator[T]:
        while True:
            yield await self.hear(kind)

    def share(self) -> tuple[float, float]:
        """Seconds that it ran on a core, and seconds that it waited for one; 0 where the kernel does not report
        them.
        """
        file = Path(f"/proc/{self._running().pid}/schedstat")
        if not file.exists():
            return 0.0, 0.0
        had, waited, _ = file.read_text(encoding="utf-8").split()
        return int(had) / 1e9, int(waited) / 1e9

    def _running(self) -> asyncio.subprocess.Process:
        assert self._process is not None, "not started"
        return self._process
