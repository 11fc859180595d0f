"""What lying gains: the same hand on the same line twice, once honestly and once with a liar's client."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from photofinish.engine import Seat
from photofinish.lab.sim.liars import LIARS, UNFORCED_LIARS, Liar, LiarsRace
from photofinish.lab.sim.noise import CLEAN, NOISY, NetworkNoise, reaction
from photofinish.lab.sim.screens import HZ_60, NO_SCREEN, SCREENS, Screen
from photofinish.lab.sim.sim_race import Script, SimMove, SimRace
from photofinish.lab.sim.table import ClientHabit, SimTable
from photofinish.race.params import newcomer

TRIPS = (10.0, 80.0, 300.0)
NOISES = (CLEAN, NOISY)
LIAR_SCREENS = (HZ_60, NO_SCREEN)
EVENING = 120
"""Races that a liar plays before it starts again at a new table."""
EARLY = 30
SEAT = Seat(0)
HONEST = Liar("honest", lambda _race: None)
HONEST_UNFORCED = Liar("honest", lambda _race: None, meets_unforced=True)
EVERYBODY = (*LIARS, *UNFORCED_LIARS)


class LiarCell(NamedTuple):
    """The line and the screen of a liar."""

    trip: float
    noise: NetworkNoise
    screen: Screen


@dataclass(frozen=True, slots=True)
class Gain:
    """What a liar gained, in ms, over an honest player with the same reactions, the same line and a 60 Hz screen.

    In all its races, in its first 30, and in those that it chose. The true advantage of its own screen is subtracted.
    """

    liar: str
    screen: str
    cell: str
    mean: float
    early: float
    chosen: float
    own: float
    """The gain in all its races over the same client played honestly."""


@dataclass(frozen=True, slots=True)
class Loss:
    """By how many ms an honest player scores worse than one with a 60 Hz screen and the same reactions."""

    screen: str
    cell: str
    mean: float


class _Run(NamedTuple):
    number: int
    score: float
    bites: bool


def cells(screens: Sequence[Screen]) -> list[LiarCell]:
    return [LiarCell(trip, noise, screen) for screen in screens for noise in NOISES for trip in TRIPS]


def gains(evenings: int, seed: int, tick: Callable[[int], None] = lambda _n: None) -> list[Gain]:
    """Every liar in every cell."""
    found = []
    for cell in cells(LIAR_SCREENS):
        usual = cell._replace(screen=HZ_60)
        honest = {
            it.meets_unforced: (list(_play(it, usual, evenings, seed)), list(_play(it, cell, evenings, seed)))
            for it in (HONEST, HONEST_UNFORCED)
        }
        for liar in EVERYBODY:
            lied = list(_play(liar, cell, evenings, seed))
            found.append(_gain(liar, cell, *honest[liar.meets_unforced], lied))
            tick(1)
    return found


def worst(found: Sequence[Gain], screen: Screen, liars: Sequence[Liar] = LIARS) -> list[Gain]:
    """The highest figures of each liar over all cells."""
    out = []
    for liar in liars:
        mine = [it for it in found if it.liar == liar.name and it.screen == screen.name]
        best = max(mine, key=lambda it: it.chosen)
        mean, early = max(it.mean for it in mine), max(it.early for it in mine)
        own = max(it.own for it in mine)
        out.append(Gain(liar.name, screen.name, best.cell, mean, early, best.chosen, own))
    return out


def losses(evenings: int, seed: int, tick: Callable[[int], None] = lambda _n: None) -> list[Loss]:
    """The losses of honest players with all kinds of screens."""
    found = []
    for cell in cells(SCREENS):
        usual = _play(HONEST, cell._replace(screen=HZ_60), evenings, seed)
        mine = _play(HONEST, cell, evenings, seed)
        worse = [own.score - its.score for own, its in zip(mine, usual, strict=True)]
        found.append(Loss(cell.screen.name, name_of(cell), sum(worse) / len(worse)))
        tick(1)
    return found


def name_of(cell: LiarCell) -> str:
    return f"{cell.trip:g} ms, {cell.noise.name}"


def _gain(
    liar: Liar, cell: LiarCell, usual: Sequence[_Run], honest: Sequence[_Run], lied: Sequence[_Run]
) -> Gain:
    """The gain of the lie over the same client's honest play, plus the gain of that play over a 60 Hz screen.

    Two steps, because runs with different screens have different luck. This would hide what a liar gains in the few
    races that it chooses.
    """
    ahead = HZ_60.mean - cell.screen.mean
    over = [(own, true.score - own.score) for true, own in zip(honest, lied, strict=True)]
    quick = [(own, slow.score - own.score - ahead) for slow, own in zip(usual, honest, strict=True)]
    own = _mean([gain for _own, gain in over])
    early = [_mean([gain for own, gain in part if own.number < EARLY]) for part in (over, quick)]
    more = _mean([gain for _own, gain in quick])
    chosen = _mean([gain for own, gain in over if own.bites])
    return Gain(liar.name, cell.screen.name, name_of(cell), own + more, sum(early), chosen + more, own)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _play(liar: Liar, cell: LiarCell, evenings: int, seed: int) -> Iterator[_Run]:
    habit = ClientHabit(
        cell.screen, liar.holds_pings, liar.holds_echo, liar.holds_ack, is_unforced=liar.meets_unforced
    )
    for evening in range(evenings):
        rng = Random(f"{name_of(cell)} {evening} {seed}")  # noqa: S311 - a simulation, repeatable on purpose
        luck = Random(f"{liar.name} {evening} {seed}")  # noqa: S311
        table = SimTable(rng, (cell.trip,), cell.noise, {SEAT: habit})
        for number in range(EVENING):
            table.rest(rng.uniform(6_000, 12_000))
            hand = reaction(rng)
            standing = table.arbiter.standings.get(SEAT, newcomer(table.arbiter.params))
            race = LiarsRace(number, standing, table.arbiter.params, luck)
            says = liar.lie(race)
            if liar.is_sparing:
                table.places[SEAT].holds_ack = liar.holds_ack if liar.bites(race) else 0.0
            stroke = SimMove(SEAT, hand, says=says, held=liar.holds_claim)
            script = Script([stroke], silent=frozenset({SEAT} if liar.is_silent else ()))
            finish = SimRace(table, f"{number}", script).run()
            yield _Run(number, finish.scores[SEAT] / 1000, liar.bites(race))
