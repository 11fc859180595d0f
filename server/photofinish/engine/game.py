"""A game is a value made of pure functions."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import msgspec

from photofinish.engine.bot import BotBrain, Strength
from photofinish.engine.events import Happened
from photofinish.engine.ids import Seat, Viewer
from photofinish.engine.inputs import Input, Race, Timer, no_race, no_timers
from photofinish.engine.offers import Offer
from photofinish.engine.records import Move, Options, move_name
from photofinish.engine.rng import Rng

S = TypeVar("S", bound=msgspec.Struct)
M = TypeVar("M", bound=Move)
V = TypeVar("V", bound="GameView")
O = TypeVar("O", bound=Options)


class GameView(Protocol):
    """Every view has `last`: what just happened, as this viewer may know it."""

    @property
    def last(self) -> tuple[Happened, ...]: ...


@dataclass(frozen=True, slots=True)
class TableSetup(Generic[O]):
    """What is known before the deal."""

    seats: int
    options: O
    previous: tuple[Seat, ...] = ()
    """The winners of the previous game at this table, for rules that use them (R3). Empty in the first game."""
    rules: int | None = None
    """The version of the rules that the game is played by; None: the newest. A replay has the version of its game."""

    def follows(self, version: int) -> bool:
        """Are these rules of this version, or newer?"""
        return self.rules is None or self.rules >= version


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended, and why."""

    winners: tuple[Seat, ...]
    why: str


class Clauses(msgspec.Struct, frozen=True):
    """The clauses that the room cites when it refuses a move before it calls the rules."""

    deal: str = ""
    """For a move before the deal."""
    over: str = ""
    """For a move after the end."""
    race: str = ""
    """For a race move that is too early, too late, for another race or one too many. Empty: no races in this game."""


NO_CLAUSES = Clauses()


def never_muted(_state: object) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Game(Generic[S, M, V, O]):
    """A card or board game.

    All functions are pure. Only `apply` decides whether a move is legal. Only `view` decides what clients get.
    `setup` raises `IllegalMove` if the options do not fit the number of seats.
    """

    key: str
    title: str
    seats: range
    state: type[S]
    moves: tuple[type[M], ...]
    view_type: type[V]
    options: type[O]
    setup: Callable[[TableSetup[O], Rng], S]
    offers: Callable[[S, Seat], tuple[Offer, ...]]
    """The moves that this seat may send now. A move from the offers is never refused. Any other move is
    refused, or is a foul that the rules define."""
    apply: Callable[[S, Input[M], Rng], S]
    """The state after this input. Raises `IllegalMove(clause, text)`. An `Expired` for a timer that the state
    did not ask for is an assertion failure: our bug."""
    view: Callable[[S, Viewer], V]
    """What this viewer may know, as a new value. Never a state with parts removed."""
    resample: Callable[[S, Viewer, Rng], S]
    """Another state that this viewer cannot tell from this one: everything outside its current view is drawn again."""
    scores: Callable[[S], tuple[int, ...]]
    outcome: Callable[[S], Outcome | None]
    places: Callable[[S], tuple[int, ...]] | None = None
    """The place of each seat in a finished game, competition style (1, 1, 3). None: `engine.places` puts the
    winners first and the others by their scores."""
    lower_is_better: bool = False
    """Whether a lower score is better."""
    is_coop: bool = False
    """All seats are one team: they win or lose together, and there are no places."""
    faces: tuple[type, ...] = ()
    """The types in views that are card faces (or secret signs): the values that a move may reveal."""
    timers: Callable[[S], tuple[Timer, ...]] = no_timers
    race: Callable[[S], Race[M] | None] = no_race
    muted: Callable[[S], str] = never_muted
    """The clause that forbids talk now, or "" if talk is allowed.

    While talk is forbidden the room delivers no chat, no emotes and no new names."""
    house_bot: Callable[[Seat, Strength, Rng], BotBrain[V]] | None = None
    clauses: Clauses = NO_CLAUSES
    version: int = 1
    """The version of the rules. A node adopts only rooms whose version it can play."""
    oldest: int = 1
    """The oldest version of the rules that these functions can still play: for running games and replays."""
    blurb: str = ""
    """One line for the lobby."""
    move_type: Any = field(init=False, repr=False, compare=False)
    """The union of all moves, for decoding and schemas."""
    move_types: dict[str, type[M]] = field(init=False, repr=False, compare=False)
    """Each move by its name on the wire."""

    def __post_init__(self) -> None:
        union: Any = self.moves[0]
        for move in self.moves[1:]:
            union |= move
        object.__setattr__(self, "move_type", union)
        object.__setattr__(self, "move_types", {move_name(it): it for it in self.moves})

    def plays(self, rules: int) -> bool:
        """Can a game that was dealt by this version of the rules be continued and replayed?"""
        return self.oldest <= rules <= self.version


AnyGame: TypeAlias = Game[Any, Any, Any, Any]
