"""The face of a card, without the id of the physical card."""

from functools import cache

from photofinish.engine import Record
from photofinish.engine.decks.cards import CardId, the_deck

HAIRBALL = "sunlight_hairball"
ACTIONS = ("peek_mine", "exposure", "swap", "red_king", "blue_king")


class Face(Record, frozen=True):
    """A card as a player sees it. `kind` is the part it plays in Kodiak; `rune` alone makes cards identical."""

    rune: str
    kind: str
    value: int
    colour: str


@cache
def _faces() -> dict[CardId, Face]:
    parts = the_deck().parts("kodiak")
    return {card.id: Face(card.rune, parts[card.id], card.value, card.colour) for card in the_deck().cards}


def face_of(card: CardId) -> Face:
    return _faces()[card]


def is_hairball(card: CardId) -> bool:
    return face_of(card).kind == HAIRBALL


def is_identical(card: CardId, rune: str) -> bool:
    # K6: the rune alone; the two kings are identical, points and colours do not matter.
    return face_of(card).rune == rune
