"""The state of a game of Cauldron 15, its moves and its options."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from photofinish.engine import Happened, Move, Options, Record, Seat

Kind: TypeAlias = Literal["ore", "plant", "organism", "liquid", "soul"]
Phase: TypeAlias = Literal["play", "take", "bonus", "spend", "over"]

KINDS: tuple[Kind, ...] = ("ore", "plant", "organism", "liquid", "soul")
"""In the order of B1, which also decides ties when a clock expires."""


class Card(Record, frozen=True):
    """A material card. Every card is single (B1)."""

    kind: Kind
    """Its material."""
    number: Annotated[int, Meta(ge=0, le=15)]
    """What it fills."""


class Trump(Record, frozen=True):
    """The open trump card."""

    kind: Kind


def by_number(card: Card) -> tuple[int, int]:
    """Lowest number first, ties in the order of B1."""
    return card.number, KINDS.index(card.kind)


def by_kind(card: Card) -> tuple[int, int]:
    return KINDS.index(card.kind), card.number


class Cauldron15Options(Options, frozen=True):
    turn_seconds: Annotated[int, Meta(ge=0, le=600)] = 30
    """Time for every answer; 0: no clock."""
    keep_bonus: bool = False
    """A declined bonus is kept and may be spent after the last trick."""
    all_over: Literal["nobody", "lowest"] = "nobody"
    """Who wins if everybody is over 15."""
    open_discards: bool = True
    """False: only the discards of the last trick are shown."""


class Play(Move, frozen=True):
    """Play a card to the trick."""

    card: Card
    """A card of your hand."""


class Take(Move, frozen=True):
    """Take a card of the trick you won."""

    card: Card
    """A card of the trick."""


class Bonus(Move, frozen=True):
    """Use the bonus of a set: give up one of your cards."""

    card: Card
    """A card before you."""


class Decline(Move, frozen=True):
    """Do not use the bonus."""


class Spend(Move, frozen=True):
    """After the last trick: the cards you give up for kept bonuses."""

    cards: Annotated[tuple[Card, ...], Meta(max_length=8)]
    """Cards before you; none to keep all."""


AnyMove: TypeAlias = Play | Take | Bonus | Decline | Spend


class Played(Record, frozen=True):
    """A card of the trick. `seat` is None for the card the deck led (B19)."""

    seat: Seat | None
    card: Card


class Finished(Record, frozen=True):
    """A trick that is over. `taker` and `taken` are None where the deck's card took it (B21)."""

    cards: tuple[Played, ...]
    sum: int
    taker: Seat | None
    taken: Card | None


class State(Record, frozen=True):
    options: Cauldron15Options
    hands: tuple[tuple[Card, ...], ...]
    """Each in the order of kinds and numbers. After the last trick: what was left over (B16)."""
    deck: tuple[Card, ...]
    """Top card first."""
    trumps: tuple[Kind, ...]
    """The open card, then the closed pile from the top down."""
    starter: Seat
    """The seat that plays first in this trick. With two seats the deck's card comes before it (B19)."""
    turn: Seat
    """The seat that must play, take a card or decide about its bonus. Has no meaning in `spend` and `over`."""
    before: tuple[tuple[Card, ...], ...]
    """The cards before each seat, in the order taken (B14)."""
    gathered: tuple[tuple[int, ...], ...]
    """How many of each kind each seat has taken in the whole game, cards given up included (B23)."""
    used: tuple[int, ...]
    kept: tuple[int, ...]
    spends: tuple[tuple[Card, ...] | None, ...]
    """The hidden answers of B25; None until the seat has answered."""
    round: int = 1
    tricks: int = 0
    """Tricks finished in the whole game."""
    phase: Phase = "play"
    trick: tuple[Played, ...] = ()
    finished: Finished | None = None
    """The last trick that ended."""
    discards: tuple[Card, ...] = ()
    fresh: int = 0
    """How many of the discards come from the last trick and its bonus. Without `open_discards` only these are shown."""
    decisions: int = 0
    """Counts the answers given, so that each has its own clock."""
    last: tuple[Happened, ...] = ()

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def trump(self) -> Kind:
        return self.trumps[0]
