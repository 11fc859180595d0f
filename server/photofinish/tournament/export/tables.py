"""The seven tables of §12: columns and rows, from the state and its log."""

from collections.abc import Iterable, Iterator, Sequence

from photofinish.tournament.export.cells import Cell
from photofinish.tournament.log import entries as log
from photofinish.tournament.scores.reactions import board, race_lines
from photofinish.tournament.scores.scoring import arena_lines, round_lines
from photofinish.tournament.scores.standings import standings
from photofinish.tournament.state.model import BOT, Round, RoundTable, State

Rows = Iterator[Sequence[Cell]]

ONE_FORFEIT = 4
"""The version of the log since which `how` is `forfeit` for both sides, as §12 has it. It was `forfeit_win` for the
winner."""
COLUMNS = {
    "entrants": ("number", "key", "name", "kind", "entered_at", "checked_in", "left_round", "seed_rating"),
    "pairings": (
        "round", "table", "attempt", "game", "room", "seat", "number", "bye", "cost_digits", "float",
    ),
    "results": (
        "round", "table", "game", "attempt", "number", "seat", "place", "score", "points_840", "how", "head",
    ),
    "races": (
        "round", "table", "game", "race", "number", "move", "verdict", "score_us", "lo_us", "hi_us", "base_us",
        "heat", "late", "counted", "strip",
    ),
    "reactions": (
        "number", "n", "median_us", "low_us", "high_us", "best10_us", "iqr_us", "false_starts", "wrong",
    ),
    "ratings": ("key", "game", "mu_before", "sigma_before", "mu_after", "sigma_after"),
}  # fmt: skip


def standings_columns(state: State) -> tuple[str, ...]:
    return ("after_round", "rank", "number", "points_840", *state.rules.tiebreaks)


def entrants(state: State) -> Rows:
    order = sorted(state.entrants.values(), key=lambda it: (it.number == 0, it.number, it.key))
    for it in order:
        yield it.number, it.key, it.name, it.kind, it.entered_at, it.checked_in, it.left_round, it.rating


def pairings(state: State) -> Rows:
    for round_ in state.rounds:
        for table in round_.tables:
            digits = " ".join(map(str, table.digits))
            floats = dict(zip(table.seats, table.floats or (0,) * len(table.seats), strict=True))
            if not table.games:
                for seat, number in enumerate(table.seats):
                    row = (
                        round_.number,
                        table.table,
                        0,
                        0,
                        "",
                        seat,
                        number,
                        table.bye,
                        digits,
                        floats[number],
                    )
                    yield row
            for game in table.games:
                for seat, number in enumerate(game.seats):
                    yield (
                        round_.number,
                        table.table,
                        game.attempt,
                        game.game,
                        game.room,
                        seat,
                        number,
                        False,
                        digits,
                        floats.get(number, 0),
                    )


def results(state: State) -> Rows:
    for round_ in state.rounds:
        points = points_of(state, round_)
        for table in round_.tables:
            yield from _table_results(round_, table, points)


def points_of(state: State, round_: Round) -> dict[tuple[int, int], tuple[int, str]]:
    """Points and how by (table, entrant)."""
    if state.rules.format == "arena":
        lines = [line for number in state.numbers for line in arena_lines(state, number)]
    else:
        lines = list(round_lines(state, round_))
    names = {"forfeit_win": "forfeit"} if state.version >= ONE_FORFEIT else {}
    return {(line.table, line.number): (line.points, names.get(line.how, line.how)) for line in lines}


def _table_results(round_: Round, table: RoundTable, points: dict[tuple[int, int], tuple[int, str]]) -> Rows:
    last = max((at for at, game in enumerate(table.games) if game.counts), default=-1)
    if last < 0:  # a bye, a forfeit, a void table: one row per person
        for seat, number in enumerate(table.seats):
            if number != BOT and (table.table, number) in points:
                got, how = points[table.table, number]
                yield round_.number, table.table, 0, 0, number, seat, 0, 0, got, how, ""
    for at, game in enumerate(table.games):
        if game.outcome is None or not game.outcome.places:
            continue
        for seat, number in enumerate(game.seats):
            got = points.get((table.table, number), (0, ""))[0] if at == last and number != BOT else 0
            yield (
                round_.number,
                table.table,
                game.game,
                game.attempt,
                number,
                seat,
                game.outcome.places[seat],
                game.outcome.scores[seat],
                got,
                game.how,
                game.head,
            )


def standings_rows(state: State) -> Rows:
    for round_ in state.rounds:
        if round_.status == "closed":
            for row in standings(state, round_.number):
                yield round_.number, row.rank, row.number, row.points, *row.ties


def races(state: State) -> Rows:
    for round_ in state.rounds:
        for table in round_.tables:
            for game in table.games:
                for line in game.outcome.races if game.counts and game.outcome else ():
                    yield (
                        round_.number,
                        table.table,
                        game.game,
                        line.race,
                        game.seats[line.seat],
                        line.move,
                        line.verdict,
                        line.score_us,
                        line.lo_us,
                        line.hi_us,
                        line.base_us,
                        line.heat,
                        line.late,
                        line.counted,
                        f"replays/{game.room}-1.json#{line.race}",
                    )


def reactions(state: State) -> Rows:
    for it in board(race_lines(state)):
        yield (
            it.number,
            it.n,
            it.median_us,
            it.low_us,
            it.high_us,
            it.best10_us,
            it.iqr_us,
            it.false_starts,
            it.wrong,
        )


def ratings(entries: Iterable[log.AnyEntry]) -> Rows:
    for it in entries:
        if isinstance(it, log.Rated):
            yield it.key, it.game, *it.before, *it.after


def all_tables(
    state: State, entries: Sequence[log.AnyEntry]
) -> dict[str, tuple[Sequence[str], list[Sequence[Cell]]]]:
    rows: dict[str, Rows] = {
        "entrants": entrants(state),
        "pairings": pairings(state),
        "results": results(state),
        "races": races(state),
        "reactions": reactions(state),
        "ratings": ratings(entries),
    }
    made: dict[str, tuple[Sequence[str], list[Sequence[Cell]]]] = {
        name: (COLUMNS[name], list(found)) for name, found in rows.items()
    }
    made["standings"] = (standings_columns(state), list(standings_rows(state)))
    return made
