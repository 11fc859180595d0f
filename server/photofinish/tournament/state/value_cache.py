"""A cache of values that are computed from frozen parts of the state, by the identity of these parts.

A result changes one table of one round: all other tables and rounds are the same objects as before.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class ValueCache(Generic[T]):
    """A value by the identity of the objects it follows from. They are held, so that no other object gets their id."""

    def __init__(self, most: int = 8_192) -> None:
        self._most = most
        self._kept: dict[tuple[int, ...], tuple[tuple[object, ...], T]] = {}

    def get(self, make: Callable[[], T], *parts: object) -> T:
        at = tuple(map(id, parts))
        kept = self._kept.get(at)
        if kept is None:
            if len(self._kept) >= self._most:
                self._kept.clear()
            kept = self._kept[at] = (parts, make())
        return kept[1]
