"""What lying gains: the same races twice, once with an honest player in the seat and once with a cheat."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from photofinish.engine import Micros
from photofinish.lab.sim.mixes import mix_a, plain
from photofinish.lab.sim.noise import NOISY
from photofinish.lab.sim.sim_race import Heat, Script
from photofinish.lab.sim.table import SimTable


@dataclass(frozen=True, slots=True)
class Cheat:
    """A way of lying that needs no root: what the client claims, and whether it answers pings late."""

    name: str
    react: Callable[[float], float] | None = None
    late_pongs: bool = False


CHEATS = (
    Cheat("forged claims", lambda _truth: 1.0),
    Cheat("late pongs", late_pongs=True),
    Cheat("forged claims and late pongs", lambda _truth: 1.0, late_pongs=True),
    Cheat("claims shaved by 12 ms", lambda truth: truth - 12),
)
HONEST = Cheat("honest")
SEATS = (0, 2, 4)
"""Which seats of mix A cheat, one at a time: 10, 80 and 300 ms away."""

EARLY = 30
"""No seat is flagged sooner."""


@dataclass(frozen=True, slots=True)
class Gain:
    """What a cheat gained, in ms: on average, in its first 30 races (before any flag), in its best race."""

    cheat: str
    mean: float
    early: float
    most: float


def gains(races: int, seed: int, tick: Callable[[int], None] = lambda _n: None) -> list[Gain]:
    """The worst seat's gain for each cheat."""
    honest = {seat: _scores(HONEST, seat, races, seed, tick) for seat in SEATS}
    out = []
    for cheat in CHEATS:
        means, earlies, mosts = [], [], []
        for seat in SEATS:
            forged = _scores(cheat, seat, races, seed, tick)
            won = [
                (true - lied) / 1000
                for true, lied in zip(honest[seat], forged, strict=True)
                if true is not None and lied is not None
            ]
            means.append(sum(won) / len(won))
            earlies.append(sum(won[:EARLY]) / len(won[:EARLY]))
            mosts.append(max(won))
        out.append(Gain(cheat.name, max(means), max(earlies), max(mosts)))
    return out


def _scores(
    cheat: Cheat, seat: int, races: int, seed: int, tick: Callable[[int], None]
) -> list[Micros | None]:
    rng = Random(f"cheats {seat} {seed}")  # noqa: S311 - a simulation, repeatable on purpose
    table = SimTable(rng, mix_a(rng), NOISY, late_pongs=[seat] if cheat.late_pongs else [])
    scores = []
    for number in range(races):
        table.rest(rng.uniform(6_000, 12_000))
        honest = plain(rng, len(table.seats))
        strokes = [replace(it, react=cheat.react) if it.seat == seat else it for it in honest.strokes]
        scores.append(Heat(table, f"{number}", Script(strokes)).run().scores.get(seat))
        tick(1)
    return scores
