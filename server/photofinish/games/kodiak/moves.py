"""The moves and the options of Kodiak."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from photofinish.engine import Move, Options, Record, Seat

SeatNo: TypeAlias = Annotated[Seat, Meta(ge=0, le=5)]
SlotNo: TypeAlias = Annotated[int, Meta(ge=0, le=999)]
Mark: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000_000)]


class Place(Record, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One side of a swap. A mouse that asks for one of Kodiak's cards names only his seat (K11)."""

    seat: SeatNo
    """The seat of the card's owner."""
    slot: SlotNo | None = None
    """The slot, counted from 0."""
    mark: Mark | None = None
    """The slot's `mark` in the view you saw."""


class Ready(Move, frozen=True):
    """You have memorised your card."""


class Draw(Move, frozen=True):
    """Draw a card."""


class Keep(Move, frozen=True):
    """Put the drawn card into one of your slots; the card there is discarded."""

    slot: SlotNo
    """The slot, counted from 0."""
    mark: Mark
    """The slot's `mark` in the view you saw."""


class PeekMine(Move, frozen=True):
    """Action: look at one of your own cards."""

    slot: SlotNo
    """The slot, counted from 0."""
    mark: Mark
    """The slot's `mark` in the view you saw."""


class Expose(Move, frozen=True):
    """Action: turn a card up for everybody."""

    seat: SeatNo
    """The seat of the card's owner."""
    slot: SlotNo
    """The slot, counted from 0."""
    mark: Mark
    """The slot's `mark` in the view you saw."""


class Look(Move, frozen=True):
    """Action: look at another seat's card."""

    seat: SeatNo
    """The seat of the card's owner."""
    slot: SlotNo
    """The slot, counted from 0."""
    mark: Mark
    """The slot's `mark` in the view you saw."""


class Swap(Move, frozen=True):
    """Action: swap two cards of different seats."""

    a: Place
    """One card."""
    b: Place
    """The other."""


class OfferCard(Move, frozen=True, tag="offer"):
    """Kodiak's answer to a mouse that wants to swap with him."""

    slot: SlotNo
    """The slot, counted from 0."""
    mark: Mark
    """The slot's `mark` in the view you saw."""


class Pick(Move, frozen=True):
    """Blue King: pick a card of the next mouse (K13)."""

    seat: SeatNo
    """The seat of the card's owner."""
    slot: SlotNo
    """The slot, counted from 0."""
    mark: Mark
    """The slot's `mark` in the view you saw."""


class Scurry(Move, frozen=True):
    """Race: throw one of your cards that is identical to the discard."""

    slot: SlotNo
    """The slot, counted from 0."""
    mark: Mark
    """The slot's `mark` in the view you saw."""


class Pounce(Move, frozen=True):
    """Kodiak, at any time: lay one of your cards on a mouse's card; identical cards are caught (K18)."""

    slot: SlotNo
    """The slot, counted from 0."""
    mark: Mark
    """The slot's `mark` in the view you saw."""
    seat: SeatNo
    """The mouse."""
    target: SlotNo
    """The mouse's slot."""
    target_mark: Mark
    """The `mark` of the mouse's slot."""


class Grab(Move, frozen=True):
    """Kodiak, race: throw an identical card onto the card a mouse has thrown (K20)."""

    slot: SlotNo
    """The slot, counted from 0."""
    mark: Mark
    """The slot's `mark` in the view you saw."""


class TouchPenalty(Move, frozen=True):
    """You touched one of Kodiak's cards: turn one of your own face up (K17)."""

    slot: SlotNo
    """The slot, counted from 0."""
    mark: Mark
    """The slot's `mark` in the view you saw."""


MOVES: tuple[type[Move], ...] = (
    Ready, Draw, Keep, PeekMine, Expose, Look, Swap, OfferCard, Pick, Scurry, Pounce, Grab, TouchPenalty,
)  # fmt: skip


class KodiakOptions(Options, frozen=True):
    rounds_each: Annotated[int, Meta(ge=1, le=5)] = 1
    """How often each seat is Kodiak."""
    look_seconds: Annotated[int, Meta(ge=1, le=60)] = 5
    """Time to memorise a card at the start."""
    show_seconds: Annotated[int, Meta(ge=1, le=60)] = 3
    """How long a card lies open for all to see."""
    race_min_ms: Annotated[int, Meta(ge=0, le=10_000)] = 1500
    """Shortest time a race stays open."""
    turn_seconds: Annotated[int, Meta(ge=0, le=600)] = 30
    """Seconds for a turn; 0: no clock."""
    answer_seconds: Annotated[int, Meta(ge=1, le=600)] = 10
    """Time for an answer out of turn: an offer, a touch penalty, an owed action."""
    wrong_throw_penalty: bool = True
    """A wrong throw or pounce costs a penalty card (K16, K18)."""
    blue_king_hits_kodiak: bool = False
    """The Blue King picks one of Kodiak's cards too (K13)."""
    last_card_grab: bool = True
    """Kodiak may grab a mouse's last card."""
    pounce_actions: bool = False
    """Kodiak's own card acts when he pounces with it (K7)."""
    hairball_left: Annotated[int, Meta(ge=0, le=20)] = 10
    """Points that a hairball left on the table counts (K25)."""
