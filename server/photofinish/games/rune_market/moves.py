"""The moves of The Rune Market."""

from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

import msgspec

from photofinish.engine import Move, Seat
from photofinish.engine.decks.cards import CardId

Colour: TypeAlias = Literal["red", "blue"]
Place: TypeAlias = Literal["red", "blue", "boat1", "boat2", "loose"]
"""Where runes lie before a seat (R4)."""
Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=40)]
CardName: TypeAlias = Annotated[CardId, msgspec.Meta(max_length=40)]
CardNames: TypeAlias = Annotated[tuple[CardName, ...], msgspec.Meta(min_length=1, max_length=46)]
SeatNumber: TypeAlias = Annotated[Seat, msgspec.Meta(ge=0, le=4)]


class Sign(StrEnum):
    SCISSORS = "scissors"
    STONE = "stone"
    PAPER = "paper"


class Into(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where the runes of each colour go."""

    red: Place | None = None
    """For the red runes."""
    blue: Place | None = None
    """For the blue runes."""


class RuneAt(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A rune in a place. Only `loose` does not tell its colour."""

    place: Place
    """Where it lies."""
    colour: Colour | None = None
    """Needed only for `loose`."""


class Payment(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    place: Place
    """Where the runes lie."""
    n: Annotated[int, msgspec.Meta(ge=1, le=40)]
    """How many."""
    colour: Colour | None = None
    """Needed only for `loose`."""


class Collect(Move, frozen=True):
    """Take the interest that is due."""

    red: Count
    """Red runes."""
    blue: Count
    """Blue runes."""
    into: Into | None = None
    """Where they go, if there is a choice."""


class Store(Move, frozen=True):
    """Move loose runes to a place."""

    colour: Colour
    """Their colour."""
    runes: Annotated[int, msgspec.Meta(ge=1, le=40)]
    """How many."""
    place: Place
    """Where they go."""


class Buy(Move, frozen=True):
    """Buy a boat or a bandit."""

    what: Literal["boat", "bandit"]
    """Which."""
    place: Literal["red", "blue", "boat1", "boat2", "alone"]
    """Where it goes: for a boat one of your shelters or `alone`, for a bandit a place of that seat."""
    runes: dict[Place, Count] | None = None
    """Payment in runes, by place."""
    colour: Colour | None = None
    """Colour of the runes, where `loose` pays."""
    cards: CardNames | None = None
    """Payment in number cards instead."""
    seat: SeatNumber | None = None
    """The seat that gets the bandit."""


class BuyRune(Move, frozen=True):
    """Buy a rune with number cards whose sum is 5, 10 or 15 (R15)."""

    cards: CardNames
    """Names of cards in your hand."""
    colour: Colour
    """Colour of the rune."""
    into: Place | None = None
    """Where it goes, if there is a choice."""


class Ransom(Move, frozen=True):
    """Pay off the bandit on one of your piles."""

    place: Colour
    """Which pile."""
    runes: Annotated[tuple[Payment, ...], msgspec.Meta(min_length=1, max_length=10)] | None = None
    """Payment in runes."""
    cards: CardNames | None = None
    """Payment in number cards instead."""


class Shelter(Move, frozen=True):
    """Place a main shelter (R26)."""

    card: CardName
    """The card's name, as in your hand."""
    boat_into: Colour | None = None
    """The main shelter that takes your lone boat, if there is a choice (R29)."""


class Duel(Move, frozen=True):
    """Show a number card and attack a seat (R18)."""

    card: CardName
    """The card's name, as in your hand."""
    seat: SeatNumber
    """The seat you attack."""


class Defend(Move, frozen=True):
    """Answer a duel with a card."""

    card: CardName
    """The card's name, as in your hand."""


class GiveUp(Move, frozen=True):
    """Give up a duel."""


class Thief(Move, frozen=True):
    """Discard a thief: one theft (R22)."""

    card: CardName
    """The card's name, as in your hand."""


class DoubleTheft(Move, frozen=True):
    """Discard a shelter card: two thefts (R22)."""

    card: CardName
    """The card's name, as in your hand."""


class Steal(Move, frozen=True):
    """Choose what you steal."""

    seat: SeatNumber
    """The victim."""
    rune: RuneAt | None = None
    """The rune you take."""
    into: Place | None = None
    """Where it goes."""
    card: Literal[True] | None = None
    """True: take a card of the hand instead."""


class Decline(Move, frozen=True):
    """Steal nothing."""


class EndTurn(Move, frozen=True):
    """End your turn."""


class Throw(Move, frozen=True):
    """Tie-break: throw a sign."""

    sign: Sign
    """Which."""


MOVES: tuple[type[Move], ...] = (
    Collect, Store, Buy, BuyRune, Ransom, Shelter, Duel, Defend, GiveUp, Thief, DoubleTheft, Steal, Decline,
    EndTurn, Throw,
)  # fmt: skip
