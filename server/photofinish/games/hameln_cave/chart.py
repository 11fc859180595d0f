"""The map of one level: its spaces, and where each move of the ship leads."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from photofinish.engine import Record, Seat

Water: TypeAlias = Literal["start", "water", "reef", "ghost", "goal"]
Side: TypeAlias = Literal["left", "right"]
Heading: TypeAlias = Literal["left", "right", "straight"]

SIDES: tuple[Side, Side] = ("left", "right")
"""H7: seat 0 sits on the left, seen from start to goal, seat 1 on the right."""
HEADINGS: tuple[Heading, ...] = ("left", "right", "straight")


class Place(Record, frozen=True):
    """Doubled coordinates: `col + row` is even. A diagonal move advances one row, a straight move two."""

    col: int
    row: int


class Space(Record, frozen=True):
    """One space of the map as it is drawn."""

    col: int
    row: int
    kind: Water


class Line(Record, frozen=True):
    """When the round marker reaches `round`, a ship on `after_row` or nearer the start is lost (H26)."""

    round: int
    after_row: int


class TrackSpace(Record, frozen=True):
    """A space of the ghost track. For DEAD, the last one, `adds` is None: the game is over."""

    label: str
    adds: int | None


@dataclass(frozen=True)
class Chart:
    """A level's map. `spaces` go row by row from the start, left to right."""

    level: int
    roman: str
    spaces: tuple[Space, ...]
    lines: tuple[Line, ...]

    @cached_property
    def kinds(self) -> dict[Place, Water]:
        return {Place(space.col, space.row): space.kind for space in self.spaces}

    @cached_property
    def start(self) -> Place:
        return next(place for place, kind in self.kinds.items() if kind == "start")

    @cached_property
    def last_row(self) -> int:
        """The nearest row with a goal space."""
        return min(place.row for place, kind in self.kinds.items() if kind == "goal")

    def ahead(self, ship: Place, heading: Heading) -> Place | None:
        """The one space this move enters; None if there is none, or a reef (H17, H18)."""
        there = ahead(ship, heading)
        return there if self.kinds.get(there, "reef") != "reef" else None

    def is_lost(self, ship: Place, number: int) -> bool:
        """Is the ship lost when the round marker reaches this number?"""
        return any(line.round == number and ship.row <= line.after_row for line in self.lines)


def ahead(ship: Place, heading: Heading) -> Place:
    """Straight ahead is two rows (H17)."""
    match heading:
        case "left":
            return Place(ship.col - 1, ship.row + 1)
        case "right":
            return Place(ship.col + 1, ship.row + 1)
        case "straight":
            return Place(ship.col, ship.row + 2)


def side_of(seat: Seat) -> Side:
    return SIDES[seat]
