"""The units and identities everybody at the table shares."""

from functools import cache
from typing import NewType, TypeAlias

Seat = NewType("Seat", int)
"""A place at the table, 0-based, clockwise."""

Millis = NewType("Millis", int)
Micros = NewType("Micros", int)

Viewer: TypeAlias = Seat | None
"""Who looks: a seat, or None for everybody who has none (spectators)."""


def clockwise(seat: Seat, seats: int, steps: int = 1) -> Seat:
    """The seat that many places on."""
    return Seat((seat + steps) % seats)


@cache
def all_seats(seats: int) -> tuple[Seat, ...]:
    return tuple(Seat(n) for n in range(seats))
