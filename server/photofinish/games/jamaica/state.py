"""The state of a game of Jamaica, its moves and its options."""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from photofinish.engine import Happened, Move, Options, Record, Seat, clockwise

Resource: TypeAlias = Literal["gold", "food", "gunpowder"]
Direction: TypeAlias = Literal["forward", "backward"]
Action: TypeAlias = Literal["gold", "food", "gunpowder", "forward", "backward"]
Kind: TypeAlias = Literal["port_royal", "port", "sea", "lair"]
Ghost: TypeAlias = Literal["ghost"]
Shortage: TypeAlias = Literal["stay", "back_to_port", "back_to_sea", "back_to_lair"]
Question: TypeAlias = Literal[
    "dice", "choose", "load", "move", "attack", "fire", "sabre", "spoils", "pay", "ghost_move", "over",
]  # fmt: skip
Phase: TypeAlias = Literal[
    "dice", "choose", "load", "move", "attack", "fire", "sabre", "spoils", "pay", "ghost_move", "over",
    "round", "turn", "act", "landed", "judge", "settle", "done", "round_end",
]  # fmt: skip
"""The first eleven are questions; the others exist only within one step."""

RESOURCES: tuple[Resource, ...] = ("gold", "food", "gunpowder")
DIRECTIONS: tuple[Direction, ...] = ("forward", "backward")
HOLDS = 5
LAST_HOLD = HOLDS
"""The number of the 6th Hold (J39)."""
MAP, SABRE, LADY_BETH, SIXTH_HOLD = "morgans_map", "sarans_sabre", "lady_beth", "sixth_hold"

HoldNumber: TypeAlias = Annotated[int, Meta(ge=0, le=LAST_HOLD)]
HoldKey: TypeAlias = Literal["0", "1", "2", "3", "4", "5"]
Amount: TypeAlias = Annotated[int, Meta(ge=0, le=9999)]
SpaceId: TypeAlias = Annotated[int, Meta(ge=0, le=199)]
Place: TypeAlias = Annotated[int, Meta(ge=0, le=9999)]


class JamaicaOptions(Options, frozen=True):
    ghost_ship: Literal["auto", "on"] = "auto"
    """J44. `auto`: with 2 seats only."""
    start_food: Annotated[int, Meta(ge=0, le=20)] = 3
    """Food in hold 0 at the start."""
    start_gold: Annotated[int, Meta(ge=0, le=20)] = 3
    """Gold in hold 1 at the start."""
    choose_seconds: Annotated[int, Meta(ge=5, le=600)] = 60
    """Time for the dice, and for the card."""
    turn_seconds: Annotated[int, Meta(ge=0, le=600)] = 30
    """Time for every other answer; 0: no clock."""


class PlaceDice(Move, frozen=True):
    """Which of the two dice goes on morning; the other goes on evening."""

    morning: Literal[0, 1]
    """Number of the die for the morning."""


class Choose(Move, frozen=True):
    """Choose a card of your hand for this round."""

    card: Annotated[int, Meta(ge=0, le=99)]
    """Its number in your hand."""


class Load(Move, frozen=True):
    """Load what the card brings."""

    hold: HoldNumber
    """An empty hold, or the one to empty."""


class Sail(Move, frozen=True, tag="move"):
    """Sail to a space, where there is a choice."""

    to: SpaceId
    """The space to sail to."""


class Attack(Move, frozen=True):
    """Choose the ship to attack."""

    ship: Annotated[int, Meta(ge=0, le=5)] | Ghost
    """A seat, or `ghost`."""


class Fire(Move, frozen=True):
    """Battle: gunpowder for the roll."""

    powder: dict[HoldKey, Amount]
    """By hold, how many."""


class Sabre(Move, frozen=True):
    """Saran's Sabre: have the roll just made be made again (J28)."""


class Accept(Move, frozen=True):
    """Saran's Sabre: let the roll stand (J28)."""


class Loot(Move, frozen=True):
    """Either a hold (and where its contents go) or a treasure."""

    hold: HoldNumber | None = None
    """The loser's hold."""
    into: HoldNumber | None = None
    """Your hold for it."""
    treasure: Place | None = None
    """The loser's treasure, by its place."""


