"""The state of a game of Hameln Cave, its moves and its options."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from photofinish.engine import Happened, Move, Options, Record, Seat
from photofinish.games.hameln_cave.box import the_box
from photofinish.games.hameln_cave.chart import Chart, Place

Colour: TypeAlias = Literal["brown", "blue", "green"]
Pattern: TypeAlias = Literal["ghost", "saber", "wheel", "mermaid"]
Name: TypeAlias = Literal["henry", "aria", "rick", "charlotte", "clyde", "rion"]
Direction: TypeAlias = Literal["winner", "partner", "straight"]
Phase: TypeAlias = Literal[
    "character", "exchange", "play", "steer", "reveal", "second", "choose", "extra", "pause", "over"
]

COLOURS: tuple[Colour, ...] = ("brown", "blue", "green")
NAMES: tuple[Name, ...] = ("henry", "aria", "rick", "charlotte", "clyde", "rion")
SEATS = (Seat(0), Seat(1))


class Card(Record, frozen=True):
    """Every card is there once (H2)."""

    colour: Colour
    """The suit."""
    number: Annotated[int, Meta(ge=1, le=9)]
    """Its rank."""

    @property
    def pattern(self) -> Pattern:
        if self.number <= 3:
            return "ghost"
        if self.number <= 5:
            return "saber"
        return "wheel" if self.number <= 8 else "mermaid"


CARDS = tuple(Card(colour, number) for colour in COLOURS for number in range(1, 10))


def by_number(card: Card) -> tuple[int, int]:
    """Lowest number first, then brown, blue, green: the clocks' order."""
    return card.number, COLOURS.index(card.colour)


def by_colour(card: Card) -> tuple[int, int]:
    return COLOURS.index(card.colour), card.number


class HamelnCaveOptions(Options, frozen=True):
    level: Annotated[int, Meta(ge=1, le=len(the_box().charts))] = 1
    """Which map."""
    turn_seconds: Annotated[int, Meta(ge=0, le=600)] = 60
    """Time for every answer; 0: no clock."""
    talk_seconds: Annotated[int, Meta(ge=0, le=1800)] = 60
    """How long a pause lasts at most; 0: it ends at once."""
    mute: bool = True
    """No chat and no emotes from the deal to the end of the tricks (H40)."""


SlotNumber: TypeAlias = Annotated[int, Meta(ge=0, le=99)]
Mark: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000)]


class Character(Move, frozen=True):
    """Take a character."""

    name: Name
    """Which one."""


class Pass(Move, frozen=True):
    """Pass a card to the other seat."""

    card: Card
    """A card of your hand."""


class Play(Move, frozen=True):
    """Lead or follow."""

    card: Card
    """A card of your hand."""


class Steer(Move, frozen=True):
    """Steer the ship."""

    to: Direction
    """Where to."""


class Reveal(Move, frozen=True):
    """Rick: turn up a card of the Surplus."""

    slot: SlotNumber
    """The slot, counted from 0."""
    mark: Mark
    """The slot's `mark` in the view you saw."""


class Stop(Move, frozen=True):
    """Rick turns up no second card."""


class Apply(Move, frozen=True):
    """Rick names the card whose effect applies."""

    slot: SlotNumber
    """The slot, counted from 0."""
    mark: Mark
    """The slot's `mark` in the view you saw."""


class Extra(Move, frozen=True):
    """Clyde: play an extra trick?"""

    take: bool
    """True: yes."""


class Ready(Move, frozen=True):
    """End the pause."""


AnyMove: TypeAlias = Character | Pass | Play | Steer | Reveal | Stop | Apply | Extra | Ready


class Queued(Record, frozen=True):
    """A card of the Ghost Area: a ghost, or the Call Card, which has no face."""

    call: bool
    card: Card | None


CALL = Queued(call=True, card=None)


class Slot(Record, frozen=True):
    """A slot of the Surplus Area. Empty once its ghost has left (H23)."""

    card: Card | None
    up: bool
    mark: int


class Played(Record, frozen=True):
    seat: Seat
    card: Card


class Taken(Record, frozen=True):
    """A trick of this round that is over: the lead first."""

    cards: tuple[Played, Played]
    winner: Seat


class Ended(Record, frozen=True):
    won: bool
    clause: str
    why: str


class State(Record, frozen=True):
    options: HamelnCaveOptions
    ghosts: tuple[Queued, ...]
    """The Ghost Area, left end first (H4)."""
    ship: Place
    round: int = 1
    marker: int = 0
    """On which space of the ghost track the marker stands."""
    phase: Phase = "character"
    characters: tuple[Name | None, Name | None] = (None, None)
    hands: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())
    """Each by colour and number."""
    passes: tuple[Card | None, Card | None] = (None, None)
    """Face down in the play area until both are in (H9)."""
    gave: tuple[Card, Card] | None = None
    """What each seat gave in this round's exchange."""
    surplus: tuple[Slot, ...] = ()
    turn: Seat = Seat(0)
    """The seat that plays next or is asked. Has no meaning in `character`, `exchange`, `pause` and `over`."""
    trick: tuple[Played, ...] = ()
    tricks: tuple[Taken, ...] = ()
    """The finished tricks of this round."""
    piles: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())
    won: tuple[int, int] = (0, 0)
    """The number of tricks won. The pile may show fewer after a ghost has left it (H13)."""
    adds: int = 0
    """In `steer`: how many cards the trick adds after the ship has moved."""
    turned: tuple[int, ...] = ()
    """In `second` and `choose`: the slots Rick has turned up."""
    chained: bool = False
    """A card has been revealed in this trick already. If it was a saber, the next reveal is a single card (H36)."""
    is_extra: bool = False
    """This trick is the extra one of H38."""
    ready: tuple[bool, bool] = (False, False)
    marks: int = 0
    """The next mark a slot gets."""
    decisions: int = 0
    """Counts the answers given, so that each has its own clock."""
    ended: Ended | None = None
    last: tuple[Happened, ...] = ()
    by_hand: bool = False
    """Whether each hand has its own stream of random numbers (T74): from version 2 of the rules, not in version 1."""

    @property
    def chart(self) -> Chart:
        return the_box().chart(self.options.level)


def partner(seat: Seat) -> Seat:
    return SEATS[1 - seat]
