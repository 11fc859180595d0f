"""T35: a league over several events."""

from collections.abc import Mapping, Sequence

import msgspec

from photofinish.tournament.event_file.model import League


class LeagueRow(msgspec.Struct, frozen=True):
    rank: int
    key: str
    points: int
    counted: tuple[int, ...]
    """The points that were added, best first."""
    events_won: int
    best_rank: int
    last_rank: int
    """In the latest event it took part in."""


def league_table(
    league: League, ranks: Sequence[Mapping[str, int]], lots: Mapping[str, int]
) -> tuple[LeagueRow, ...]:
    """`ranks`: final rank by key, one mapping per event in the league's order. Ties: more events won, better best
    rank, the later event's rank, the lot.
    """
    keys = sorted({key for event in ranks for key in event})
    rows = []
    for key in keys:
        own = [event[key] for event in ranks if key in event]
        points = sorted((_points(league, rank) for rank in own), reverse=True)[: league.counted]
        later = tuple(event.get(key, 1 << 30) for event in reversed(ranks))
        order = (-sum(points), -own.count(1), min(own), later, lots.get(key, 0))
        rows.append((order, LeagueRow(0, key, sum(points), tuple(points), own.count(1), min(own), own[-1])))
    rows.sort(key=lambda it: it[0])
    return tuple(msgspec.structs.replace(row, rank=at) for at, (_, row) in enumerate(rows, start=1))


def _points(league: League, rank: int) -> int:
    return league.points[rank - 1] if rank <= len(league.points) else 0