class Curse(Move, frozen=True):
    """The winner gives a cursed treasure to the loser."""

    treasure: Place
    """Your treasure, by its place."""


class Leave(Move, frozen=True):
    """The winner takes nothing."""


class Pay(Move, frozen=True):
    """Pay for the space."""

    from_: dict[HoldKey, Amount] = msgspec.field(name="from")
    """By hold, how many."""


class GhostMove(Move, frozen=True):
    """Move the ghost ship."""

    direction: Direction
    """Forward or back."""
    to: SpaceId
    """The space."""


AnyMove: TypeAlias = (
    PlaceDice | Choose | Load | Sail | Attack | Fire | Sabre | Accept | Loot | Curse | Leave | Pay | GhostMove
)


class Hold(Record, frozen=True):
    resource: Resource | None = None
    count: int = 0


EMPTY = Hold()


class Treasure(Record, frozen=True):
    """A treasure card beside a ship."""

    place: int
    """Its place number, never used again. It says nothing about the face."""
    card: str
    up: bool
    curse: bool = False
    """It was given away once (J32), so everybody knows that it is a curse."""


class Ship(Record, frozen=True):
    space: int
    holds: tuple[Hold, ...]
    lap: int = 0
    treasures: tuple[Treasure, ...] = ()
    places: int = 0
    """How many place numbers have been given out."""

    @property
    def has_finished(self) -> bool:
        return self.lap >= 1

    def has(self, power: str) -> bool:
        """A power works only face up (J37, J46)."""
        return any(it.card == power and it.up for it in self.treasures)

    def total(self, resource: Resource) -> int:
        return sum(hold.count for hold in self.holds if hold.resource == resource)


class Deck(Record, frozen=True):
    """A seat's eleven cards, by id."""

    hand: tuple[int, ...]
    pile: tuple[int, ...]
    """Top card first."""
    discard: tuple[int, ...] = ()
    """Top card last. All of it was played face up."""
    chosen: int | None = None
    """Chosen, and not yet turned up."""
    played: int | None = None
    """Turned up last; it is seen until the seat chooses again."""


class Shot(Record, frozen=True):
    """The gunpowder and the roll of one side in a battle."""

    powder: int
    face: int
    """Which face of the combat die came up."""
    bonus: int


class Battle(Record, frozen=True):
    attacker: int
    defender: int
    attack: Shot | None = None
    defence: Shot | None = None
    sabre_used: bool = False
    winner: int | None = None

    @property
    def loser(self) -> int:
        return self.defender if self.winner == self.attacker else self.attacker


class State(Record, frozen=True):
    options: JamaicaOptions
    ships: tuple[Ship, ...]
    """By seat; the Ghost Ship, if it sails, after the seats."""
    decks: tuple[Deck, ...]
    captain: Seat
    tokens: tuple[int, ...]
    """The lairs that still have their treasure token."""
    pile: tuple[str, ...]
    """The treasure pile, top card first."""
    left_out: tuple[str, ...]
    round: int = 0
    dice: tuple[int, int] = (0, 0)
    times: tuple[int, int] | None = None
    """Morning and evening, once placed."""
    acted: int = 0
    """How many ships have done their actions in this round."""
    half: Literal[0, 1] = 0
    phase: Phase = "round"
    shortage: Shortage | None = None
    """What the shortage die drives the ship back to."""
    battle: Battle | None = None
    questions: int = 0
    """Counts the questions, so that each has its own clock."""
    last: tuple[Happened, ...] = ()

    @property
    def seats(self) -> int:
        return len(self.decks)

    @property
    def ghost(self) -> int | None:
        """The Ghost Ship's number, if it sails."""
        return self.seats if len(self.ships) > self.seats else None

    @property
    def mover(self) -> int:
        """The ship whose actions are being done."""
        return self.seats if self.acted >= self.seats else clockwise(self.captain, self.seats, self.acted)

    @property
    def ship(self) -> Ship:
        return self.ships[self.mover]

    @property
    def die(self) -> int:
        """The number of this half of the day."""
        assert self.times is not None
        return self.times[self.half]
