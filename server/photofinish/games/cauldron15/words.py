"""The names of cards, for people and for clients."""

from collections.abc import Iterable

from photofinish.games.cauldron15.state import Card


def facts(card: Card) -> dict[str, str | int]:
    """The card as plain data for the wire."""
    return {"kind": card.kind, "number": card.number}


def name(card: Card) -> str:
    return f"{card.kind} {card.number}"


def names(cards: Iterable[Card]) -> str:
    return " and ".join(name(card) for card in cards) or "nothing"
