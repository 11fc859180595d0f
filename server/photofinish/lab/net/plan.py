"""The plan of the laboratory on real sockets: its cells, and every reaction time in them, drawn from the seed."""

from collections.abc import Sequence
from random import Random
from typing import Literal, TypeAlias

import msgspec

from photofinish.lab.net.lies import ALONE, EACH
from photofinish.lab.net.links.shape import MIX_A, Shape, shapes
from photofinish.lab.sim.noise import reaction

SLOWEST = len(MIX_A) - 1
FREE, FREE_NOISY = "mix A, free, clean", "mix A, free, noisy"
MOST_TIMES = 4
"""A cell runs at most this multiple of its races to get enough undisturbed ones."""
SECONDS_PER_RACE = 2.0
"""Estimated seconds per race in one room, used until a round has been measured."""
FEWEST = 16
"""The fewest races of a round: starting a smaller one costs more than it gives."""
MOST_ROOMS = 16
EVENING = 30
"""Races per room where clients lie: a liar gains most in its first races, and the goal is for the first 30."""


class Cell(msgspec.Struct, frozen=True):
    """One series of races.

    `gap_ms`: the seat with the slowest network reacts faster by this; None: random reactions.
    """

    name: str
    races: int
    gap_ms: float | None = None
    jitter: bool = True
    loss: float = 0.0
    is_noisy: bool = False
    """The loss of the simulation's noisy mixes, its congestion, and stalls in place of its spikes (`Shape`)."""
    is_drawn: bool = True
    """Whether screens draw 60 times per second. Otherwise a race is seen as soon as its frame is read."""
    all_press: bool = False
    """Whether a race goes on until everybody has pressed, so that every claim is recorded, not only the early ones."""
    lie: str = ""
    """The lie of the cell's clients (`lab/net/lies.py`); empty if they are honest. Reactions are those of `FREE`."""
    turn: int = 0
    """The number of the round. In each round every liar of `EACH` sits on another line."""

    def shapes(self, seed: int) -> tuple[Shape, ...]:
        rng = Random(f"links {seed}")  # noqa: S311 - repeatable on purpose
        return shapes(MIX_A, rng, jitter=self.jitter, loss=self.loss, is_noisy=self.is_noisy)


class Setting(msgspec.Struct, frozen=True):
    """How the races are run."""

    seed: int = 1
    rooms: int = 6
    loop: Literal["uvloop", "asyncio"] = "uvloop"
    pause_ms: int = 600
    warm_s: float = 5.0


class Order(msgspec.Struct, frozen=True):
    """The order for the player processes of a cell. The first process opens the rooms, the others get the codes."""

    url: str
    seat: int
    seed: int
    cell: Cell
    rooms: int
    each: int
    """Races per room."""
    pause_ms: int
    warm_s: float
    """The wait before the first race, during which pings measure the lines."""
    codes: tuple[str, ...] = ()


class Hand(msgspec.Struct, frozen=True):
    """One seat in one race: its planned and its real reaction, in µs from the drawing of the trigger."""

    race: int
    planned: int
    pressed: int | None
    """None if the race was decided before the reaction, or never seen here."""
    drawn: int | None = None
    """When the trigger was drawn, by the monotonic clock, which the server shares; None if it never was."""


class PlayerResult(msgspec.Struct, frozen=True):
    """The report of a player process at the end of a cell: the reactions of each room in order."""

    seat: int
    hands: tuple[tuple[Hand, ...], ...]
    cuts: int
    """The number of lost sockets."""


class PlayerNote(msgspec.Struct, frozen=True):
    """A line from a player process."""

    codes: tuple[str, ...] = ()
    raced: int = 0
    result: PlayerResult | None = None


def hands(cell: Cell, seed: int, room: int, race: int) -> tuple[int, ...]:
    """The planned reactions of that race in µs, by seat. Every process computes the same from the seed."""
    rng = Random(f"{FREE if cell.lie or cell.is_noisy else cell.name} {seed} {room} {race}")  # noqa: S311 - repeatable on purpose
    if cell.gap_ms is None:
        return tuple(round(1000 * reaction(rng)) for _ in MIX_A)
    first = reaction(rng)
    others = [first + cell.gap_ms + rng.uniform(0, 100) for _ in MIX_A[:-1]]
    others[rng.randrange(len(others))] = first + cell.gap_ms
    return tuple(round(1000 * it) for it in (*others, first))


