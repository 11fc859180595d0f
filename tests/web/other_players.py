"""An event loop beside the test: the browser's driver has a loop of its own in the thread of the test."""

import asyncio
import threading
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, Self, TypeVar

T = TypeVar("T")


class OtherPlayers:
    """Other people of an event, played by the Python SDK while the browser is looked at."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._begun: list[asyncio.Task[Any]] = []

    def run(self, what: Coroutine[Any, Any, T], seconds: float = 60) -> T:
        """Do this and wait for it."""
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(timeout=seconds)

    def begin(self, what: Coroutine[Any, Any, Any]) -> None:
        """Do this until the test is over."""

        async def begin() -> None:
            self._begun.append(asyncio.create_task(what))

        self.run(begin())

    async def _end(self) -> None:
        """Cancel what was begun. Each table then ends the SDK's own tasks, which close their sockets."""
        for it in self._begun:
            it.cancel()
        await asyncio.gather(*self._begun, return_exceptions=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.run(self._end(), 20)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)
        self._loop.close()
