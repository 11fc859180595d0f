"""Which card plays which part in The Rune Market, and how many goods the market has."""

from functools import cache

from photofinish.engine import Record
from photofinish.engine.decks.cards import SHIPPED, CardId, the_deck
from photofinish.engine.decks.components import BrokenComponents, find

HAND = 3
MOST_SEATS = 5
GOODS = ("red_rune", "blue_rune", "boat_shelter", "bandit")
"""The four open piles (R2). The cards of a pile are equal, so they are only counted."""


class Face(Record, frozen=True):
    """A visible card. Only a number card has a `number`: its rune (R1)."""

    id: CardId
    part: str
    number: int | None = None


@cache
def faces() -> dict[CardId, Face]:
    """Every card's face. Raises `BrokenComponents` if the deck does not fit The Rune Market."""
    deck = the_deck()
    parts = deck.parts("rune_market")
    found: dict[CardId, Face] = {}
    for place, card in enumerate(deck.cards):
        part = parts[card.id]
        if part == "number" and not card.rune.isdecimal():
            raise BrokenComponents(find(SHIPPED), f"cards[{place}].rune", "a number card needs a number")
        found[card.id] = Face(card.id, part, int(card.rune) if part == "number" else None)
    for good in GOODS:
        if good not in parts.values():
            raise BrokenComponents(find(SHIPPED), "cards", f"the market has no {good}")
    if sum(it.part not in GOODS for it in found.values()) <= HAND * MOST_SEATS:
        raise BrokenComponents(find(SHIPPED), "cards", "too few hand cards for five seats")
    return found


def face(card: CardId) -> Face:
    return faces()[card]


def part(card: CardId) -> str:
    return faces()[card].part


def number(card: CardId) -> int:
    """The number on a number card."""
    it = faces()[card].number
    assert it is not None
    return it


def count(good: str) -> int:
    return sum(it.part == good for it in faces().values())


def hand_cards() -> tuple[CardId, ...]:
    """All that are not goods of the market (R2), in the file's order."""
    return tuple(card for card, it in faces().items() if it.part not in GOODS)
