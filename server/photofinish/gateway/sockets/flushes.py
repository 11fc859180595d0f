"""Writes the short frames that no longer frame has followed: in the next turn of the event loop, with one callback for
all connections instead of one per ack. Nearly every ack has left with its view by then.
"""

import asyncio
from typing import Protocol

import structlog

log = structlog.get_logger(__name__)


class Flushable(Protocol):
    def flush(self) -> None: ...


class Flushes:
    def __init__(self) -> None:
        self._waiting: list[Flushable] = []

    def add(self, it: Flushable) -> None:
        """Call its `flush` in the next turn of the event loop."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._flush_all)
        self._waiting.append(it)

    def _flush_all(self) -> None:
        waiting, self._waiting = self._waiting, []
        for it in waiting:
            try:
                it.flush()
            except Exception:
                log.exception("a frame could not be written")  # the others wait too
