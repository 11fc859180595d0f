"""T49: finds two entrants who lose races to each other by mistakes more often than to the other entrants.

For each ordered pair: of the races that b won at a table with a, how many did a spoil for itself, by a wrong move, a
false start, or by being beaten? The expectation is a's own share against everybody else. A pair is noted if both spoil
more races for each other than expected, and together by more than 3 σ.
"""

from collections import Counter
from functools import partial
from typing import NamedTuple

import msgspec

from photofinish.tournament.state.model import BOT, RoundTable, State
from photofinish.tournament.state.value_cache import ValueCache

LEAST = 10
"""Races that each must have won at a table with the other."""
SPOILT = frozenset({"beaten", "heat", "wrong", "false_start"})
Pair = tuple[int, int]


class Favour(msgspec.Struct, frozen=True):
    a: int
    b: int
    spoilt: int
    """Races that one of the two spoilt for itself and the other won."""
    of: int


class _Side(NamedTuple):
    """Of `n` races that one won, the other spoilt `got`; with everybody else it spoilt `k` of `m`."""

    n: int
    got: int
    m: int
    k: int

    @property
    def excess(self) -> int:
        """Beyond the expectation n·k/m, times m: a whole number."""
        return self.got * self.m - self.n * self.k

    @property
    def variance(self) -> int:
        """n·p·(1−p)·(1 + n/m) with p = k/m, as p is only known from m races; times m²."""
        return self.n * self.k * (self.m - self.k) * (self.m + self.n) // self.m


def favours(state: State) -> tuple[Favour, ...]:
    won, spoilt = _counted(state)
    all_won, all_spoilt = _by_first(won), _by_first(spoilt)
    found = []
    for a, b in sorted(pair for pair in won if pair[0] < pair[1]):
        one, two = (
            _Side(won[x, y], spoilt[x, y], all_won[x] - won[x, y], all_spoilt[x] - spoilt[x, y])
            for x, y in ((a, b), (b, a))
        )
        if min(one.n, one.m, two.n, two.m) < LEAST or one.excess <= 0 or two.excess <= 0:
            continue
        total = one.excess * two.m + two.excess * one.m
        if total**2 > 9 * (one.variance * two.m**2 + two.variance * one.m**2):
            found.append(Favour(a, b, one.got + two.got, one.n + two.n))
    return tuple(found)


def _by_first(counts: Counter[Pair]) -> Counter[int]:
    made: Counter[int] = Counter()
    for (first, _), count in counts.items():
        made[first] += count
    return made


_OF_TABLE: ValueCache[tuple[Counter[Pair], Counter[Pair]]] = ValueCache()


def _counted(state: State) -> tuple[Counter[Pair], Counter[Pair]]:
    """By (a, b): the races that b won at a table with a, and those of them that a spoilt for itself."""
    won: Counter[Pair] = Counter()
    spoilt: Counter[Pair] = Counter()
    for round_ in state.rounds:
        for table in round_.tables:
            more_won, more_spoilt = _OF_TABLE.get(partial(_of_table, table), table)
            won.update(more_won)
            spoilt.update(more_spoilt)
    return won, spoilt


def _of_table(table: RoundTable) -> tuple[Counter[Pair], Counter[Pair]]:
    won: Counter[Pair] = Counter()
    spoilt: Counter[Pair] = Counter()
    for game in table.games:
        if not game.counts or game.outcome is None:
            continue
        lines = [line for line in game.outcome.races if line.seat < len(game.seats)]
        winners = {line.race: game.seats[line.seat] for line in lines if line.verdict == "won"}
        failed = {(line.race, game.seats[line.seat]) for line in lines if line.verdict in SPOILT}
        for race, winner in winners.items():
            for number in game.seats:
                if BOT not in {number, winner} and number != winner:
                    won[number, winner] += 1
                    spoilt[number, winner] += (race, number) in failed
    return won, spoilt
