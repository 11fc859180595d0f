"""The servers that a situation has for itself, without the second of imports at each start (tests/forked.py)."""

import asyncio
import signal
from pathlib import Path

from photofinish.conformance.servers import Server
from tests.forked import Forked


class ForkedServer(Server):
    def __init__(self, folder: Path, *more: str) -> None:
        super().__init__(folder, *more)
        self._forked: Forked | None = None

    async def _greeting(self, *words: str) -> str:
        self._forked = Forked(words)
        assert self._forked.stdout is not None
        return await asyncio.to_thread(self._forked.stdout.readline)

    async def _end(self, *, is_killed: bool) -> None:
        child, self._forked = self._forked, None
        if child is None:
            return
        child.send_signal(signal.SIGKILL if is_killed else signal.SIGTERM)
        await asyncio.to_thread(child.wait)
        assert child.stdout is not None
        child.stdout.close()
