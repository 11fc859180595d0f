"""The state of a game of Gravekeepers, its moves and its options."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from photofinish.engine import Happened, Move, Options, Record, Seat

Colour: TypeAlias = Literal["white", "black"]
Symbol: TypeAlias = Literal["circle", "diamond", "triangle", "square", "star"]
Group: TypeAlias = Literal["circle", "diamond", "triangle", "square", "star", "face_down", "kinds"]
Phase: TypeAlias = Literal["declare", "place", "effect", "draw", "final", "score", "over"]
Place4: TypeAlias = Annotated[int, Meta(ge=0, le=3)]

COLOURS: tuple[Colour, ...] = ("white", "black")
SYMBOLS: tuple[Symbol, ...] = ("circle", "diamond", "triangle", "square", "star")
"""In the order in which they are scored (G28)."""
SIDE = 4
CELLS = tuple((row, col) for row in range(SIDE) for col in range(SIDE))


class Ghost(Record, frozen=True):
    """A ghost card. Equal ones are interchangeable."""

    colour: Colour
    """Of its back: public."""
    symbol: Symbol
    """Of its face."""


class Dawn(Record, frozen=True):
    """A dawn card that is out."""

    colour: Colour


def in_order(ghost: Ghost) -> tuple[int, int]:
    """White before black, then in symbol order."""
    return COLOURS.index(ghost.colour), SYMBOLS.index(ghost.symbol)


class GravekeepersOptions(Options, frozen=True):
    turn_seconds: Annotated[int, Meta(ge=0, le=600)] = 45
    """Time for a whole turn; 0: no clock."""
    final_seconds: Annotated[int, Meta(ge=5, le=600)] = 30
    """Time for the final card, and for each effect of the scoring."""
    final_card: Literal["up", "down"] = "up"
    """Whether the final card is added face up or face down."""


class Declare(Move, frozen=True):
    """Walk a keeper and take the ghosts of its line."""

    colour: Colour
    """Which keeper."""
    to: Place4
    """The row or column it walks to."""


class Place(Move, frozen=True):
    """Put a card of your hand face down on the crossing."""

    card: Ghost
    """A card of your hand."""


class MoveKeeper(Move, frozen=True, tag="move"):
    """Effect: move a keeper along its axis (G18)."""

    to: Place4
    """The row or column."""


class Relocate(Move, frozen=True):
    """Effect: move a ghost to the card that is being visited (G19)."""

    row: Place4
    """Row of the ghost."""
    col: Place4
    """Column of the ghost."""


class Flip(Move, frozen=True):
    """Effect: turn a face-down ghost up (G20)."""

    row: Place4
    """Its row."""
    col: Place4
    """Its column."""


class Decline(Move, frozen=True):
    """Do not use the effect."""


class Draw(Move, frozen=True):
    """Refill your hand."""

    pile: Colour
    """Which pile to draw from."""


class Final(Move, frozen=True):
    """Choose your final card."""

    card: Ghost
    """A card of your hand."""


class TurnDown(Move, frozen=True):
    """Scoring: turn one of your ghosts face down."""

    card: Ghost
    """One of your open ghosts."""


class Drop(Move, frozen=True):
    """Scoring: discard one of your face-down ghosts."""


AnyMove: TypeAlias = Declare | Place | MoveKeeper | Relocate | Flip | Decline | Draw | Final | TurnDown | Drop


class Lying(Record, frozen=True):
    """A ghost on a cemetery card."""

    ghost: Ghost
    up: bool


class Line(Record, frozen=True):
    """The line of the turn (G10): a row if white was declared, a column if black."""

    colour: Colour
    index: int

    def cells(self) -> tuple[int, ...]:
        """Its four places in the order of G13: away from the keeper."""
        if self.colour == "white":
            return tuple(self.index * SIDE + col for col in range(SIDE))
        return tuple(row * SIDE + self.index for row in reversed(range(SIDE)))


class Loss(Record, frozen=True):
    """The points that a seat lost in the scoring, and the group for which it lost them."""

    seat: Seat
    group: Group
    points: int


class State(Record, frozen=True):
    options: GravekeepersOptions
    plots: tuple[int, ...]
    """The ids of the cemetery cards, row by row."""
    graves: tuple[Lying | None, ...]
    """The ghost on each of them."""
    keepers: tuple[int, int]
    """The white keeper's row, the black keeper's column."""
    piles: tuple[tuple[Ghost | None, ...], tuple[Ghost | None, ...]]
    """White and black, top card first. None is the dawn card."""
    hands: tuple[tuple[Ghost, ...], ...]
    shown: tuple[tuple[Ghost, ...], ...]
    """The face-up ghosts before each seat."""
    down: tuple[tuple[Ghost, ...], ...]
    """The face-down ones, which nobody knows."""
    finals: tuple[Ghost | None, ...]
    starter: Seat
    turn: Seat
    dawns: tuple[bool, bool] = (False, False)
    out: tuple[Ghost, ...] = ()
    """Discarded face down, or left in a hand: nobody sees them again."""
    turns: int = 0
    phase: Phase = "declare"
    line: Line | None = None
    visit: int = 0
    """How many cards of the line have been visited."""
    scored: int = 0
    """How many symbols have been scored."""
    losses: tuple[Loss, ...] = ()
    last: tuple[Happened, ...] = ()

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def crossing(self) -> int:
        return self.keepers[0] * SIDE + self.keepers[1]

    @property
    def declared(self) -> Colour:
        assert self.line is not None
        return self.line.colour


def pile_of(colour: Colour) -> int:
    """The index of this colour in pairs: white is first."""
    return COLOURS.index(colour)
