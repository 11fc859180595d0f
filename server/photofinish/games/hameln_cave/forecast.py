"""The house bot's evaluation of a position: what the ship still has to do, and the chance to win.

A card is a number here (`9 × colour + number − 1`), a space an index into the map, and the Ghost Area a count:
how many ghosts are in it and how many of them lie before the Call Card. A forecast needs no more, and the code is
fast enough to simulate a few hundred rounds within a person's reaction time.
"""

from functools import cache
from math import exp
from typing import NamedTuple

from photofinish.games.hameln_cave.box import ROUNDS, the_box
from photofinish.games.hameln_cave.chart import HEADINGS, Place
from photofinish.games.hameln_cave.state import COLOURS, Card

STRAIGHT = 2
"""A heading. The headings 0 and 1 lead towards seat 0 and seat 1."""

WON, LOST = 1_000.0, -1_000.0

WEIGHTS: dict[int, tuple[float, ...]] = {
    2: (2.2, -0.35, -0.30, 0.35, 0.10, -0.8),
    3: (2.0, -0.40, -0.15, 0.35, 0.10, -0.8),
    4: (1.6, -0.50, -0.40, 0.35, 0.10, -0.8),
    5: (2.2, -0.85, 0.0, 0.05, 0.02, -0.1),
    6: (0.0, -1.0, 0.0, 0.02, 0.0, 0.0),
}
"""Weights before each round: a constant, then the weights of the moves still needed, the rows to the next line, the
ghosts in the area, the ghosts before the Call Card, and the marker. Chosen by hand: a round gives about four moves,
and with fewer rounds left each missing move costs more. 6 is after the last round.
"""


class Position(NamedTuple):
    """A position. `space` is −1 if the game is lost and −2 if it is won."""

    space: int
    ghosts: int
    before_call: int
    marker: int


THE_END, HOME = Position(-1, 0, 0, 0), Position(-2, 0, 0, 0)


def number_of(card: Card) -> int:
    return 9 * COLOURS.index(card.colour) + card.number - 1


def card_of(number: int) -> Card:
    return Card(COLOURS[number // 9], number % 9 + 1)


class LevelMap:
    """One level, computed once: the moves from each space, and how many moves each space needs to the goal."""

    def __init__(self, level: int) -> None:
        chart, box = the_box().chart(level), the_box()
        self.places = tuple(chart.kinds)
        self.index = {place: n for n, place in enumerate(self.places)}
        self.adds = tuple(stop.adds for stop in box.ghost_track)
        self.is_goal = tuple(kind == "goal" for kind in chart.kinds.values())
        self.is_haunted = tuple(kind == "ghost" for kind in chart.kinds.values())
        self.ways = tuple(tuple(self._to(chart.ahead(place, it)) for it in HEADINGS) for place in self.places)
        self.moves_left = self._moves_left()
        self.lines = {line.round: line.after_row for line in chart.lines}

    def _to(self, place: Place | None) -> int:
        return -1 if place is None else self.index[place]

    def _moves_left(self) -> tuple[float, ...]:
        """The approximate number of moves from a space to the goal, if the better side is often available."""
        left = [0.0] * len(self.places)
        for here in reversed(range(len(self.places))):
            if self.is_goal[here]:
                continue
            sides = [30.0 if there < 0 else left[there] for there in self.ways[here][:2]]
            # A blocked side costs the trick; then the ship waits for the other side.
            best, other = min(sides), min(max(sides), min(sides) + 1.0)
            left[here] = 1.0 + 0.65 * best + 0.35 * other + 0.3 * self.is_haunted[here]
        return tuple(left)

    def sail(self, at: Position, heading: int) -> Position:
        there = self.ways[at.space][heading]
        if there < 0:
            return at
        if self.is_goal[there]:
            return HOME
        at = Position(there, at.ghosts, at.before_call, at.marker)
        return self.add(at, 1) if self.is_haunted[there] else at

    def add(self, at: Position, count: int) -> Position:
        space, ghosts, before, marker = at
        if space < 0:
            return at
        for _ in range(count):
            if before:
                ghosts, before = ghosts - 1, before - 1
                if not ghosts:
                    return THE_END
            else:
                marker, before = marker + 1, ghosts
                if self.adds[marker] is None:
                    return THE_END
        return Position(space, ghosts, before, marker)

    def outlook(self, at: Position, number: int) -> float:
        """The value of the position before round `number`. It has no unit; higher is better."""
        if at.space < 0:
            return WON if at is HOME else LOST
        base, moves, rows, ghosts, before, marker = WEIGHTS[number]
        return (
            base
            + moves * self.moves_left[at.space]
            + rows * self.rows_to_line(at.space, number)
            + ghosts * at.ghosts
            + before * at.before_call
            + marker * at.marker
        )

    def rows_to_line(self, space: int, number: int) -> int:
        """How many rows the ship must still gain for the next collapse; 0 once it is safe."""
        for fall in sorted(self.lines):
            if number < fall:
                return max(0, self.lines[fall] + 1 - self.places[space].row)
        return 0

    def chance(self, at: Position, number: int) -> float:
        """The chance to win when the tricks of round `number` have ended like this."""
        if at.space >= 0 and number < ROUNDS[-1]:
            at = self.add(at, self.adds[at.marker] or 0)
            if number + 1 in self.lines and at.space >= 0:
                fallen = self.places[at.space].row <= self.lines[number + 1]
                at = THE_END if fallen else at
        elif at.space >= 0:
            at = THE_END
        if at.space < 0:
            return float(at is HOME)
        return 1 / (1 + exp(-self.outlook(at, number + 1)))


@cache
def level_map(level: int) -> LevelMap:
    return LevelMap(level)
