"""The state of a game of Alaska, and what a seat may send."""

from typing import Annotated, Any, TypeAlias

import msgspec

from photofinish.engine import Happened, Move, Options, Record, Seat, clockwise, replace
from photofinish.engine.decks.cards import CardId

CardName: TypeAlias = Annotated[CardId, msgspec.Meta(max_length=40)]
Place: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=10)]
"""The number of a section or of a gap."""


class Setting(Options, frozen=True):
    dice: bool = False
    """Salmon beside an angler: a die decides between catch and hook (A17)."""
    bear_ms: Annotated[int, msgspec.Meta(ge=500, le=30_000)] = 4000
    """Time in which a bear may snatch a catch."""
    turn_seconds: Annotated[int, msgspec.Meta(ge=0, le=600)] = 45
    """Seconds for a turn; 0: no clock."""
    place_seconds: Annotated[int, msgspec.Meta(ge=1, le=300)] = 20
    """Seconds to place a salmon."""


class PlaceSalmon(Move, frozen=True, tag="place"):
    """Place the next salmon (A6)."""

    gap: Place
    """The gap to place it in."""


class Cast(Move, frozen=True):
    """Cast for salmon with one or more cast cards."""

    cards: Annotated[tuple[CardName, ...], msgspec.Meta(min_length=1, max_length=4)]
    """Names of cast cards in your hand."""
    gap: Place | None = None
    """The gap to catch from, if several touch the section."""


class Angler(Move, frozen=True):
    """Put an angler on a section."""

    card: CardName
    """The card's name, as in your hand."""
    section: Place | None = None
    """Left out only if no section can take the angler (A22)."""


class Eagle(Move, frozen=True):
    """An eagle takes one salmon or sends one angler away (A27)."""

    card: CardName
    """The card's name, as in your hand."""
    salmon: Place | None = None
    """The gap of the salmon it takes."""
    angler: Place | None = None
    """The section of the angler it sends away."""


class Bear(Move, frozen=True):
    """A bear in your own turn: all anglers go to the discard pile (A29)."""

    card: CardName
    """The card's name, as in your hand."""


class Snatch(Move, frozen=True):
    """Race: snatch another seat's catch with a bear (A31)."""

    card: CardName
    """The card's name, as in your hand."""


class LetGo(Move, frozen=True):
    """Race: do not snatch this catch. Nobody else notices (A32)."""


class EndTurn(Move, frozen=True):
    """End your turn."""


MOVES: tuple[type[Move], ...] = (PlaceSalmon, Cast, Angler, Eagle, Bear, Snatch, LetGo, EndTurn)


class Catch(Record, frozen=True):
    """A salmon just caught, which a bear may still snatch (A30)."""

    number: int
    seat: Seat
    salmon: CardId
    let_go: tuple[Seat, ...] = ()
    """The seats that have let go, in seat order. Each knows only about itself (A32)."""


class Kept(Record, frozen=True):
    """The last catch that was not snatched: all others have let it go (A34). Public."""

    number: int
    seat: Seat


class State(Record, frozen=True):
    options: Setting
    hands: tuple[tuple[CardId, ...], ...]
    main: tuple[CardId, ...]
    """The main pile, top first."""
    turn: Seat
    missing: tuple[bool, ...]
    """Who will miss its next turn (A35)."""
    caught: tuple[tuple[CardId, ...], ...]
    gaps: tuple[tuple[CardId, ...], ...] = ((),) * 10
    """The salmon in gap 1, 2, … 10."""
    anglers: tuple[CardId | None, ...] = (None,) * 10
    """The angler on section 1, 2, … 10."""
    discard: tuple[CardId, ...] = ()
    salmon: tuple[CardId, ...] = ()
    """Salmon shown at the start of this turn and not yet placed (A6)."""
    flow: tuple[CardId, ...] = ()
    """Flow cards shown at the start of this turn; they act when the salmon are placed (A8)."""
    catch: Catch | None = None
    turns: int = 0
    """Counts turns, placings and catches: each has its own clock."""
    placings: int = 0
    catches: int = 0
    kept: Kept | None = None
    turns_left: int | None = None
    """In the last round: the number of turns left, including this one (A36)."""
    hurried: bool = False
    """The turn's clock has expired: the cards are played automatically."""
    over: bool = False
    last: tuple[Happened, ...] = ()

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def hand(self) -> tuple[CardId, ...]:
        """The hand of the seat whose turn it is."""
        return self.hands[self.turn]

    @property
    def placer(self) -> Seat:
        """The right-hand seat: the one before (A4)."""
        return clockwise(self.turn, self.seats, -1)

    @property
    def is_last_turn(self) -> bool:
        return self.turns_left is not None

    @property
    def may_end(self) -> bool:
        return len(self.hand) <= (0 if self.is_last_turn else 1)  # A9, A37

    @property
    def others(self) -> tuple[Seat, ...]:
        """All seats except the one whose turn it is."""
        return tuple(Seat(seat) for seat in range(self.seats) if seat != self.turn)


def put(row: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    """The same tuple with one value changed."""
    return (*row[:place], value, *row[place + 1 :])


def say(state: State, what: str, seat: Seat | None, text: str, **detail: Any) -> State:
    """One more thing that happened in this step. `detail` holds plain values and lists."""
    return replace(state, last=(*state.last, Happened(what, seat, text, detail)))


def lay_down(state: State, *cards: CardId) -> State:
    """Cards of the seat whose turn it is go to the discard pile."""
    left = tuple(card for card in state.hand if card not in cards)
    return replace(state, hands=put(state.hands, state.turn, left), discard=(*state.discard, *cards))
