"""T34: an arena is one round whose tables are added tick by tick."""

import hashlib
from collections.abc import Callable, Collection, Sequence

from photofinish.tournament.log import entries as log
from photofinish.tournament.pairing.arena import Waiting, arena_points, pair_arena
from photofinish.tournament.state.model import Round, RoundTable, State

SECOND = 1_000_000


def results_of(round_: Round, number: int) -> list[tuple[RoundTable, str]]:
    """An entrant's games in the order in which they ended."""
    found = []
    for table in sorted(round_.tables, key=lambda it: (it.done_at, it.table)):
        if number not in table.seats or not table.is_over or table.status == "void":
            continue
        won = (
            "draw" if not table.winner and not table.forfeits else "win" if table.winner == number else "loss"
        )
        found.append((table, won))
    return found


def points_of(round_: Round, number: int) -> int:
    """In whole points."""
    return arena_points([won for _, won in results_of(round_, number)])


def waiting(state: State, round_: Round, at_tick: int, free: Collection[int]) -> list[Waiting]:
    """Who is connected, free and not resting."""
    busy = {number for table in round_.tables if not table.is_over for number in table.seats}
    points = {number: points_of(round_, number) for number in state.numbers}
    order = sorted(points, key=lambda it: (-points[it], it))
    rank = {number: at for at, number in enumerate(order, start=1)}
    tick = state.rules.clock.tick_seconds * SECOND
    now = (round_.starts_at or 0) + at_tick * tick
    field = []
    for it in state.still_in():
        if it.number in busy or it.number not in free or it.resting:
            continue
        own = [table for table in round_.tables if it.number in table.seats]
        since = max((table.done_at for table in own), default=round_.starts_at or 0)
        opponents = tuple(next(other for other in table.seats if other != it.number) for table in own)
        balance = sum(1 if table.seats[0] == it.number else -1 for table in own)
        field.append(Waiting(it.number, rank[it.number], max(0, now - since) // tick, opponents, balance))
    return field


def unfinished(round_: Round) -> tuple[log.AnyEntry, ...]:
    """Games unfinished when time ends do not count and are closed without result."""
    reason = "the arena's time is over (T34)"
    return tuple(
        log.Voided(round=round_.number, table=it.table, reason=reason)
        for it in round_.tables
        if not it.is_over
    )


def pairs_of_tick(
    state: State, round_: Round, tick: int, free: Collection[int]
) -> tuple[list[Waiting], Sequence[tuple[int, int]]]:
    """Who waits, and the pairs of them. `free` are the entrants who are connected and in no room."""
    field = waiting(state, round_, tick, free)
    playing = sum(not table.is_over for table in round_.tables) * 2
    key = hashlib.sha256(bytes.fromhex(round_.key) + tick.to_bytes(8, "big")).digest()
    return field, pair_arena(field, key, others=playing)


def due(
    state: State,
    round_: Round,
    now: int,
    secret: bytes,
    free: frozenset[int],
    call: Callable[[State, Round, RoundTable, int, int, bytes], log.TableCalled],
) -> tuple[log.AnyEntry, ...]:
    """One tick: pair the waiting and call them."""
    tick = (now - (round_.starts_at or 0)) // (state.rules.clock.tick_seconds * SECOND)
    if tick <= round_.ticks:
        return ()
    field, pairs = pairs_of_tick(state, round_, tick, free)
    if not pairs:
        return ()
    first = len(round_.tables) + 1
    seatings = tuple(log.Seating(first + at, pair) for at, pair in enumerate(pairs))
    made: list[log.AnyEntry] = [
        log.Paired(
            round=round_.number,
            key=round_.key,
            tables=seatings,
            starts_at=round_.starts_at,
            tick=tick,
            waiting=tuple(it.number for it in field),
        )
    ]
    made += [call(state, round_, RoundTable(it.table, it.seats), 1, now, secret) for it in seatings]
    return tuple(made)
