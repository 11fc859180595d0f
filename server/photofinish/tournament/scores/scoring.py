"""What each entrant got in each round. Points, tie-breaks and pairings are computed from it."""

from collections.abc import Iterator
from functools import partial
from typing import Literal, TypeAlias

import msgspec

from photofinish.tournament.event_file.model import UNIT
from photofinish.tournament.pairing.arena import arena_points
from photofinish.tournament.scores import slapoff
from photofinish.tournament.scores.points import by_place, competition, shared
from photofinish.tournament.state import arena_state
from photofinish.tournament.state.model import BOT, Played, Round, RoundTable, State
from photofinish.tournament.state.value_cache import ValueCache

BOT_IS_BYE = 5
"""The version of the log since which a team game with a bot scores like a bye."""
How: TypeAlias = Literal["played", "bye", "forfeit_win", "forfeit", "void", "absent"]


class RoundLine(msgspec.Struct, frozen=True):
    """One entrant's round."""

    round: int
    number: int
    points: int
    how: How
    mates: tuple[tuple[int, int], ...] = ()
    """Whom it met at the table, each with the result: 2 beaten, 1 equal, 0 lost to."""
    seat: int = -1
    """Its seat in the first game; −1 if nothing was played."""
    table: int = 0
    place: int = 0
    alone: bool = False
    """Sole first place in a game that was played (`wins`)."""
    float: int = 0


def lines_of(state: State, upto: int | None = None) -> dict[int, list[RoundLine]]:
    """Every entrant's rounds up to a round, by entrant number. Rounds that are not closed count as far as decided."""
    rows: dict[int, list[RoundLine]] = {number: [] for number in state.numbers}
    if state.rules.format == "arena":
        return {number: arena_lines(state, number) for number in rows} if state.rounds else rows
    for round_ in state.rounds[:upto]:
        if round_.phase == "cut":
            continue
        found = {line.number: line for line in round_lines(state, round_)}
        for number, row in rows.items():
            row.append(found.get(number) or RoundLine(round_.number, number, 0, "absent"))
    return rows


_OF_ROUND: ValueCache[tuple[RoundLine, ...]] = ValueCache(256)
_OF_TABLE: ValueCache[tuple[RoundLine, ...]] = ValueCache()


def arena_lines(state: State, number: int) -> list[RoundLine]:
    """T34: one line per game, in the order in which they ended, with what it added."""
    made: list[RoundLine] = []
    results: list[str] = []
    for at, (table, won) in enumerate(arena_state.results_of(state.rounds[0], number), start=1):
        before = arena_points(results)
        results.append(won)
        points = (arena_points(results) - before) * UNIT
        is_played = not table.forfeits
        other = next(it for it in table.seats if it != number)
        got = {"win": 2, "draw": 1, "loss": 0}[won]
        how: How = "played" if is_played else "forfeit_win" if won == "win" else "forfeit"
        mates = ((other, got),) if is_played else ()
        alone = is_played and won == "win"
        seat = table.seats.index(number)
        made.append(RoundLine(at, number, points, how, mates, seat, table.table, 1 if got else 2, alone))
    return made


def round_lines(state: State, round_: Round) -> tuple[RoundLine, ...]:
    """What everybody got in this round so far."""
    return _OF_ROUND.get(lambda: tuple(_round_lines(state, round_)), state.rules, round_)


def _round_lines(state: State, round_: Round) -> Iterator[RoundLine]:
    if state.rules.format == "slapoff":
        duplicate = slapoff.round_scores(state.rules, round_)
    elif is_coop(state):
        duplicate = team_scores(state, round_)
    else:
        duplicate = {}
    for table in round_.tables:
        if not table.is_over:
            continue
        if duplicate:  # its points follow from the other tables too
            yield from table_lines(state, round_, table, duplicate)
        else:
            yield from _OF_TABLE.get(partial(_tuple_of, state, round_, table), state.rules, table)


def _tuple_of(state: State, round_: Round, table: RoundTable) -> tuple[RoundLine, ...]:
    return tuple(table_lines(state, round_, table, {}))


