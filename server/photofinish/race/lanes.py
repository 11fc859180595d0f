"""The state of the open race in the arbiter: a lane for each seat, and what has happened so far."""

from dataclasses import dataclass, field
from typing import NamedTuple

from photofinish.engine import Micros, Seat
from photofinish.race.claims import NOTHING, Claim
from photofinish.race.evidence import Decision, Evidence, Throw
from photofinish.race.order import Tie
from photofinish.race.params import Path, Standing

BELOW_ALL = Micros(-1)


@dataclass(slots=True)
class Lane:
    """One seat in the open race."""

    path: Path
    away: bool
    """Scored without compensation."""
    waited_for: bool
    shown: Micros | None = None
    last: Micros = BELOW_ALL
    """The score of its last move: no later one is lower."""
    least: Micros = NOTHING
    """The lowest score of its next contested moves, after a false start."""
    taken: int = 0
    """The number of moves of this seat so far."""

    @property
    def own_last(self) -> Micros | None:
        """As a record has it."""
        return None if self.last == BELOW_ALL else self.last


class NextRelease(NamedTuple):
    """The held move that is released next. It does not depend on the paths."""

    first: Evidence
    score: Micros
    """By which it is sorted. In a dead heat it may be higher than `lowest`."""
    lowest: Micros
    hard: Micros
    """When the first of the held moves has waited long enough."""
    place: int
    """Of `first` in `held`."""
    tie: Tie
    """The heat of `first`. Its release begins it, if it has not begun."""
    joining: tuple[int, ...]
    """The tickets that join this heat then."""


@dataclass(slots=True)
class RunningRace:
    """One open race."""

    key: str
    nonce: str
    seats: tuple[Seat, ...]
    opener: Seat | None
    opened: Micros
    not_before: Micros
    lanes: dict[Seat, Lane]
    standings: dict[Seat, Standing]
    """As they were at the opening."""
    closers_from: Micros
    """The score before which no closer takes effect."""
    touched: Micros
    """The last time that the arbiter was given."""
    clocks: dict[Seat, Micros] = field(default_factory=dict)
    taken: int = 0
    claims: dict[int, Claim] = field(default_factory=dict)
    held: list[Evidence] = field(default_factory=list)
    """In the order in which they came in."""
    void: list[Evidence] = field(default_factory=list)
    coins: dict[Seat | None, str] = field(default_factory=dict)
    ties: dict[int, Tie] = field(default_factory=dict)
    """Ticket to heat, for all moves that were held when the heat began."""
    tops: dict[int, Micros] = field(default_factory=dict)
    """The highest released score when each move came in: a move with a lower score is late."""
    drawn: dict[Seat | None, Micros] = field(default_factory=dict)
    """The score at which each seat's last closer was released."""
    top: Micros = BELOW_ALL
    """The highest score released so far."""
    decisions: list[Decision] = field(default_factory=list)
    released: list[Evidence] = field(default_factory=list)
    throws: list[Throw] = field(default_factory=list)
    front: NextRelease | None = None
    """None: to be computed again, because what it follows from has changed."""
