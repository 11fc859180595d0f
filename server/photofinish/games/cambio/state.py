"""The state of a game of Cambio, its moves and its options."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from photofinish.engine import Happened, Move, Options, Record, Seat
from photofinish.engine.decks.cards import CardId

SeatNo = Annotated[Seat, msgspec.Meta(ge=0, le=7)]
SlotNo = Annotated[int, msgspec.Meta(ge=0, le=199)]
Mark = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
Source: TypeAlias = Literal["main", "discard"]
Seconds = Annotated[int, msgspec.Meta(ge=1, le=60)]


class CambioOptions(Options, frozen=True):
    target_points: Annotated[int, msgspec.Meta(ge=1, le=500)] = 50
    """The game ends when a total reaches this (C28)."""
    look_seconds: Seconds = 5
    """Time to memorise two cards at the start."""
    give_seconds: Seconds = 5
    """Time to choose a gift."""
    show_seconds: Seconds = 3
    """How long a card lies open for all to see."""
    race_min_ms: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 1500
    """Shortest time a race stays open."""
    turn_seconds: Annotated[int, msgspec.Meta(ge=0, le=600)] = 30
    """0: no clock for turns and actions."""
    return_discard: bool = False
    """True: a card taken from the discard pile may be put straight back (C7)."""


class Place(Record, frozen=True, forbid_unknown_fields=True):
    """A slot, and which card is meant: a mark never comes twice in a game."""

    seat: SeatNo
    """The seat of the card's owner."""
    slot: SlotNo
    """The slot, counted from 0."""
    mark: Mark
    """The slot's `mark` in the view you saw."""


class Ready(Move, frozen=True):
    """You have memorised your cards, or read the scores."""


class Draw(Move, frozen=True):
    """Draw a card."""

    source: Source = msgspec.field(name="from")
    """`main` or `discard`."""


class Keep(Move, frozen=True):
    """Put the drawn card into one of your slots; the card there is discarded."""

    slot: SlotNo
    """The slot, counted from 0."""
    mark: Mark
    """The slot's `mark` in the view you saw."""


class Discard(Move, frozen=True):
    """Discard the drawn card."""


class Call(Move, frozen=True):
    """Call Cambio: the others have one turn each, then the round ends."""


class PeekMine(Move, frozen=True):
    """Action: look at one of your own cards."""

    slot: SlotNo
    """The slot, counted from 0."""
    mark: Mark
    """The slot's `mark` in the view you saw."""


class PeekYours(Move, frozen=True):
    """Action: look at another seat's card."""

    seat: SeatNo
    """The seat of the card's owner."""
    slot: SlotNo
    """The slot, counted from 0."""
    mark: Mark
    """The slot's `mark` in the view you saw."""


class Swap(Move, frozen=True):
    """Action: swap two cards of different seats unseen."""

    a: Place
    """One card."""
    b: Place
    """The other."""


class Pick(Move, frozen=True):
    """Blue King: choose a card to show to everybody."""

    seat: SeatNo
    """The seat of the card's owner."""
    slot: SlotNo
    """The slot, counted from 0."""
    mark: Mark
    """The slot's `mark` in the view you saw."""


class Decline(Move, frozen=True):
    """Do not perform the action, or do not give a card."""

    what: Literal["action", "gift"]
    """Which of the two."""


class Slap(Move, frozen=True):
    """Race: throw a card that you think is identical to the discard."""

    seat: SeatNo
    """The seat of the card's owner."""
    slot: SlotNo
    """The slot, counted from 0."""
    mark: Mark
    """The slot's `mark` in the view you saw."""


class Give(Move, frozen=True):
    """Give one of your cards to the seat whose card you threw."""

    slot: SlotNo
    """The slot, counted from 0."""
    mark: Mark
    """The slot's `mark` in the view you saw."""
    to: Place
    """The emptied place."""


CambioMove: TypeAlias = (
    Ready | Draw | Keep | Discard | Call | PeekMine | PeekYours | Swap | Pick | Decline | Slap | Give
)
MOVES: tuple[type[CambioMove], ...] = (
    Ready, Draw, Keep, Discard, Call, PeekMine, PeekYours, Swap, Pick, Decline, Slap, Give,
)  # fmt: skip


class Slot(Record, frozen=True):
    """A fixed position in front of a seat. When it is emptied, it stays and gets a new mark."""

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
    """C14: one card of each seat, as it lay when it was picked."""
    given: tuple[tuple[Place, Place], ...] = ()
    """C14: picked cards that their owners gave away: from where, and where they lie now."""

    @property
    def lying(self) -> tuple[Place, ...]:
        """Where the picked cards lie now."""
        now = dict(self.given)
        return tuple(dict.fromkeys(now.get(it, it) for it in self.picks))


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
    """By round played: the points of each seat."""
    awake: bool = False
    """A player has sent a move since the cards were last shuffled."""
    serial: int = 0
    """The last number that was given to a mark, a race, a gift, a show or a clock."""
    last: tuple[Happened, ...] = ()
    by_hand: bool = False
    """Whether each hand has its own stream of random numbers (T74): from version 2 of the rules, not in version 1."""
