"""How often something may happen."""

from photofinish.engine import Micros

SECOND = 1_000_000


class Bucket:
    """A token bucket: holds at most `size` tokens, and refills with `size` per `period`."""

    __slots__ = ("_at", "_level", "_period", "_size")

    def __init__(self, size: int, period: int, now: Micros) -> None:
        self._size, self._period = float(size), period
        self._level, self._at = self._size, now

    def may(self, now: Micros) -> bool:
        """Take one token. False if there is none."""
        # As `left`, without a call of its own: this is asked twice for every message.
        level = min(self._size, self._level + (now - self._at) * self._size / self._period)
        self._at = now
        if level < 1:
            self._level = level
            return False
        self._level = level - 1
        return True

    def left(self, now: Micros) -> float:
        self._level = min(self._size, self._level + (now - self._at) * self._size / self._period)
        self._at = now
        return self._level

    def is_full(self, now: Micros) -> bool:
        return self.left(now) >= self._size
