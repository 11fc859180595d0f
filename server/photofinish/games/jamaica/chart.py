"""The board as a graph: where a ship can go, forward and back, the distance home, and where to draw each space."""

import math
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Annotated

import msgspec
from msgspec import Meta

from photofinish.engine import Record
from photofinish.games.jamaica.state import DIRECTIONS, Direction, Kind

BEHIND = -5
"""The score of every space up to the red line, and behind Port Royal (J42)."""

WIDTH, HEIGHT = 1000, 670
_RIM = {"outer": 0.46, "inner": 0.28}
_MAIN_RIM = 0.38
_TOP_RIGHT = -math.pi / 4


class Space(Record, frozen=True, forbid_unknown_fields=True):
    """One space of the board (J1)."""

    id: int
    kind: Kind
    cost: Annotated[int, Meta(ge=0, le=99)]
    score: Annotated[int, Meta(ge=BEHIND, le=99)]
    next: Annotated[tuple[int, ...], Meta(min_length=1, max_length=9)]
    prev: Annotated[tuple[int, ...], Meta(min_length=1, max_length=9)]
    lane: str = "main"

    @property
    def is_before_the_line(self) -> bool:
        return self.score <= BEHIND


class Chart(msgspec.Struct, frozen=True, dict=True):
    """The ring of spaces. Ids are places in `spaces`."""

    spaces: tuple[Space, ...]

    @cached_property
    def port_royal(self) -> int:
        return next(space.id for space in self.spaces if space.kind == "port_royal")

    @cached_property
    def lairs(self) -> tuple[int, ...]:
        return tuple(space.id for space in self.spaces if space.kind == "lair")

    @cached_property
    def home(self) -> tuple[int, ...]:
        """Spaces still to sail from each, by the shortest branch; from Port Royal a whole circuit."""
        return _lengths(self.spaces, self.port_royal, longest=False)

    @property
    def shortest_lap(self) -> int:
        return self.home[self.port_royal]

    @cached_property
    def longest_lap(self) -> int:
        return _lengths(self.spaces, self.port_royal, longest=True)[self.port_royal]

    def to_go(self, space: int, lap: int) -> int:
        """The number of spaces still to sail, for the comparison of J43. It includes laps."""
        return 0 if lap >= 1 else self.home[space] - lap * self.shortest_lap

    def score(self, space: int, lap: int) -> int:
        """J42: the number of Port Royal itself counts only for a ship that has come home (lap 1)."""
        if lap < 0 or (space == self.port_royal and lap < 1):
            return BEHIND
        return self.spaces[space].score

    def reach(self, space: int, lap: int, steps: int, direction: Direction) -> dict[int, int]:
        """J16, J17: the spaces where this number of steps can end, lowest first, each with its lap count."""
        return dict(sorted(self.ends(space, lap, steps, direction)))

    def ends(self, space: int, lap: int, steps: int, direction: Direction) -> set[tuple[int, int]]:
        ends = {(space, lap)}
        for _ in range(steps):
            ends = {end for at in ends for end in self._step(*at, direction)}
        return ends

    def _step(self, space: int, lap: int, direction: Direction) -> Iterator[tuple[int, int]]:
        if lap >= 1:  # J17: the ship is home and stops, even with steps left
            yield space, lap
        elif direction == "forward":
            yield from ((after, lap + (after == self.port_royal)) for after in self.spaces[space].next)
        else:
            yield from ((before, lap - (space == self.port_royal)) for before in self.spaces[space].prev)

    def behind(self, space: int, kind: Kind) -> tuple[int, ...]:
        """J33: the first space of this kind on each way back, lowest first; J34: Port Royal ends the way."""
        found, ways, seen = set(), [space], {space}
        while ways:
            for before in self.spaces[ways.pop()].prev:
                if before == self.port_royal or self.spaces[before].kind == kind:
                    found.add(before)
                elif before not in seen:
                    seen.add(before)
                    ways.append(before)
        return tuple(sorted(found))

    @cached_property
    def drawn(self) -> tuple[tuple[int, int], ...]:
        """Where to draw each space on a sheet of 1000 × 670: clockwise, Port Royal at the top right."""
        back = _lengths(self.spaces, self.port_royal, longest=True)
        out = _lengths(_turned(self.spaces), self.port_royal, longest=True)
        return tuple(self._spot(space, out[space.id], back[space.id]) for space in self.spaces)

    def _spot(self, space: Space, out: int, back: int) -> tuple[int, int]:
        # Halfway between the earliest and the latest position, so that short branches are spread out.
        along = 0 if space.id == self.port_royal else (out + self.longest_lap - back) / 2
        angle = _TOP_RIGHT + 2 * math.pi * along / self.longest_lap
        rim = _RIM.get(space.lane.rpartition("_")[2], _MAIN_RIM)
        return round(WIDTH * (0.5 + rim * math.cos(angle))), round(HEIGHT * (0.5 + rim * math.sin(angle)))


