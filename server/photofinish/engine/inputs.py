"""All that can happen to a game, and what a game may wish for in return."""

from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from photofinish.engine.ids import Millis, Seat
from photofinish.engine.records import Move

M = TypeVar("M", bound=Move)

AT_ONCE = Millis(0)


@dataclass(frozen=True, slots=True)
class Act(Generic[M]):
    """A seat made a move. In a race the room has already put the moves in order."""

    seat: Seat
    move: M


@dataclass(frozen=True, slots=True)
class Expired:
    """A clock the state wished for has run out."""

    timer: str


Input: TypeAlias = Act[M] | Expired


class IllegalMove(Exception):  # noqa: N818 - it is a refusal, not an error: the table's word
    """Not now, not you, or not that. Changes nothing; the clause and the text go to the one who tried.

    The text goes to the sender alone, but must still say nothing the sender may not know.
    """

    def __init__(self, clause: str, text: str) -> None:
        super().__init__(clause, text)
        self.clause = clause
        self.text = text


@dataclass(frozen=True, slots=True)
class Timer:
    """A clock the state waits for. The room starts it when its key first appears and forgets it
    when the key is gone; a new key is a new clock.

    Every viewer sees every clock, so a clock's key and its being there must follow from public facts.
    """

    key: str
    after: Millis | None
    """None: this seat is awaited for as long as it likes (`turn_seconds` 0). No clock is shown, and `Expired` comes
    only when the seat is on autopilot."""
    seat: Seat | None = None
    """Whose answer is awaited. When the clock runs out that seat has missed it; a seat on autopilot has its
    clocks answered at once. None for clocks that are nobody's fault (a card is shown for three seconds)."""
    waits_for: tuple[Seat, ...] = ()
    """For a clock that is nobody's fault: the seats whose answers end it early (all have looked at their cards)."""
    running: bool = True
    """False: the clock stands still and keeps what is left of it."""
    is_answer: bool = False
    """True: letting this clock run out is a lawful answer, not a missed one (silence in a bear race)."""
    ends_race: bool = False
    """True: the clock closes a race, so it is ordered with the moves of that race by its due time."""


@dataclass(frozen=True, slots=True)
class Race(Generic[M]):
    """An open race: from now on the room orders the moves of all seats before the rules see them."""

    key: str
    """A new key is a new race, with a new trigger."""
    seats: tuple[Seat, ...]
    """Everybody who could move in it, whatever they hold: the arbiter waits for all of them alike."""
    contested: tuple[type[M], ...]
    """The race's own moves: they carry its nonce and cannot come before a hand could have answered."""
    closers: tuple[type[M], ...] = ()
    """Moves that end it. Sorted like the rest, but never earlier than `not_before`."""
    anytime: tuple[type[M], ...] = ()
    """Moves that need no race; while one is open they are sorted too, without nonce."""
    not_before: Millis = AT_ONCE
    """So long after the opening, and again after each change of `throws`, no closer takes effect."""
    throws: int = 0
    """Counts the successful throws in this race."""
    opener: Seat | None = None
    """The seat whose own move opened the race; it is not flagged for being quick."""


def limit(seconds: int) -> Millis | None:
    """A time limit as a host sets it: 0 is none."""
    return Millis(1000 * seconds) if seconds else None


def no_timers(_state: object) -> tuple[Timer, ...]:
    return ()


def no_race(_state: object) -> None:
    return None
