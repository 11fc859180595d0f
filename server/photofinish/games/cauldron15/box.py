"""The components: the shipped cards or the host's own. They are checked when the games are loaded."""

from functools import cache
from pathlib import Path

import msgspec

from photofinish.engine.decks.components import BrokenComponents, find, load
from photofinish.games.cauldron15.state import KINDS, Card, Kind

SHIPPED = Path(__file__).parent / "components" / "cauldron15_cards.toml"
SEATS = range(2, 6)


class Colour(msgspec.Struct, frozen=True):
    """A kind and the colour it is printed in."""

    kind: Kind = msgspec.field(name="type")
    colour: str


class _Deck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    numbers: tuple[int, ...]
    material_cards: int
    trump_cards: int
    rounds: int
    limit: int


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    colours: tuple[Colour, ...]
    deck: _Deck
    deal: dict[str, int]


class Box(msgspec.Struct, frozen=True):
    colours: tuple[Colour, ...]
    cards: tuple[Card, ...]
    """Every material card, in the order of kinds and numbers (B1)."""
    rounds: int
    limit: int
    deal: tuple[tuple[int, int], ...]
    """The size of a hand for this number of seats (B2)."""

    def hand(self, seats: int) -> int:
        return dict(self.deal)[seats]


@cache
def the_box() -> Box:
    file = load(SHIPPED, _File)
    for key, reason in _faults(file):
        raise BrokenComponents(find(SHIPPED), key, reason)
    cards = tuple(Card(kind, number) for kind in KINDS for number in sorted(file.deck.numbers))
    deal = tuple((seats, file.deal[str(seats)]) for seats in SEATS)
    return Box(file.colours, cards, file.deck.rounds, file.deck.limit, deal)


def _faults(file: _File) -> list[tuple[str, str]]:
    """All faults, in the order of the file. Only the first is reported."""
    deck, found = file.deck, []
    if sorted(colour.kind for colour in file.colours) != sorted(KINDS):
        found.append(("colours", f"each of {', '.join(KINDS)} must be there once"))
    if len(set(deck.numbers)) != len(deck.numbers) or not deck.numbers:
        found.append(("deck.numbers", "every number must occur once"))
    elif min(deck.numbers) < 0 or 2 * max(deck.numbers) >= deck.limit:
        # B10 and B21 depend on it: the third card is the first that can end a trick.
        found.append(("deck.numbers", "numbers start at 0 and two of them stay under the limit"))
    if deck.material_cards != len(KINDS) * len(deck.numbers):
        found.append(("deck.material_cards", "not the number of kinds times the number of numbers"))
    if deck.trump_cards != len(KINDS):
        found.append(("deck.trump_cards", "there is one trump card a kind"))
    if not 1 <= deck.rounds <= deck.trump_cards:
        found.append(("deck.rounds", "no kind is trump twice, so there are 1 to 5 rounds"))
    if not 1 <= deck.limit <= 30:
        found.append(("deck.limit", "must be 1 to 30"))
    if sorted(file.deal) != [str(seats) for seats in SEATS]:
        found.append(("deal", "must name a hand for 2, 3, 4 and 5 seats"))
        return found
    for seats in SEATS:
        hand = file.deal[str(seats)]
        # B18: a round has at most as many tricks as a hand has cards, and each keeps one card out.
        left = deck.material_cards - (deck.rounds - 1) * hand
        dealt = (seats if seats > 2 else 3) * hand
        if hand < 1 or dealt > left:
            found.append((f"deal.{seats}", "the last deal would run out of cards"))
    return found
