"""Every message a seat may send in Kodiak, and what a host may set."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from photofinish.engine import Move, Options, Record, Seat

SeatNo: TypeAlias = Annotated[Seat, Meta(ge=0, le=5)]
SlotNo: TypeAlias = Annotated[int, Meta(ge=0, le=999)]
Mark: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000_000)]


class Place(Record, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One side of a swap. A mouse that asks for one of Kodiak's cards names only his seat (K11)."""

    seat: SeatNo
    slot: SlotNo | None = None
    mark: Mark | None = None


class Ready(Move, frozen=True):
    pass


class Draw(Move, frozen=True):
    pass


class Keep(Move, frozen=True):
    slot: SlotNo
    mark: Mark


class PeekMine(Move, frozen=True):
    slot: SlotNo
    mark: Mark


class Expose(Move, frozen=True):
    seat: SeatNo
    slot: SlotNo
    mark: Mark


class Look(Move, frozen=True):
    seat: SeatNo
    slot: SlotNo
    mark: Mark


class Swap(Move, frozen=True):
    a: Place
    b: Place


class OfferCard(Move, frozen=True, tag="offer"):
    """Kodiak's answer to a mouse that wants to swap with him."""

    slot: SlotNo
    mark: Mark


class Pick(Move, frozen=True):
    seat: SeatNo
    slot: SlotNo
    mark: Mark


class Scurry(Move, frozen=True):
    slot: SlotNo
    mark: Mark


class Pounce(Move, frozen=True):
    slot: SlotNo
    mark: Mark
    seat: SeatNo
    target: SlotNo
    target_mark: Mark


class Grab(Move, frozen=True):
    slot: SlotNo
    mark: Mark


class TouchPenalty(Move, frozen=True):
    slot: SlotNo
    mark: Mark


MOVES: tuple[type[Move], ...] = (
    Ready, Draw, Keep, PeekMine, Expose, Look, Swap, OfferCard, Pick, Scurry, Pounce, Grab, TouchPenalty,
)  # fmt: skip


class KodiakOptions(Options, frozen=True):
    rounds_each: Annotated[int, Meta(ge=1, le=5)] = 1
    look_seconds: Annotated[int, Meta(ge=1, le=60)] = 5
    show_seconds: Annotated[int, Meta(ge=1, le=60)] = 3
    race_min_ms: Annotated[int, Meta(ge=0, le=10_000)] = 1500
    turn_seconds: Annotated[int, Meta(ge=0, le=600)] = 30
    answer_seconds: Annotated[int, Meta(ge=1, le=600)] = 10
    wrong_throw_penalty: bool = True
    blue_king_hits_kodiak: bool = False
    last_card_grab: bool = True
    pounce_actions: bool = False
    hairball_left: Annotated[int, Meta(ge=0, le=20)] = 10
