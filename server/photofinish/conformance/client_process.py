"""The process of a client under test. It may do anything: write without end, start other processes, never end."""

import asyncio
import contextlib
import os
import shlex
import signal
from collections.abc import Mapping

LONGEST_LINE = 400
"""Bytes of the client's standard error that are kept: the last ones."""
CHUNK = 1 << 16


class ClientProcess:
    """A client in a process group of its own. What it starts in this group ends with it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._said = b""
        self._reader = asyncio.create_task(self._read())

    @property
    def returncode(self) -> int | None:
        return self._process.returncode

    async def wait(self, seconds: float) -> None:
        """Return when the client has ended, or after this time."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), seconds)

    async def end(self) -> tuple[int | None, bytes]:
        """Kill what still runs. Returns the exit code if the client ended by itself, and its last words."""
        code = self.returncode
        with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS: a group that has ended
            os.killpg(self._process.pid, signal.SIGKILL)
        # A process that has left the group may keep the pipe open, so the end of the pipe is not awaited for long.
        tasks = (self._reader, asyncio.create_task(self._process.wait()))
        await asyncio.wait(tasks, timeout=1)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001 - closes the pipe
        return code, self._said

    async def _read(self) -> None:
        """Read all that it writes, so that it never waits for us, and keep the end."""
        assert self._process.stderr is not None
        while chunk := await self._process.stderr.read(CHUNK):
            self._said = (self._said + chunk)[-LONGEST_LINE:]


async def start_client(command: str, variables: Mapping[str, str]) -> ClientProcess:
    """Start the command with these variables added to the environment."""
    process = await asyncio.create_subprocess_exec(
        *shlex.split(command), env={**os.environ, **variables}, stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    return ClientProcess(process)
