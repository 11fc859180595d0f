"""One trick: which cards may be played, and who wins it."""

from photofinish.engine import Seat
from photofinish.games.hameln_cave.state import Card, Played


def legal(hand: tuple[Card, ...], trick: tuple[Played, ...]) -> tuple[Card, ...]:
    """H11: the lead is free; after that its colour if the hand has it, otherwise anything."""
    following = tuple(card for card in hand if trick and card.colour == trick[0].card.colour)
    return following or hand


def winner_of(lead: Played, follow: Played) -> Seat:
    """H12: the higher number of one colour; of two colours the leader."""
    same = lead.card.colour == follow.card.colour
    return follow.seat if same and follow.card.number > lead.card.number else lead.seat
