"""The inputs of a game, and the timers and races that a game asks for."""

from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

import msgspec

from photofinish.engine.ids import Millis, Seat
from photofinish.engine.records import Move

M = TypeVar("M", bound=Move)

AT_ONCE = Millis(0)


class Act(msgspec.Struct, Generic[M], frozen=True):
    """A seat made a move. In a race the room has already put the moves in order."""

    seat: Seat
    move: M


class Expired(msgspec.Struct, frozen=True):
    """A timer that the state asked for has expired."""

    timer: str


Input: TypeAlias = Act[M] | Expired


class IllegalMove(Exception):  # noqa: N818 - it is a refusal, not an error: the table's word
    """The rules do not allow this move now. The state does not change; the sender gets clause and text.

    Only the sender gets the text. It must not say anything that the sender may not know.
    """

    def __init__(self, clause: str, text: str) -> None:
        super().__init__(clause, text)
        self.clause = clause
        self.text = text


class Timer(msgspec.Struct, frozen=True):
    """A clock that the state asks for. The room starts it when its key first appears and drops it
    when the key is gone. A new key is a new clock.

    Every viewer sees every clock that is not `hidden`. So its key and its existence must follow from public facts.
    """

    key: str
    after: Millis | None
    """None: no time limit for this seat (`turn_seconds` 0). No clock is shown, and `Expired` comes
    only when the seat is on autopilot."""
    seat: Seat | None = None
    """The seat that must answer. If the clock expires, that seat has missed it. For a seat on autopilot the clock
    expires at once. None for clocks that need no answer (a card is shown for three seconds)."""
    waits_for: tuple[Seat, ...] = ()
    """For a clock without a seat: the seats whose answers end it early (all have looked at their cards)."""
    running: bool = True
    """False: the clock is paused and keeps its remaining time."""
    is_answer: bool = False
    """True: not answering is a legal answer and does not count as missed (silence in a bear race)."""
    ends_race: bool = False
    """True: the clock closes a race. It is sorted among the moves of that race by its due time."""
    hidden: bool = False
    """True: no viewer sees this clock, because when it expires is a secret (X3)."""


@dataclass(frozen=True, slots=True)
class Race(Generic[M]):
    """An open race: while it is open, the room sorts the moves of all seats before it calls the rules."""

    key: str
    """A new key is a new race, with a new trigger."""
    seats: tuple[Seat, ...]
    """Every seat that could move in it, whatever cards it holds. The arbiter waits for all of them equally."""
    contested: tuple[type[M], ...]
    """The moves of the race. They carry its nonce and are void if they are faster than a human reaction."""
    closers: tuple[type[M], ...] = ()
    """Moves that end the race. Sorted like the others, but never before `not_before`."""
    anytime: tuple[type[M], ...] = ()
    """Moves that are also legal without a race. While a race is open they are sorted too; they have no nonce."""
    not_before: Millis = AT_ONCE
    """For this time after the opening, and after each change of `throws`, no closing move takes effect."""
    throws: int = 0
    """Counts the successful throws in this race."""
    opener: Seat | None = None
    """The seat whose own move opened the race. A fast reaction of this seat is not flagged."""


def limit(seconds: int) -> Millis | None:
    """The time limit that the host set, or None for 0 (no limit)."""
    return Millis(1000 * seconds) if seconds else None


def no_timers(_state: object) -> tuple[Timer, ...]:
    return ()


def no_race(_state: object) -> None:
    return None
