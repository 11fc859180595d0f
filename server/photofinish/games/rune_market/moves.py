"""What a seat may send in The Rune Market."""

from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

import msgspec

from photofinish.engine import Move, Seat
from photofinish.engine.cards import CardId

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
    blue: Place | None = None


class RuneAt(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A rune in a place. Only `loose` does not tell its colour."""

    place: Place
    colour: Colour | None = None


class Payment(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    place: Place
    n: Annotated[int, msgspec.Meta(ge=1, le=40)]
    colour: Colour | None = None


class Collect(Move, frozen=True):
    red: Count
    blue: Count
    into: Into | None = None


class Store(Move, frozen=True):
    colour: Colour
    runes: Annotated[int, msgspec.Meta(ge=1, le=40)]
    place: Place


class Buy(Move, frozen=True):
    what: Literal["boat", "bandit"]
    place: Literal["red", "blue", "boat1", "boat2", "alone"]
    runes: dict[Place, Count] | None = None
    colour: Colour | None = None
    cards: CardNames | None = None
    seat: SeatNumber | None = None


class BuyRune(Move, frozen=True):
    cards: CardNames
    colour: Colour
    into: Place | None = None


class Ransom(Move, frozen=True):
    place: Colour
    runes: Annotated[tuple[Payment, ...], msgspec.Meta(min_length=1, max_length=10)] | None = None
    cards: CardNames | None = None


class Shelter(Move, frozen=True):
    card: CardName
    boat_into: Colour | None = None


class Duel(Move, frozen=True):
    card: CardName
    seat: SeatNumber


class Defend(Move, frozen=True):
    card: CardName


class GiveUp(Move, frozen=True):
    pass


class Thief(Move, frozen=True):
    card: CardName


class DoubleTheft(Move, frozen=True):
    card: CardName


class Steal(Move, frozen=True):
    seat: SeatNumber
    rune: RuneAt | None = None
    into: Place | None = None
    card: Literal[True] | None = None


class Decline(Move, frozen=True):
    pass


class EndTurn(Move, frozen=True):
    pass


class Throw(Move, frozen=True):
    sign: Sign


MOVES: tuple[type[Move], ...] = (
    Collect, Store, Buy, BuyRune, Ransom, Shelter, Duel, Defend, GiveUp, Thief, DoubleTheft, Steal, Decline,
    EndTurn, Throw,
)  # fmt: skip
