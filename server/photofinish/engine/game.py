"""What a game is: a value made of pure functions."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import msgspec

from photofinish.engine.bot import House, Strength
from photofinish.engine.events import Happened
from photofinish.engine.ids import Seat, Viewer
from photofinish.engine.inputs import Input, Race, Timer, no_race, no_timers
from photofinish.engine.offers import Offer
from photofinish.engine.records import Move, Options
from photofinish.engine.rng import Rng

S = TypeVar("S", bound=msgspec.Struct)
M = TypeVar("M", bound=Move)
V = TypeVar("V", bound="Sight")
O = TypeVar("O", bound=Options)


class Sight(Protocol):
    """Every game's view says what just happened, for this viewer."""

    @property
    def last(self) -> tuple[Happened, ...]: ...


@dataclass(frozen=True, slots=True)
class Table(Generic[O]):
    """What is settled before the deal."""

    seats: int
    options: O
    previous: tuple[Seat, ...] = ()
    """The winners of the last game at this table, for rules that care (R3). Empty the first time."""


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended, and why."""

    winners: tuple[Seat, ...]
    why: str


class Clauses(msgspec.Struct, frozen=True):
    """The clauses that the room cites where it refuses a move before the rules see it."""

    deal: str = ""
    """Before the deal there is nothing to play."""
    over: str = ""
    """After the end nothing is played any more."""
    race: str = ""
    """A race's moves that came too early, too late, to another race or too often. Empty: the game has no races."""


NO_CLAUSES = Clauses()


def never_muted(_state: object) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Game(Generic[S, M, V, O]):
    """A card or board game.

    All functions are pure. `apply` alone judges; `view` is the only door out. `setup` raises `IllegalMove`
    if the options do not fit the number of seats.
    """

    key: str
    title: str
    seats: range
    state: type[S]
    moves: tuple[type[M], ...]
    sight: type[V]
    options: type[O]
    setup: Callable[[Table[O], Rng], S]
    offers: Callable[[S, Seat], tuple[Offer, ...]]
    """What this seat may send now. A move sampled from the offers is never refused; one outside them is
    refused, or is a foul the rules name."""
    apply: Callable[[S, Input[M], Rng], S]
    """The state after this input. Raises `IllegalMove(clause, text)`. An `Expired` the state did not wish for
    is an assertion failure: our bug."""
    view: Callable[[S, Viewer], V]
    """What this viewer may know. Built up from nothing, never cut down from the state."""
    resample: Callable[[S, Viewer, Rng], S]
    """A state this viewer could not tell apart: everything that is not in its current view is redrawn."""
    scores: Callable[[S], tuple[int, ...]]
    outcome: Callable[[S], Outcome | None]
    places: Callable[[S], tuple[int, ...]] | None = None
    """By seat, competition style (1, 1, 3), once the game is over. None: `engine.places` takes the winners first and
    the rest by their scores."""
    lower_is_better: bool = False
    """The direction of `scores`."""
    is_coop: bool = False
    """All seats are one team: they win or lose together, and nobody has a place."""
    faces: tuple[type, ...] = ()
    """The types in views that are card faces (or signs thrown in secret): what a move may lawfully reveal."""
    timers: Callable[[S], tuple[Timer, ...]] = no_timers
    race: Callable[[S], Race[M] | None] = no_race
    muted: Callable[[S], str] = never_muted
    """The clause that forbids talk now; empty: none does.

    While one does the room delivers no chat, no emotes and no new names."""
    house: Callable[[Seat, Strength, Rng], House[V]] | None = None
    clauses: Clauses = NO_CLAUSES
    version: int = 1
    """Of the rules: a node adopts only rooms whose version it can play."""
    blurb: str = ""
    """One line for the lobby."""
    _move_type: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        union: Any = self.moves[0]
        for move in self.moves[1:]:
            union |= move
        object.__setattr__(self, "_move_type", union)

    @property
    def move_type(self) -> Any:
        """The union of all moves, for decoding and schemas."""
        return self._move_type


AnyGame: TypeAlias = Game[Any, Any, Any, Any]
