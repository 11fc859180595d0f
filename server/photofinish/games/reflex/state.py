"""What a game of Reflex is made of: options, the one move, the state."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from photofinish.engine import Happened, Move, Options, Record, Seat, all_seats

Phase: TypeAlias = Literal["dark", "lit", "over"]
Sign: TypeAlias = Literal["go", "stop"]


class ReflexOptions(Options, frozen=True):
    flashes: Annotated[int, msgspec.Meta(ge=1, le=500)] = 10
    """The number of lights in the game (X1)."""
    gap_ms: Annotated[int, msgspec.Meta(ge=40, le=10_000)] = 2_000
    """The average pause before a light (X3)."""
    window_ms: Annotated[int, msgspec.Meta(ge=200, le=10_000)] = 2_000
    """How long a light is on (X7)."""
    false_start_cost: Annotated[int, msgspec.Meta(ge=0, le=10)] = 1
    """Points that a press without a green light costs (X8, X9)."""
    stop_percent: Annotated[int, msgspec.Meta(ge=0, le=50)] = 0
    """Of 100 lights, how many are red on average: do not press (X2)."""
    all_press: bool = True
    """The light stays on until everybody has pressed, so that every reaction is measured (X7)."""


class Press(Move, frozen=True):
    """Race: press the button (X5)."""


class Flash(Record, frozen=True):
    """A light that has not been on yet. Nobody may know it."""

    ticks: int
    """The light goes on after this number of clocks has expired. By the rules of version 1 the clocks are ticks that
    everybody sees. From version 2 on there is only one clock, and nobody sees it (X3)."""
    sign: Sign
    dark_ms: int = 0
    """How long the dark lasts. 0 in games by the rules of version 1, which count ticks instead."""


class Light(Record, frozen=True):
    """A light that everybody has seen."""

    flash: int
    sign: Sign


class State(Record, frozen=True):
    options: ReflexOptions
    pile: tuple[Flash, ...]
    """The lights that are still to come. While a light is on, it is the first in this list."""
    points: tuple[int, ...]
    winners: tuple[Seat | None, ...] = ()
    """Who won each light so far; None: nobody."""
    phase: Phase = "dark"
    ticks: int = 0
    """Clocks that have expired in this dark."""
    light: Light | None = None
    """The newest light. It is on while the phase is `lit`."""
    pressed: tuple[Seat, ...] = ()
    """Who has pressed at this light, in order."""
    out: tuple[Seat, ...] = ()
    """Who made a false start and misses the next light (X8)."""
    false_starts: tuple[int, ...] = ()
    wrong: tuple[int, ...] = ()
    """Presses at a red light, per seat."""
    last: tuple[Happened, ...] = ()

    @property
    def seats(self) -> tuple[Seat, ...]:
        return all_seats(len(self.points))

    @property
    def number(self) -> int:
        """The light that is on or comes next, from 1."""
        return len(self.winners) + 1

    @property
    def racers(self) -> tuple[Seat, ...]:
        """The seats that may press at this light."""
        return tuple(seat for seat in self.seats if seat not in self.out)

    @property
    def to_press(self) -> tuple[Seat, ...]:
        """The seats that may still press at this light."""
        return tuple(seat for seat in self.racers if seat not in self.pressed)
