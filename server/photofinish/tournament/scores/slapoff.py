"""T45, T46: duplicate scoring. Whole numbers only."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from photofinish.tournament.event_file.model import UNIT, EventRules
from photofinish.tournament.log.entries import RaceLine
from photofinish.tournament.state.model import BOT, Played, Round

WORTH = {"won": 2, "heat": 1, "beaten": 0, "wrong": -1, "false_start": -1, "other": 0}
"""T45."""


class SeatDeal(msgspec.Struct, frozen=True):
    """What one seat did in one deal. `median2`: twice the median of its counted reactions; None if it has none."""

    race_points: int
    median2: int | None = None


class DealScore(msgspec.Struct, frozen=True):
    """M, Q and the score of one seat of one deal (T46)."""

    m: int
    q: int
    score: int


def race_points(lines: Sequence[RaceLine]) -> int:
    """T45. Further throws of the winner in the same race count nothing."""
    total = 0
    won: set[str] = set()
    for line in lines:
        if line.race in won and line.verdict in {"won", "heat", "beaten"}:
            continue
        if line.verdict == "won":
            won.add(line.race)
        total += WORTH[line.verdict]
    return total


def twice_median(values: Sequence[int]) -> int | None:
    """Twice the median, so that it stays whole."""
    if not values:
        return None
    order = sorted(values)
    middle = len(order) // 2
    return 2 * order[middle] if len(order) % 2 else order[middle - 1] + order[middle]


def matchpoints(field: Sequence[Any], own: Any) -> int:
    """2 for each other value that is less, 1 for each that is equal."""
    less, equal = sum(bool(it < own) for it in field), sum(bool(it == own) for it in field)
    return 2 * less + equal - 1


def deal_scores(seats: Sequence[SeatDeal]) -> tuple[DealScore, ...]:
    """The scores of one seat at all its tables, or of all seats of the only table (T = seats)."""
    others = len(seats) - 1
    if others < 1:
        return tuple(DealScore(0, 0, 0) for _ in seats)
    won = [it.race_points for it in seats]
    # A lower median is better, and no median is worst. In the form (has one, −median) greater is better.
    quick = [(it.median2 is not None, -(it.median2 or 0)) for it in seats]
    made = []
    for it, speed in zip(seats, quick, strict=True):
        m, q = matchpoints(won, it.race_points), matchpoints(quick, speed)
        made.append(DealScore(m, q, 1000 * (4 * m + q) // (10 * others)))
    return tuple(made)


def seat_deal(game: Played, seat: int) -> SeatDeal:
    assert game.outcome is not None
    lines = [line for line in game.outcome.races if line.seat == seat]
    return SeatDeal(race_points(lines), twice_median([line.score_us for line in lines if line.counted]))


def round_deals(round_: Round) -> dict[int, dict[int, DealScore]]:
    """By deal, then by entrant number. Tables of one size are compared (T46)."""
    by_deal: dict[tuple[int, int], list[Played]] = {}
    for table in round_.tables:
        newest = {it.game: it for it in table.games if it.counts}
        for deal, game in newest.items():
            by_deal.setdefault((deal, len(game.seats)), []).append(game)
    made: dict[int, dict[int, DealScore]] = {}
    for (deal, size), games in by_deal.items():
        scores = made.setdefault(deal, {})
        if len(games) == 1:
            (game,) = games
            rows = deal_scores([seat_deal(game, seat) for seat in range(size)])
            scores |= {number: row for number, row in zip(game.seats, rows, strict=True) if number != BOT}
            continue
        for seat in range(size):
            rows = deal_scores([seat_deal(game, seat) for game in games])
            for game, row in zip(games, rows, strict=True):
                if game.seats[seat] != BOT:
                    scores[game.seats[seat]] = row
    return made


def round_scores(rules: EventRules, round_: Round) -> dict[int, int]:
    """The round's score per entrant in 1/840: the sum over its deals."""
    assert rules.format == "slapoff"
    total: dict[int, int] = {}
    for scores in round_deals(round_).values():
        for number, row in scores.items():
            total[number] = total.get(number, 0) + row.score * UNIT
    return total


def pod_x(points: int, deals_played: int) -> int:
    """T54: total div (20 · deals played)."""
    return points // UNIT // (20 * deals_played) if deals_played else 0


def deals_played(rules: EventRules, rounds: Sequence[Round]) -> int:
    return rules.slapoff.deals * len(rounds)


def totals(scores: Mapping[int, Mapping[int, DealScore]]) -> dict[int, int]:
    """The sum of M per deal: scenario 9 checks it."""
    return {deal: sum(row.m for row in rows.values()) for deal, rows in scores.items()}
