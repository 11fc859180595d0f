"""Thousands of races in one mix of players, and their results."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from photofinish.lab.sim.noise import NetworkNoise
from photofinish.lab.sim.sim_race import Finish, Script, SimRace
from photofinish.lab.sim.table import NOBODY, ClientHabit, SimTable
from photofinish.race import recompute

TABLE = 200
"""Races per table before it is replaced by a new one."""
CHECKED = 10
"""Every tenth race is judged again from its record."""


@dataclass(frozen=True, slots=True)
class Mix:
    """Who races, on what networks, and what they do."""

    name: str
    rtts: Callable[[Random], Sequence[float]]
    noise: NetworkNoise
    script: Callable[[Random, int], Script]
    habits: Callable[[Random, int], Mapping[int, ClientHabit]] = lambda _rng, _seats: NOBODY


@dataclass(frozen=True, slots=True)
class Run:
    """One race: the true order and the decision."""

    truth: int | None
    gap: float
    """The time between the true winner and the next event that would have changed the verdict."""
    winner: int | None
    first_come: int | None
    wait: float


@dataclass(slots=True)
class MixTally:
    """All races of a mix."""

    name: str
    seats: int
    runs: list[Run] = field(default_factory=list)
    late: int = 0
    hard: int = 0
    ties: int = 0
    checked: int = 0
    unsound: int = 0

    def right(self, gap: float, *, first_come: bool = False) -> float:
        """The share of races with at least that gap that went to the right seat."""
        those = [run for run in self.runs if run.gap >= gap]
        good = sum((run.first_come if first_come else run.winner) == run.truth for run in those)
        return good / len(those) if those else 1.0

    def share_error(self, seat: int, *, first_come: bool = False) -> float:
        """The difference between a seat's share of wins and its true share, in points."""
        won = sum((run.first_come if first_come else run.winner) == seat for run in self.runs)
        return 100 * (won - sum(run.truth == seat for run in self.runs)) / len(self.runs)

    def wait(self, quantile: float) -> float:
        """From the first claim to the first verdict, in ms."""
        waits = sorted(run.wait for run in self.runs)
        return waits[min(len(waits) - 1, int(quantile * len(waits)))]


def simulate(mix: Mix, races: int, seed: int, tick: Callable[[int], None] = lambda _n: None) -> MixTally:
    """Play that many races. The same seed gives the same races."""
    rng = Random(f"{mix.name} {seed}")  # noqa: S311 - a simulation, repeatable on purpose
    tally = MixTally(mix.name, 0)
    table: SimTable | None = None
    for number in range(races):
        if table is None or number % TABLE == 0:
            rtts = mix.rtts(rng)
            table = SimTable(rng, rtts, mix.noise, mix.habits(rng, len(rtts)))
            tally.seats = len(table.seats)
        table.rest(rng.uniform(6_000, 12_000))
        script = mix.script(rng, tally.seats)
        finish = SimRace(table, f"{number}", script).run()
        _note(tally, script, finish, table.coin if number % CHECKED == 0 else None)
        tick(1)
    return tally


def _note(tally: MixTally, script: Script, finish: Finish, coin: bytes | None) -> None:
    truth, gap = expected(script)
    tally.runs.append(Run(truth, gap, finish.winner, finish.first_come, finish.wait))
    tally.late += finish.late
    tally.hard += finish.hard
    tally.ties += finish.ties
    if coin is not None:
        tally.checked += 1
        verdict = recompute(finish.record, coin=coin)
        tally.unsound += not verdict.is_sound


def expected(script: Script) -> tuple[int | None, float]:
    """The seat that should win, and by how many ms. None if the race should be closed before.

    The gap is 0 if the socket of the fastest seat broke: by design, such a seat loses its compensation.
    """
    ends = [max(it.after, script.not_before) for it in script.strokes if it.kind == "closer"]
    ends += [] if script.window is None else [script.window]
    end = min(ends, default=float("inf"))
    firsts: dict[int, float] = {}
    for it in script.strokes:
        if it.kind == "contested" and it.right:
            firsts[it.seat] = min(it.after, firsts.get(it.seat, float("inf")))
    ranked = sorted((after, seat) for seat, after in firsts.items())
    if not ranked:
        return None, 0.0
    best, seat = ranked[0]
    if seat in script.drops:
        return seat, 0.0
    if best >= end:
        return None, best - end
    runner_up = ranked[1][0] if len(ranked) > 1 else float("inf")
    return seat, min(runner_up, end) - best
