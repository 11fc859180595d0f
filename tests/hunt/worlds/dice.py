"""Random numbers for the hunt: faster than a game's own, and just as repeatable."""

import random
from collections.abc import Iterable
from typing import TypeVar

from photofinish.engine import Rng

T = TypeVar("T")


class Dice(Rng):
    """Used to choose what happens next and to sample other worlds. No card is dealt with it."""

    __slots__ = ("_random",)

    def __init__(self, seed: str) -> None:
        super().__init__(b"", 0)
        self._random = random.Random(seed)

    def below(self, n: int) -> int:
        return int(self._random.random() * n)

    def shuffled(self, items: Iterable[T]) -> tuple[T, ...]:
        draw = self._random.random
        return tuple(sorted(items, key=lambda _: draw()))  # eight times as fast as a shuffle
