"""The 76-card deck that four of the games share. Each card plays a different part in each game."""

from functools import cache
from pathlib import Path
from typing import NewType

import msgspec

from photofinish.engine.decks.components import BrokenComponents, find, load

CardId = NewType("CardId", str)
"""Identifies one physical card, and so its face. Never send it to a viewer who may not see the face."""

SHIPPED = Path(__file__).parent / "the_deck.toml"


class Card(msgspec.Struct, frozen=True):
    """One card of The Deck."""

    id: CardId
    kind: str = msgspec.field(name="class")
    rune: str
    colour: str
    value: int


class CardClass(msgspec.Struct, frozen=True):
    """Cards that play the same part. `parts` maps each game that the file names to that part."""

    id: str
    count: int
    parts: dict[str, str]


class _File(msgspec.Struct, frozen=True):
    cards: tuple[Card, ...]
    classes: tuple[dict[str, str | int], ...]


class Deck(msgspec.Struct, frozen=True):
    """All cards in the file's order, and the part each class plays in a game."""

    cards: tuple[Card, ...]
    classes: tuple[CardClass, ...]

    def ids(self) -> tuple[CardId, ...]:
        return tuple(card.id for card in self.cards)

    def by_id(self) -> dict[CardId, Card]:
        return {card.id: card for card in self.cards}

    def parts(self, game: str, own: dict[str, str] | None = None) -> dict[CardId, str]:
        """The part of each card in this game (`"alaska"`: cast, salmon, …).

        If the file does not name the game, pass `own`: a part for each class.
        """
        part = {}
        for place, kind in enumerate(self.classes):
            found = kind.parts.get(game) or (own or {}).get(kind.id)
            if found is None:
                raise BrokenComponents(find(SHIPPED), f"classes[{place}].{game}", f"{kind.id} has no part")
            part[kind.id] = found
        return {card.id: part[card.kind] for card in self.cards}


@cache
def the_deck() -> Deck:
    file = load(SHIPPED, _File)
    counts: dict[str, int] = {}
    for place, card in enumerate(file.cards):
        if sum(other.id == card.id for other in file.cards) > 1:
            raise BrokenComponents(find(SHIPPED), f"cards[{place}].id", f"{card.id} occurs twice")
        counts[card.kind] = counts.get(card.kind, 0) + 1
    classes = tuple(_card_class(place, row) for place, row in enumerate(file.classes))
    for place, kind in enumerate(classes):
        if counts.pop(kind.id, 0) != kind.count:
            raise BrokenComponents(
                find(SHIPPED), f"classes[{place}].count", f"differs from the number of {kind.id} cards"
            )
    if counts:
        raise BrokenComponents(find(SHIPPED), "cards", f"unknown class {next(iter(counts))}")
    return Deck(file.cards, classes)


def _card_class(place: int, row: dict[str, str | int]) -> CardClass:
    """Each column except `id` and `count` is a game; its value is the part of the class in that game."""
    kind, count = row.get("id"), row.get("count")
    if not isinstance(kind, str) or not isinstance(count, int):
        raise BrokenComponents(find(SHIPPED), f"classes[{place}]", "needs an id and a count")
    parts = {
        game: part for game, part in row.items() if game not in {"id", "count"} and isinstance(part, str)
    }
    return CardClass(kind, count, parts)
