"""Servers in processes and folders of their own, to be stopped, killed and started again."""

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path

PATIENCE = 120.0


class Server:
    """`photofinish serve`. A second `start` finds the port and the data of the first."""

    def __init__(self, folder: Path, *more: str) -> None:
        self._folder, self._more = folder, more
        self._child: asyncio.subprocess.Process | None = None
        self._port = "0"

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self._port}"

    @property
    def redis(self) -> str:
        """The address of its embedded Redis, for a second node."""
        place = (self._folder / "child.lock").read_text(encoding="ascii").split()[1]
        return f"unix://{place}/redis.sock"

    async def start(self) -> "Server":
        words = ("--port", self._port, "--data", str(self._folder), "--metrics-port", "0")
        first = await asyncio.wait_for(self._greeting("serve", *words, *self._more), PATIENCE)
        self._port = first.split("ws://127.0.0.1:")[1].split()[0]
        return self

    async def _greeting(self, *words: str) -> str:
        """Start the process. Returns the first line that it writes."""
        self._child = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "photofinish", *words,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        assert self._child.stdout is not None
        return (await self._child.stdout.readline()).decode()

    async def stop(self) -> None:
        """Tell it to stop: it sends `bye` to its clients."""
        await self._end(is_killed=False)

    async def kill(self) -> None:
        await self._end(is_killed=True)

    async def _end(self, *, is_killed: bool) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        child.kill() if is_killed else child.terminate()
        await child.wait()


ServerOf = Callable[..., Server]
"""Makes a server from its folder and further options. The tests pass one that starts faster."""
