"""Which card plays which part in Alaska, and the ring of the river. Both come from the deck's file."""

from functools import cache

import msgspec

from photofinish.engine import Record
from photofinish.engine.decks.cards import SHIPPED, CardId, the_deck
from photofinish.engine.decks.components import BrokenComponents, find, load

SECTIONS = range(1, 11)
"""Also the gaps: gap g lies on sections g and g+1, gap 10 on sections 10 and 1 (A2)."""
HAND = 4
MOST_SEATS = 4


class Face(Record, frozen=True):
    """A visible card. Only a cast has a `number`."""

    id: CardId
    part: str
    number: int | None = None


class _River(msgspec.Struct, frozen=True):
    ring: tuple[int, ...]


class _RiverFile(msgspec.Struct, frozen=True):
    alaska_river: _River


@cache
def faces() -> dict[CardId, Face]:
    """Every card's face. Raises `BrokenComponents` if the deck does not fit Alaska."""
    deck = the_deck()
    parts = deck.parts("alaska")
    if load(SHIPPED, _RiverFile).alaska_river.ring != tuple(SECTIONS):  # A1
        raise BrokenComponents(find(SHIPPED), "alaska_river.ring", "must run from 1 to 10")
    found: dict[CardId, Face] = {}
    for place, card in enumerate(deck.cards):
        part = parts[card.id]
        if part == "cast" and not card.rune.isdecimal():
            raise BrokenComponents(find(SHIPPED), f"cards[{place}].rune", "a cast needs a number")
        found[card.id] = Face(card.id, part, int(card.rune) if part == "cast" else None)
    if sum(face.part == "river" for face in found.values()) != len(SECTIONS):  # A1
        raise BrokenComponents(find(SHIPPED), "cards", "the river needs ten cards")
    if len(found) - len(SECTIONS) <= HAND * MOST_SEATS:
        raise BrokenComponents(find(SHIPPED), "cards", "too few cards for four seats")
    return found


def face(card: CardId) -> Face:
    return faces()[card]


def part(card: CardId) -> str:
    return faces()[card].part


def number(card: CardId) -> int:
    """The number on a cast."""
    it = faces()[card].number
    assert it is not None
    return it


def playing_cards() -> tuple[CardId, ...]:
    """All cards except the river (A1), in the file's order."""
    return tuple(card for card, it in faces().items() if it.part != "river")
