"""What a game of Cambio is made of: the table, what is open on it, the moves and the options."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from photofinish.engine import Happened, Move, Options, Record, Seat
from photofinish.engine.cards import CardId

SeatNo = Annotated[Seat, msgspec.Meta(ge=0, le=7)]
SlotNo = Annotated[int, msgspec.Meta(ge=0, le=199)]
Mark = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Source: TypeAlias = Literal["main", "discard"]
Seconds = Annotated[int, msgspec.Meta(ge=1, le=60)]


class CambioOptions(Options, frozen=True):
    target_points: Annotated[int, msgspec.Meta(ge=1, le=500)] = 50
    look_seconds: Seconds = 5
    give_seconds: Seconds = 5
    show_seconds: Seconds = 3
    race_min_ms: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 1500
    turn_seconds: Annotated[int, msgspec.Meta(ge=0, le=600)] = 30
    """0: no clock for turns and actions."""
    return_discard: bool = False
    """True: a card taken from the discard pile may be put straight back (C7)."""


class Place(Record, frozen=True, forbid_unknown_fields=True):
    """A slot, and which card is meant: a mark never comes twice in a game."""

    seat: SeatNo
    slot: SlotNo
    mark: Mark


class Ready(Move, frozen=True):
    pass


class Draw(Move, frozen=True):
    source: Source = msgspec.field(name="from")


class Keep(Move, frozen=True):
    slot: SlotNo
    mark: Mark


class Discard(Move, frozen=True):
    pass


class Call(Move, frozen=True):
    pass


class PeekMine(Move, frozen=True):
    slot: SlotNo
    mark: Mark


class PeekYours(Move, frozen=True):
    seat: SeatNo
    slot: SlotNo
    mark: Mark


class Swap(Move, frozen=True):
    a: Place
    b: Place


class Pick(Move, frozen=True):
    seat: SeatNo
    slot: SlotNo
    mark: Mark


class Decline(Move, frozen=True):
    what: Literal["action", "gift"]


class Slap(Move, frozen=True):
    seat: SeatNo
    slot: SlotNo
    mark: Mark


class Give(Move, frozen=True):
    slot: SlotNo
    mark: Mark
    to: Place


CambioMove: TypeAlias = (
    Ready | Draw | Keep | Discard | Call | PeekMine | PeekYours | Swap | Pick | Decline | Slap | Give
)
MOVES: tuple[type[CambioMove], ...] = (
    Ready, Draw, Keep, Discard, Call, PeekMine, PeekYours, Swap, Pick, Decline, Slap, Give,
)  # fmt: skip


class Slot(Record, frozen=True):
    """A fixed position in front of a seat. Emptied it stays, with a new mark."""

    mark: int
    card: CardId | None = None


class Drawn(Record, frozen=True):
    card: CardId
    source: Source


class Action(Record, frozen=True):
    """An action card that was discarded, and what is left to do (C10 to C14)."""

    seat: Seat
    kind: str
    left: int
    clock: int
    picks: tuple[Place, ...] = ()


class Try(Record, frozen=True):
    """A card this seat has thrown in the open race and had to put back."""

    seat: Seat
    mark: int


class OpenRace(Record, frozen=True):
    number: int
    rune: str
    opener: Seat
    throws: int = 0
    winner: Seat | None = None
    tries: tuple[Try, ...] = ()


class Gift(Record, frozen=True):
    """The winner may fill the slot it emptied at another seat (C19)."""

    number: int
    giver: Seat
    to: Place


class Show(Record, frozen=True):
    """A face that may be seen for a while: by one seat, or by everybody (`to` is None)."""

    number: int
    why: Literal["peek", "wrong", "late", "king", "thrown"]
    place: Place
    card: CardId
    to: Seat | None = None


class State(Record, frozen=True):
    options: CambioOptions
    seats: int
    phase: Literal["look", "turn", "scored", "over"]
    round: int
    dealer: Seat
    turn: Seat | None
    """Whose turn it is; None when the last turn after a call has been played."""
    turn_clock: int
    table: tuple[tuple[Slot, ...], ...]
    main: tuple[CardId, ...]
    """The top is the last card, here and on the discard pile."""
    discard: tuple[CardId, ...] = ()
    frozen: bool = False
    drawn: Drawn | None = None
    ready: tuple[bool, ...] = ()
    action: Action | None = None
    race: OpenRace | None = None
    gifts: tuple[Gift, ...] = ()
    caller: Seat | None = None
    shows: tuple[Show, ...] = ()
    totals: tuple[int, ...] = ()
    sheet: tuple[tuple[int, ...], ...] = ()
    """What each seat scored in each round played."""
    awake: bool = False
    """A player has sent a move since the cards were last shuffled."""
    serial: int = 0
    """Numbers marks, races, gifts, shows and clocks."""
    last: tuple[Happened, ...] = ()
