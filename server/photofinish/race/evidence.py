"""What a race adds to the log: one entry for each move, and one at the close. Raw numbers come first."""

import hashlib
from typing import Literal, TypeAlias

from photofinish.engine import Micros, Record, Seat, replace
from photofinish.engine.convert import pack
from photofinish.race.params import Params, Path
from photofinish.race.score import Kind

VERSION = 3
READABLE = (2, 3)
"""The version of the record. Version 1 has no such field; `race/version1.py` verifies it by its own rule."""

By: TypeAlias = Literal["watermark", "hard"]


class Evidence(Record, frozen=True):
    """All that was known about one move, and what was computed from it. `shown` and `arrived` are S and A."""

    ticket: int
    number: int
    """The position of the move among all moves of the race, in the order in which the owner got them, from 0."""
    seat: Seat | None
    """None for a clock: a move of the room itself."""
    kind: Kind
    shown: Micros
    """When the trigger was handed to the seat's socket, by its node's clock (away: the owner's opening)."""
    arrived: Micros
    """When the move arrived, by the same clock (away: when it reached the owner)."""
    reached: Micros
    """When the move reached the room's owner, by the owner's clock."""
    away: bool
    """The seat had no trigger of its own, or dropped its socket since: scored without compensation."""
    path: Path
    react_us: int | None
    base: Micros
    lo: Micros
    hi: Micros
    jitter: Micros
    behind: Micros
    """How late the line was in this race."""
    soft: Micros
    """What was credited in addition to the seat's normaliser; may be negative."""
    credit: Micros
    """What was credited because the line was late."""
    score: Micros
    void: bool = False
    why: str = ""
    """Why it was refused, for a void move."""
    late: bool = False
    nonce: str = ""
    node: str = ""
    retransmits: int = 0
    loop_lag: Micros = Micros(0)


class SeatWait(Record, frozen=True):
    """The state of one seat that had to be waited for, when a move was released."""

    seat: Seat
    shown: Micros | None
    path: Path
    last: Micros | None
    """The score of the seat's own last move: it cannot come in lower. None: it has not moved."""
    clock: Micros | None
    """The last known time of its node's clock."""


class Decision(Record, frozen=True):
    """One release: which move, when, for which reason, and which moves were held."""

    ticket: int
    at: Micros
    """The owner's clock."""
    score: Micros
    """The score it was sorted by. That of a closer is at least `not_before`."""
    by: By
    late: bool
    heat: int
    """Moves with the same number were in one dead heat, or alone in theirs."""
    taken: int
    """How many moves had come in by then."""
    marks: tuple[SeatWait, ...]


class Throw(Record, frozen=True):
    """A throw succeeded: the wait for closing moves started again."""

    after: int
    """How many moves had been released."""
    at: Micros


class SeatStart(Record, frozen=True):
    """The values with which a seat began the race."""

    seat: Seat
    screen: Micros
    """Its normaliser."""
    unproven: Micros
    """Its account, for a seat without kernel proof."""


class RaceRecord(Record, frozen=True):
    """The closing entry of a race: with it alone the race can be judged again."""

    version: int
    """Of this type: `VERSION`."""
    key: str
    nonce: str
    params: Params
    seats: tuple[Seat, ...]
    opener: Seat | None
    opened: Micros
    closed: Micros
    not_before: Micros
    coins: tuple[tuple[Seat | None, str], ...]
    """The toss for each seat that moved (None: the room), as hex: the lower goes first. `recompute` checks them
    against the game's seed when it is given."""
    starts: tuple[SeatStart, ...]
    decisions: tuple[Decision, ...]
    throws: tuple[Throw, ...]
    moves: tuple[Evidence, ...]
    """What was released, in that order: the same entries as in the log."""
    void: tuple[Evidence, ...]
    held: tuple[Evidence, ...]
    """Moves that were still held when the race closed."""
    seal: str = ""
    """SHA-256 of this record without its seal."""

    @property
    def heats(self) -> tuple[tuple[int, ...], ...]:
        """The tickets of each dead heat."""
        groups: dict[int, list[int]] = {}
        for it in self.decisions:
            groups.setdefault(it.heat, []).append(it.ticket)
        return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def sealed(record: RaceRecord) -> RaceRecord:
    """The record with its seal: a changed byte shows. Who changed it, the room's keyed log chain shows."""
    bare = replace(record, seal="")
    return replace(bare, seal=hashlib.sha256(pack(bare)).hexdigest())


def winner_of(record: RaceRecord) -> int | None:
    """The ticket of the first throw that succeeded; None if there was none."""
    return record.decisions[record.throws[0].after - 1].ticket if record.throws else None
