"""How fast a connection may talk."""

from photofinish.engine import Micros
from photofinish_protocol.version import BURST, RATE

SECOND = 1_000_000
LAST_STRAW = 10
"""So many refusals for haste within a second, and the connection is closed."""


class Pace:
    """A bucket that holds `BURST` messages and fills with `RATE` a second."""

    __slots__ = ("_at", "_level", "_refused")

    def __init__(self, now: Micros) -> None:
        self._level = float(BURST)
        self._at = now
        self._refused: list[Micros] = []

    def may(self, now: Micros) -> bool:
        """Is there a message left to this connection?"""
        self._level = min(float(BURST), self._level + (now - self._at) * RATE / SECOND)
        self._at = now
        if self._level < 1:
            self._refused = [at for at in self._refused if at > now - SECOND]
            self._refused.append(now)
            return False
        self._level -= 1
        return True

    @property
    def is_flooding(self) -> bool:
        return len(self._refused) > LAST_STRAW
