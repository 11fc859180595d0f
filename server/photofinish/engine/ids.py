"""Types for units and identities: time, seats, viewers."""

from functools import cache
from typing import NewType, TypeAlias

Seat = NewType("Seat", int)
"""A place at the table, 0-based, clockwise."""

Millis = NewType("Millis", int)
Micros = NewType("Micros", int)

Viewer: TypeAlias = Seat | None
"""Who gets a view: a seat, or None for everybody without a seat (spectators)."""


def clockwise(seat: Seat, seats: int, steps: int = 1) -> Seat:
    """The seat that many places further clockwise."""
    return Seat((seat + steps) % seats)


@cache
def all_seats(seats: int) -> tuple[Seat, ...]:
    return tuple(Seat(n) for n in range(seats))
