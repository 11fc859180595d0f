"""One trick: which cards may be played, when it ends, who takes it, and which card."""

from typing import Literal, TypeAlias

from photofinish.engine import Seat
from photofinish.games.cauldron15.box import the_box
from photofinish.games.cauldron15.state import Card, Kind, Played, by_number

Fill: TypeAlias = Literal["under", "exact", "over"]


def sum_of(trick: tuple[Played, ...]) -> int:
    return sum(played.card.number for played in trick)


def led(trick: tuple[Played, ...]) -> Kind | None:
    return trick[0].card.kind if trick else None


def playable(hand: tuple[Card, ...], lead: Kind | None) -> tuple[Card, ...]:
    """B5: the led kind if the hand has it, otherwise anything."""
    following = tuple(card for card in hand if card.kind == lead)
    return following or hand


def fill(total: int) -> Fill:
    limit = the_box().limit
    return "under" if total < limit else "exact" if total == limit else "over"


def is_full(trick: tuple[Played, ...], seats: int) -> bool:
    """Has everybody played? With two seats the deck's card counts too (B19)."""
    return len(trick) == max(seats, 3)


def taker(trick: tuple[Played, ...], trump: Kind) -> Seat | None:
    """Who takes a trick that has ended. None if the card the deck led does (B21)."""
    if fill(sum_of(trick)) != "under":
        return trick[-1].seat  # B7, B8: the seat that reached or passed 15, whatever the trump
    # B9: the highest trump, without one the highest of the led kind.
    kinds = {played.card.kind for played in trick}
    strong = trump if trump in kinds else trick[0].card.kind
    best = max((played for played in trick if played.card.kind == strong), key=lambda it: it.card.number)
    return best.seat


def may_take(trick: tuple[Played, ...]) -> tuple[Card, ...]:
    """B11, B12: the cards among which the taker chooses; only numbers count."""
    cards = tuple(sorted((played.card for played in trick), key=by_number))
    match fill(sum_of(trick)):
        case "under":
            return tuple(card for card in cards if card.number == cards[0].number)
        case "exact":
            return cards
        case "over":
            return tuple(card for card in cards if card.number == cards[-1].number)