def is_coop(state: State) -> bool:
    """T38: a team game is played in duplicate; nobody has a place at the table."""
    return state.rules.is_coop


def table_lines(
    state: State, round_: Round, table: RoundTable, duplicate: dict[int, int]
) -> Iterator[RoundLine]:
    rules, number = state.rules, round_.number
    floats = table.floats or (0,) * len(table.seats)
    floated = dict(zip(table.seats, floats, strict=True))
    if table.bye:
        yield RoundLine(
            number, table.seats[0], rules.bye_points, "bye", table=table.table, float=floated[table.seats[0]]
        )
        return
    if table.status == "void":
        for it in table.people:
            yield RoundLine(number, it, 0, "void", table=table.table)
        return
    played = [it for it in table.people if it not in table.absent and it not in table.forfeits]
    gone = [it for it in table.people if it not in played]
    for it in gone:
        yield RoundLine(number, it, 0, "forfeit", table=table.table, float=floated[it])
    if table.status == "forfeit" and len(table.people) == 2:
        for it in played:
            first = by_place(rules, 2)[0]
            yield RoundLine(number, it, first, "forfeit_win", table=table.table, float=floated[it])
        return
    # T37, T39: alone with bots, or alone.
    if len(played) == 1 and (not duplicate or is_bye_with_a_bot(state, table)):
        yield RoundLine(
            number, played[0], rules.bye_points, "bye", table=table.table, float=floated[played[0]]
        )
        return
    places = table_places(table, played)
    points = (
        [duplicate.get(it, 0) for it in played] if duplicate else shared(rules, [places[it] for it in played])
    )
    first_game = next((it for it in table.games if it.counts), None)
    for it, got in zip(played, points, strict=True):
        mates = tuple((other, _against(places[it], places[other])) for other in played if other != it)
        seat = first_game.seats.index(it) if first_game and it in first_game.seats else -1
        alone = places[it] == 1 and sum(place == 1 for place in places.values()) == 1
        yield RoundLine(number, it, got, "played", mates, seat, table.table, places[it], alone, floated[it])


def _against(own: int, other: int) -> int:
    return 2 if own < other else 1 if own == other else 0


def table_places(table: RoundTable, people: list[int]) -> dict[int, int]:
    """The places of a pairing among the people. Two seats: the winner of the best-of is first; none is a draw."""
    if len(table.people) == 2 and BOT not in table.seats:
        if not table.winner:
            return dict.fromkeys(people, 1)
        return {number: 1 if number == table.winner else 2 for number in people}
    games = [it for it in table.games if it.counts]
    if not games:
        return dict.fromkeys(people, 1)
    last = games[-1]
    ranks = [_place(last, number) for number in people]
    return dict(zip(people, competition(ranks), strict=True))


def _place(game: Played, number: int) -> int:
    assert game.outcome is not None
    return game.outcome.places[game.seats.index(number)] if number in game.seats else len(game.seats) + 1


def is_bye_with_a_bot(state: State, table: RoundTable) -> bool:
    """T39: a partner that is a bot. The table is compared with no other."""
    return state.rules.is_coop and BOT in table.seats and state.version >= BOT_IS_BYE


def team_scores(state: State, round_: Round) -> dict[int, int]:
    """T38: matchpoints of the value (won, rows) over all tables; both partners score them."""
    values: dict[int, tuple[int, int]] = {}
    for table in round_.tables:
        if is_bye_with_a_bot(state, table):
            continue
        game = next((it for it in reversed(table.games) if it.counts), None)
        if game is not None and game.outcome is not None:
            values[table.table] = (int(bool(game.outcome.winners)), max(game.outcome.scores, default=0))
    scores: dict[int, int] = {}
    for table in round_.tables:
        if table.table in values:
            got = slapoff.matchpoints(list(values.values()), values[table.table])
            others = len(values) - 1
            share = UNIT * got // others if others else UNIT
            scores |= dict.fromkeys(table.people, share)
    return scores
