"""What the laboratory on real sockets plays: the cells, and every hand in them, drawn from the seed."""

from collections.abc import Sequence
from random import Random
from typing import Literal

import msgspec

from photofinish.lab.net.lies import ALONE, EACH
from photofinish.lab.net.links.shape import MIX_A, Shape, shapes
from photofinish.lab.sim.noise import reaction

SLOWEST = len(MIX_A) - 1
FREE = "mix A, free, clean"
MOST_TIMES = 4
"""How many times its number of races a cell is run at most until so many were undisturbed."""
SECONDS_PER_RACE = 2.0
"""In one room, before a round has told how long it takes."""
FEWEST = 16
"""A round of fewer races is not worth its start."""


class Cell(msgspec.Struct, frozen=True):
    """One series of races. `gap_ms`: the seat with the slowest network is faster by so much; None: free hands."""

    name: str
    races: int
    gap_ms: float | None = None
    jitter: bool = True
    loss: float = 0.0
    lie: str = ""
    """What the clients of the cell do (`lab/net/lies.py`); empty: they are honest. The hands are those of `FREE`."""

    def shapes(self, seed: int) -> tuple[Shape, ...]:
        rng = Random(f"links {seed}")  # noqa: S311 - repeatable on purpose
        return shapes(MIX_A, rng, jitter=self.jitter, loss=self.loss)


class Setting(msgspec.Struct, frozen=True):
    """How the races are run."""

    seed: int = 1
    rooms: int = 6
    loop: Literal["uvloop", "asyncio"] = "uvloop"
    pause_ms: int = 600
    warm_s: float = 5.0
    is_drawn: bool = True


class Order(msgspec.Struct, frozen=True):
    """What the player processes are told of a cell. The first of them opens the rooms, the others get the codes."""

    url: str
    seat: int
    seed: int
    cell: Cell
    rooms: int
    each: int
    """Races a room."""
    pause_ms: int
    warm_s: float
    """How long everybody sits before the first race, so that the pings have come to know the way."""
    is_drawn: bool = True
    """Screens draw 60 times a second; otherwise a race is seen the moment its frame is read."""
    codes: tuple[str, ...] = ()


class Hand(msgspec.Struct, frozen=True):
    """One seat in one race: what it was to do, and what it did. All from the drawing of the trigger, in µs."""

    race: int
    planned: int
    pressed: int | None
    """None: the race was decided before this hand moved, or never seen here."""
    drawn: int | None = None
    """When the trigger was drawn, by the machine's clock, which is the server's too; None: never."""


class Told(msgspec.Struct, frozen=True):
    """What a player process reports at the end of a cell: each room's hands in order."""

    seat: int
    hands: tuple[tuple[Hand, ...], ...]
    cuts: int
    """How often a socket was lost."""


class Note(msgspec.Struct, frozen=True):
    """A line from a player process."""

    codes: tuple[str, ...] = ()
    raced: int = 0
    told: Told | None = None


def hands(cell: Cell, seed: int, room: int, race: int) -> tuple[int, ...]:
    """The reactions planned for that race, in µs, seat by seat. Everybody who knows the seed draws the same."""
    rng = Random(f"{FREE if cell.lie else cell.name} {seed} {room} {race}")  # noqa: S311 - repeatable on purpose
    if cell.gap_ms is None:
        return tuple(round(1000 * reaction(rng)) for _ in MIX_A)
    first = reaction(rng)
    others = [first + cell.gap_ms + rng.uniform(0, 100) for _ in MIX_A[:-1]]
    others[rng.randrange(len(others))] = first + cell.gap_ms
    return tuple(round(1000 * it) for it in (*others, first))


def more(wanted: int, run: int, undisturbed: int) -> int:
    """How many races the next round of a cell has; 0: that was the last one.

    It knows how many races the machine disturbed so far and nothing of who won them.
    """
    if undisturbed >= wanted or run >= MOST_TIMES * wanted:
        return 0
    if not run:
        return wanted
    likely = -(-(wanted - undisturbed) * run // max(1, undisturbed))
    return min(max(likely + likely // 10, wanted // 10, 1), wanted, MOST_TIMES * wanted - run)


class Budget:
    """Shares the time of a run among its cells, each by the races that it asks for."""

    def __init__(self, plan: Sequence[Cell], seconds: float | None, rooms: int) -> None:
        self._left = sum(cell.races for cell in plan)
        self._seconds = seconds
        self._cell_seconds = 0.0
        self._per_race = SECONDS_PER_RACE / rooms

    def begin(self, cell: Cell) -> None:
        """The next cell begins: it may use its part of the time that is left."""
        if self._seconds is not None:
            self._cell_seconds = self._seconds * cell.races / max(1, self._left)
        self._left -= cell.races

    def affords(self, races: int) -> int:
        """How many of these races the cell has the time for. 0: none, this was the last round."""
        if self._seconds is None:
            return races
        most = int(self._cell_seconds / self._per_race)
        return 0 if most < min(races, FEWEST) else min(races, most)

    def spend(self, seconds: float, races: int) -> None:
        """A round took so long."""
        self._per_race = seconds / max(1, races)
        self._cell_seconds -= seconds
        if self._seconds is not None:
            self._seconds -= seconds


def cells(races: int | None) -> tuple[Cell, ...]:
    """The figures asked for, or a smaller number of races in each."""
    scripted = (
        {5: 1_000, 10: 1_000, 20: 300, 50: 300} if races is None else dict.fromkeys((5, 10, 20, 50), races)
    )
    free = 700 if races is None else races
    lying = 240 if races is None else races
    return (
        *(Cell(f"slowest network faster by {gap} ms, clean", races, gap) for gap, races in scripted.items()),
        Cell(FREE, free),
        Cell("mix A, free, 0.2 % loss", free, loss=0.002),
        *(Cell(f"all lie: {lie}", lying, lie=lie) for lie in (*ALONE, EACH)),
    )
