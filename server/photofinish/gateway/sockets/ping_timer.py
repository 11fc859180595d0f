"""One timer for the pings of all connections of a gateway, instead of a timer per connection and ping.

Time is cut into slots. Connections that are due in the same slot are pinged in the same turns of the event loop, a few
per turn: each ping is a system call, and frames that arrive meanwhile would be stamped later.
"""

import asyncio
import math
from typing import Protocol

import structlog

log = structlog.get_logger(__name__)

SLOT = 0.02
"""Seconds. A ping comes at most this much later than asked for."""
PER_TURN = 24
"""Pings per turn of the event loop."""


class Pinged(Protocol):
    def beat(self) -> None: ...


class PingTimer:
    def __init__(self) -> None:
        self._slots: dict[int, dict[Pinged, None]] = {}
        """Who is due in which slot. Slots are numbered by the loop's time."""
        self._last = 0
        """The last slot that is over."""
        self._due: dict[Pinged, None] = {}
        """Who is due now, while more are due than one turn may take."""
        self._is_ticking = False

    def add(self, who: Pinged, seconds: float) -> int:
        """Call `beat` after this many seconds, once. Returns the slot, for `remove`."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        if not self._is_ticking:
            self._is_ticking, self._last = True, int(now / SLOT)
            loop.call_later(SLOT, self._tick)
        slot = math.ceil((now + seconds) / SLOT)
        self._slots.setdefault(slot, {})[who] = None
        return slot

    def remove(self, who: Pinged, slot: int) -> None:
        """As if it had not been added."""
        self._due.pop(who, None)
        waiting = self._slots.get(slot)
        if waiting is not None:
            waiting.pop(who, None)
            if not waiting:
                del self._slots[slot]

    def _tick(self) -> None:
        loop = asyncio.get_running_loop()
        now = int(loop.time() / SLOT)
        is_busy = bool(self._due)
        while self._last < now:
            self._last += 1
            self._due |= self._slots.pop(self._last, {})
        if not is_busy:
            self._beat_some()
        self._is_ticking = bool(self._slots)
        if self._is_ticking:
            loop.call_later(SLOT, self._tick)

    def _beat_some(self) -> None:
        due = self._due
        for _ in range(min(PER_TURN, len(due))):
            try:
                due.popitem()[0].beat()
            except Exception:
                log.exception("a ping could not be sent")  # the others are due too
        if due:
            asyncio.get_running_loop().call_soon(self._beat_some)