def rooms_of(cell: Cell, rooms: int) -> tuple[int, int]:
    """How many rooms a round of this cell has, of at most this many, and how many races each of them has."""
    if cell.lie:
        return min(rooms, max(1, cell.races // EVENING), MOST_ROOMS), EVENING
    rooms = min(rooms, cell.races, MOST_ROOMS)
    return rooms, -(-cell.races // rooms)


def more(wanted: int, run: int, undisturbed: int) -> int:
    """The number of races in the next round of a cell; 0 if there is no further round.

    It depends on the number of disturbed races so far, never on who won them.
    """
    if undisturbed >= wanted or run >= MOST_TIMES * wanted:
        return 0
    if not run:
        return wanted
    likely = -(-(wanted - undisturbed) * run // max(1, undisturbed))
    return min(max(likely + likely // 10, wanted // 10, 1), wanted, MOST_TIMES * wanted - run)


class Budget:
    """Shares the time of a run among its cells, in proportion to their numbers of races."""

    def __init__(self, plan: Sequence[Cell], seconds: float | None, rooms: int) -> None:
        self._left = sum(cell.races for cell in plan)
        self._seconds = seconds
        self._cell_seconds = 0.0
        self._per_race = SECONDS_PER_RACE / rooms

    def begin(self, cell: Cell) -> None:
        """Start the next cell, which may use its share of the remaining time."""
        if self._seconds is not None:
            self._cell_seconds = self._seconds * cell.races / max(1, self._left)
        self._left -= cell.races

    def affords(self, races: int) -> int:
        """How many of these races can be run in the cell's time; 0 if there is no time for another round."""
        if self._seconds is None:
            return races
        most = int(self._cell_seconds / self._per_race)
        return 0 if most < min(races, FEWEST) else min(races, most)

    def spend(self, seconds: float, races: int) -> None:
        """Record the duration of a round."""
        self._per_race = seconds / max(1, races)
        self._cell_seconds -= seconds
        if self._seconds is not None:
            self._seconds -= seconds


Part: TypeAlias = Literal["scripted", "free", "liars"]


def cells(races: int | None, only: Part | None = None) -> tuple[Cell, ...]:
    """The cells of a full run, or the same cells with another number of races each; `only` a part of them.

    Liars are compared with honest clients on the same lines, so the free cells, clean and noisy, belong to their part.
    """
    plan = _all_cells(races)
    match only:
        case "scripted":
            return tuple(it for it in plan if it.gap_ms is not None)
        case "free":
            return tuple(it for it in plan if it.gap_ms is None and not it.lie)
        case "liars":
            return tuple(it for it in plan if it.lie or it.name in {FREE, FREE_NOISY})
        case None:
            return plan


def _all_cells(races: int | None) -> tuple[Cell, ...]:
    scripted = (
        {5: 1_000, 10: 1_000, 20: 300, 50: 300} if races is None else dict.fromkeys((5, 10, 20, 50), races)
    )
    free = 700 if races is None else races
    lying, each = (240, 1_200) if races is None else (races, races)
    return (
        *(Cell(f"slowest network faster by {gap} ms, clean", races, gap) for gap, races in scripted.items()),
        Cell(FREE, free, all_press=True),
        Cell("mix A, free, 0.2 % loss", free, loss=0.002),
        Cell(FREE_NOISY, free, is_noisy=True, all_press=True),
        *(Cell(f"all lie: {lie}", lying, lie=lie, all_press=True) for lie in ALONE),
        *(
            Cell(
                f"all lie: {EACH}{', noisy' * is_noisy}{', no screen' * (not is_drawn)}",
                each,
                lie=EACH,
                is_noisy=is_noisy,
                is_drawn=is_drawn,
                all_press=True,
            )
            for is_noisy in (False, True)
            for is_drawn in (True, False)
        ),
    )
