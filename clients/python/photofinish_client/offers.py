"""Builds moves from offers with a client's own random numbers. Knows no rules of games."""

import random
from collections.abc import Iterable, Sequence

from photofinish_protocol import offered_moves
from photofinish_protocol.offered_moves import Sent, adds_up, admits, fields_of, is_allowed, moves
from photofinish_protocol.offers import Offer

__all__ = ["adds_up", "admits", "fields_of", "is_allowed", "moves", "sample", "sample_one"]


class _Dice:
    def __init__(self, chance: random.Random) -> None:
        self.below = chance.randrange
        self._chance = chance

    def shuffled(self, items: Iterable[int]) -> Sequence[int]:
        deck = list(items)
        self._chance.shuffle(deck)
        return deck


def sample(offers: Sequence[Offer], chance: random.Random) -> Sent | None:
    """A random move: each offer is equally likely, then each choice. None if there is no move."""
    return offered_moves.sample(offers, _Dice(chance))


def sample_one(it: Offer, chance: random.Random) -> Sent | None:
    """A random move of this offer. None if it has no move."""
    return offered_moves.sample_one(it, _Dice(chance))
