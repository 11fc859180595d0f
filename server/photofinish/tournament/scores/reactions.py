"""T47, T48: the leader board of reaction times, in whole microseconds."""

from collections.abc import Mapping, Sequence
from functools import partial
from math import comb
from typing import NamedTuple

import msgspec

from photofinish.tournament.log.entries import RaceLine
from photofinish.tournament.scores.slapoff import twice_median
from photofinish.tournament.state.model import BOT, RoundTable, State
from photofinish.tournament.state.value_cache import ValueCache

ENOUGH = 10
BEST = 10
FOR_BEST = 20


class Reaction(msgspec.Struct, frozen=True):
    """One row of the board. `low` and `high` are the 95 % interval of the median."""

    number: int
    n: int
    median_us: int | None = None
    low_us: int | None = None
    high_us: int | None = None
    best10_us: int | None = None
    iqr_us: int | None = None
    false_starts: int = 0
    wrong: int = 0
    band_us: int | None = None
    """The mean of `hi − lo`."""
    rank: int = 0
    """0: below the line, with fewer than ten reactions."""
    not_told_apart: bool = False
    """Its interval overlaps that of the row above."""


def interval_rank(n: int) -> int:
    """T48: l, the greatest with `Σ_{i<l} C(n, i) · 40 ≤ 2^n`; 0 if there is none."""
    total, l = 0, 0
    while l < n:
        total += comb(n, l)
        if total * 40 > 1 << n:
            break
        l += 1
    return l


def quartile(order: Sequence[int], quarters: int) -> int:
    """`(n−1)·q` interpolated, rounded down. `order` is sorted."""
    at = (len(order) - 1) * quarters
    low, part = divmod(at, 4)
    if not part:
        return order[low]
    return (order[low] * (4 - part) + order[low + 1] * part) // 4


def row_of(number: int, lines: Sequence[RaceLine]) -> Reaction:
    times = sorted(line.score_us for line in lines if line.counted)
    n = len(times)
    false_starts = sum(line.verdict == "false_start" for line in lines)
    wrong = sum(line.verdict == "wrong" for line in lines)
    if not n:
        return Reaction(number, 0, false_starts=false_starts, wrong=wrong)
    twice, l = twice_median(times), interval_rank(n)
    assert twice is not None
    bands = [line.hi_us - line.lo_us for line in lines if line.counted]
    return Reaction(
        number,
        n,
        median_us=twice // 2,
        low_us=times[l - 1] if l else None,
        high_us=times[n - l] if l else None,
        best10_us=sum(times[:BEST]) // BEST if n >= FOR_BEST else None,
        iqr_us=quartile(times, 3) - quartile(times, 1),
        false_starts=false_starts,
        wrong=wrong,
        band_us=sum(bands) // n,
    )


def board(lines: Mapping[int, Sequence[RaceLine]]) -> tuple[Reaction, ...]:
    """By median with n ≥ 10; the others below the line. A row whose interval overlaps the one above is marked."""
    rows = [row_of(number, found) for number, found in lines.items()]
    above = sorted((it for it in rows if it.n >= ENOUGH), key=lambda it: (it.median_us or 0, it.number))
    below = sorted((it for it in rows if it.n < ENOUGH), key=lambda it: it.number)
    made: list[Reaction] = []
    for at, it in enumerate(above):
        same = at and it.median_us == above[at - 1].median_us
        rank = made[-1].rank if same else at + 1
        overlaps = bool(at) and (above[at - 1].high_us or 0) >= (it.low_us or 0)
        made.append(msgspec.structs.replace(it, rank=rank, not_told_apart=overlaps))
    return (*made, *below)


class Tally(NamedTuple):
    won: int
    false_starts: int


_OF_TABLE: ValueCache[dict[int, Tally]] = ValueCache()


def tallies(state: State, upto: int | None = None) -> dict[int, Tally]:
    """Races won and false starts by entrant, voided games left out."""
    found: dict[int, Tally] = {}
    for round_ in state.rounds[:upto]:
        for table in round_.tables:
            for number, it in _OF_TABLE.get(partial(_tally, table), table).items():
                had = found.get(number, Tally(0, 0))
                found[number] = Tally(had.won + it.won, had.false_starts + it.false_starts)
    return found


def _tally(table: RoundTable) -> dict[int, Tally]:
    return {
        number: Tally(
            sum(line.verdict == "won" for line in row), sum(line.verdict == "false_start" for line in row)
        )
        for number, row in _lines(table).items()
    }


def race_lines(state: State, upto: int | None = None) -> dict[int, list[RaceLine]]:
    """All race lines of the event by entrant, voided games left out. Bots have none (T39)."""
    found: dict[int, list[RaceLine]] = {number: [] for number in state.numbers}
    for round_ in state.rounds[:upto]:
        for table in round_.tables:
            for number, lines in _lines(table).items():
                found[number] += lines
    return found


def _lines(table: RoundTable) -> dict[int, list[RaceLine]]:
    found: dict[int, list[RaceLine]] = {}
    for game in table.games:
        if not game.counts or game.outcome is None:
            continue
        for line in game.outcome.races:
            number = game.seats[line.seat] if line.seat < len(game.seats) else BOT
            if number != BOT:
                found.setdefault(number, []).append(line)
    return found
