"""What goes into a match and what comes out of it: moves, answers, closed races, and what is known of a seat."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from photofinish.engine import Micros, Move, Seat
from photofinish.race.evidence import Evidence, RaceRecord
from photofinish.race.params import Params, Standing
from photofinish.replay import log
from photofinish.room.facts import Requested
from photofinish_protocol.messages import Play
from photofinish_protocol.reasons import Reason


class Sent(msgspec.Struct, frozen=True):
    """A seat's move: its typed value, the message that carried it, and the fact that brought the message."""

    seat: Seat
    move: Move
    play: Play
    fact: Requested


class Answered(msgspec.Struct, frozen=True):
    """A move has its answer. No reason: it was carried out."""

    seat: Seat
    request_id: int
    reason: Reason | None = None
    clause: str = ""
    text: str = ""


class RaceMove(msgspec.Struct, frozen=True):
    """One move of a race and its result. `is_public`: everybody could see its effect."""

    evidence: Evidence
    move: str
    verdict: Literal["done", "refused", "void", "held"]
    is_public: bool = False
    heat: int | None = None
    """The number of its dead heat, once the race has closed. `race_report` decides who may know that."""


@dataclass(slots=True)
class RaceNotes:
    """What the match notes of a race while it is open.

    In an object of its own: with thirty attributes or more an object of Python 3.11 takes 1.3 KB more, and is slower.
    """

    moves: list[RaceMove] = field(default_factory=list)
    refused: list[log.Refusal] = field(default_factory=list)
    is_reopened: bool = False
    """The room was adopted during the race."""


class ClosedRace(msgspec.Struct, frozen=True):
    """A race that has closed."""

    record: RaceRecord
    runs: tuple[RaceMove, ...]


@dataclass(slots=True)
class SeatState:
    """What the game needs to know of a seat."""

    is_here: bool = False
    is_autopilot: bool = False
    missed: int = 0
    gone_since: Micros | None = None
    """When its player's connection was lost; None while the player is here."""
    node: str = ""
    """The other node that holds its socket; empty for our own."""
    clock: Micros | None = None
    """The last known time of that node's clock."""


@dataclass(frozen=True, slots=True)
class MatchStart:
    """What a match starts from: a new deal, or the game of a stored record."""

    state: Any
    step: int
    seed: bytes
    key: bytes
    head: bytes
    """The newest hash of the log."""
    began: Micros
    """When the game was dealt, on this node's clock."""
    seats: dict[Seat, SeatState]
    standings: dict[Seat, Standing]
    clocks: dict[str, int]
    """The time left on each clock, in µs."""
    tickets: int
    """The number of claims so far."""


@dataclass(frozen=True, slots=True)
class TableRules:
    """What all matches at one table have in common besides the game."""

    params: Params
    absent: Micros
    """A seat whose player has been away for this long is put on autopilot."""
    new_nonce: Callable[[], str]
