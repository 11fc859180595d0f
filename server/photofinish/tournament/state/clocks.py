"""T21, T22: the clocks of a round, and how a pause, a dead server and `extend` move them."""

import msgspec

from photofinish.tournament.state.model import Round, RoundTable, State

replace = msgspec.structs.replace
MINUTE = 60_000_000
LEAST_AFTER_PAUSE = 30_000_000
"""T22: after `resume` every stopped clock has the time that was left, at least 30 s."""
ROUND_CLOCK_STOPS = 6
"""The version of the log since which a pause stops `round_minutes` and `arena_minutes`. Before, `round_minutes` ran on,
and an arena began anew."""


def ends_at(state: State, round_: Round) -> int | None:
    """When the time of the arena (T34) or of the round (T25) is over; None: it has no limit or does not play yet."""
    clock = state.rules.clock
    if state.rules.format == "arena":
        return (round_.starts_at or 0) + clock.arena_minutes * MINUTE + round_.stopped
    if not clock.round_minutes or not round_.began_at:
        return None
    return round_.began_at + clock.round_minutes * MINUTE + round_.stopped


def resumed(state: State, at: int) -> State:
    """T22."""
    round_ = state.round
    if round_ is None:
        return state

    def later(due: int) -> int:
        return at + max(due - state.paused_at, LEAST_AFTER_PAUSE)

    tables = tuple(
        _with_clock(it, later(it.now.no_show_at)) if it.now and not it.now.dealt else it
        for it in round_.tables
    )
    starts, stopped = round_.starts_at, round_.stopped
    ends = ends_at(state, round_)
    if starts is not None and (round_.status == "paired" or state.version < ROUND_CLOCK_STOPS):
        starts = later(starts)
    elif ends is not None and ends > state.paused_at:
        stopped += later(ends) - ends
    return _newest(state, replace(round_, tables=tables, starts_at=starts, stopped=stopped))


def moved(state: State, micros: int, table: int) -> State:
    """T21 and `extend`: no-show clocks run out later. Table 0 means every table."""
    round_ = state.round
    if round_ is None:
        return state
    tables = tuple(
        _with_clock(it, it.now.no_show_at + micros)
        if it.now and not it.now.dealt and table in {0, it.table}
        else it
        for it in round_.tables
    )
    return _newest(state, replace(round_, tables=tables))


def _newest(state: State, round_: Round) -> State:
    return replace(state, rounds=(*state.rounds[:-1], round_))


def _with_clock(table: RoundTable, due: int) -> RoundTable:
    return replace(table, games=(*table.games[:-1], replace(table.games[-1], no_show_at=due)))