def _turned(spaces: Iterable[Space]) -> tuple[Space, ...]:
    return tuple(msgspec.structs.replace(space, next=space.prev, prev=space.next) for space in spaces)


def _lengths(spaces: tuple[Space, ...], port_royal: int, *, longest: bool) -> tuple[int, ...]:
    """The length of the way home from each space. It ends, because every circuit of the board has Port Royal in it."""
    known: dict[int, int] = {}
    choose = max if longest else min
    waiting = [port_royal]
    while waiting:
        here = waiting[-1]
        ahead = [after for after in spaces[here].next if after != port_royal and after not in known]
        if ahead:
            waiting += ahead
            continue
        waiting.pop()
        known[here] = 1 + choose(0 if after == port_royal else known[after] for after in spaces[here].next)
    return tuple(known[space.id] for space in spaces)


def chart_faults(spaces: tuple[Space, ...], faces: Iterable[int]) -> Iterator[tuple[str, str]]:
    """The faults of a board. Only the first is reliable."""
    for place, space in enumerate(spaces):
        key = f"spaces[{place}]"
        if space.id != place:
            yield f"{key}.id", f"spaces are numbered in order, so this is {place}"
        for name, there in (("next", space.next), ("prev", space.prev)):
            if len(set(there)) != len(there):
                yield f"{key}.{name}", "names a space twice"
            if not all(0 <= other < len(spaces) for other in there):
                yield f"{key}.{name}", "there is no such space"
        if space.cost and space.kind in {"lair", "port_royal"}:
            yield f"{key}.cost", f"a {space.kind} costs nothing"
    for place, space in enumerate(spaces):
        for after in space.next:
            if place not in spaces[after].prev:
                yield f"spaces[{after}].prev", f"{place} leads there, so it must be named"
        for before in space.prev:
            if place not in spaces[before].next:
                yield f"spaces[{before}].next", f"{place} says it comes after, so it must be named"
    if sum(space.kind == "port_royal" for space in spaces) != 1:
        yield "spaces", "there is one port_royal, and one only"
    yield from _ring_faults(spaces, faces)


def _ring_faults(spaces: tuple[Space, ...], faces: Iterable[int]) -> Iterator[tuple[str, str]]:
    """There is only one direction round the board, every space leads home, and no move has two lap counts."""
    port_royal = next(space.id for space in spaces if space.kind == "port_royal")
    done: set[int] = set()
    while True:  # repeatedly remove spaces whose successors are all removed; the spaces of a circuit remain
        free = {
            space.id
            for space in spaces
            if space.id not in done
            and space.id != port_royal
            and all(after in done or after == port_royal for after in space.next)
        }
        if not free:
            break
        done |= free
    for space in spaces:
        if space.id not in done and space.id != port_royal:
            yield f"spaces[{space.id}].next", "a circuit that never comes to Port Royal"
    chart, longest = Chart(spaces), max(faces)
    for space in spaces:
        for direction in DIRECTIONS:
            for steps in range(1, longest + 1):
                ends = chart.ends(space.id, -1, steps, direction)
                if len({end for end, _ in ends}) != len(ends):
                    yield f"spaces[{space.id}]", f"{steps} steps {direction} reach one space on two laps"
