"""The fold's part about rounds, tables and games."""

from typing import Any

import msgspec

from photofinish.tournament.log import entries as log
from photofinish.tournament.scores.best_of import Next, leader, needs_winner, without_games
from photofinish.tournament.state import clocks
from photofinish.tournament.state.illegal import Illegal, need
from photofinish.tournament.state.model import BOT, Played, Round, RoundTable, State

replace = msgspec.structs.replace
TIES_CORRECTED = 5
"""The version of the log since which a pairing that a correction makes equal is decided anew (T25, T32)."""


def after(state: State, entry: log.AnyEntry) -> State:
    match entry:
        case log.Paired():
            return _paired(state, entry)
        case log.TableCalled():
            return _called(state, entry)
        case log.RoomOpened(room=room, commitment=commitment):
            return _game(state, entry, room, commitment=commitment)
        case log.TableDealt(room=room, seats=seats):
            return _dealt(state, entry, room, seats)
        case log.NoShow(round=round_, table=table, numbers=numbers):
            return _no_show(state, entry, round_, table, numbers)
        case log.Forfeited(round=round_, table=table, numbers=numbers):
            held = table_of(state, entry, round_, table)
            left = [number for number in held.people if number not in numbers]
            winner = left[0] if len(held.people) == 2 and len(left) == 1 else 0
            return _over(state, entry, round_, held, status="forfeit", forfeits=numbers, winner=winner)
        case log.GameResult():
            return _result(state, entry)
        case log.PairingDecided(round=round_, table=table, winner=winner, step=step):
            held = table_of(state, entry, round_, table)
            need(held.status == "playing", entry, f"decided from {held.status}")
            return _over(state, entry, round_, held, status="done", winner=winner, step=step)
        case log.Voided(round=round_, table=table):
            held = table_of(state, entry, round_, table)
            return _over(state, entry, round_, held, status="void")
        case log.RoundClosed(round=number):
            held_round = state.round
            need(held_round is not None and held_round.number == number, entry, "not the round that is open")
            assert held_round is not None
            need(all(it.is_over for it in held_round.tables), entry, "a table is not over")
            return _round(state, replace(held_round, status="closed", keys=state.numbers))
        case log.Ruled():
            return _ruled(state, entry)
        case log.Corrected(round=round_, table=table, game=game, places=places):
            return _places(state, entry, round_, table, game, places)
        case log.Replayed():
            return _replayed(state, entry)
        case log.MovedClock(table=table, micros=micros):
            return clocks.moved(state, micros, table)
        case _:
            raise Illegal(entry, "unknown here")


def table_of(state: State, entry: log.AnyEntry, round_: int, table: int) -> RoundTable:
    need(1 <= round_ <= len(state.rounds), entry, "no such round")
    held = state.rounds[round_ - 1].table(table)
    need(held is not None, entry, "no such table")
    assert held is not None
    return held


def _round(state: State, made: Round) -> State:
    rounds = list(state.rounds)
    rounds[made.number - 1] = made
    return replace(state, rounds=tuple(rounds))


def _put(state: State, round_: int, table: RoundTable, **changes: Any) -> State:
    """The state with one table changed, and perhaps its round."""
    held = state.rounds[round_ - 1]
    tables = list(held.tables)
    tables[table.table - 1] = table
    return _round(state, replace(held, tables=tuple(tables), **changes))


def _paired(state: State, entry: log.Paired) -> State:
    need(state.status == "running", entry, f"paired in {state.status}")
    before = state.round
    is_tick = entry.tick > 0
    had = before.tables if before is not None and is_tick else ()
    if is_tick:
        need(state.rules.format == "arena" and entry.round == 1, entry, "only an arena has ticks")
        busy = {number for it in had if not it.is_over for number in it.seats}
        need(
            not busy & {it for row in entry.tables for it in row.seats},
            entry,
            "an entrant sits at two tables",
        )
    else:
        need(before is None or before.status == "closed", entry, "the round before is not closed")
        need(entry.round == len(state.rounds) + 1, entry, "rounds are numbered")
    first = len(had) + 1
    numbers = [it.table for it in entry.tables]
    need(numbers == list(range(first, first + len(numbers))), entry, "tables are numbered")
    seated = [number for it in entry.tables for number in it.seats if number != BOT]
    need(len(set(seated)) == len(seated), entry, "an entrant sits at two tables")
    for number in seated:
        need(number in state.numbers, entry, f"there is no entrant {number}")
        # An entrant that left stays in the bracket and forfeits the next match.
        gone = not state.entrant(number).is_in
        need(
            not gone or state.rules.is_elimination or entry.phase == "cut",
            entry,
            f"entrant {number} has left",
        )
    tables = tuple(
        RoundTable(
            it.table,
            it.seats,
            it.bye,
            it.digits,
            it.floats,
            it.match,
            status="done" if it.bye else "set",
            winner=it.seats[0] if it.bye else 0,
            done_at=entry.at if it.bye else 0,
        )
        for it in entry.tables
    )
    if is_tick:
        assert before is not None
        return _round(state, replace(before, tables=(*had, *tables), ticks=entry.tick))
    made = Round(entry.round, entry.key, entry.phase, "paired", tables, entry.starts_at)
    if state.rules.format == "arena":
        made = replace(made, status="playing", began_at=entry.at)
    elif all(it.is_over for it in tables):
        made = replace(made, status="settling", over_at=entry.at)
    return replace(state, rounds=(*state.rounds, made))


def _called(state: State, entry: log.TableCalled) -> State:
    need(state.status == "running", entry, f"called in {state.status}")
    held = table_of(state, entry, entry.round, entry.table)
    need(held.status in {"set", "playing"}, entry, f"called from {held.status}")
    need(held.now is None, entry, "a game of this table is not over")
    need(entry.room not in state.rooms, entry, "the room code is in use")
    need(sorted(entry.seats) == sorted(held.seats), entry, "others are called than were paired")
    earlier = [it.attempt for it in held.games if it.game == entry.game]
    need(entry.attempt == len(earlier) + 1, entry, "attempts are numbered")
    game = Played(entry.game, entry.attempt, entry.room, entry.seats, entry.no_show_at, entry.commitment)
    table = replace(held, status="called", games=(*held.games, game))
    round_ = state.rounds[entry.round - 1]
    state = _put(state, entry.round, table, status="playing", began_at=round_.began_at or entry.at)
    return replace(state, rooms=state.rooms | {entry.room: (entry.round, entry.table, len(held.games))})


def _game(state: State, entry: log.AnyEntry, room: str, **changes: Any) -> State:
    need(room in state.rooms, entry, "no such room")
    round_, table, index = state.rooms[room]
    held = table_of(state, entry, round_, table)
    games = list(held.games)
    games[index] = replace(games[index], **changes)
    return _put(state, round_, replace(held, games=tuple(games)))


def _dealt(state: State, entry: log.AnyEntry, room: str, seats: tuple[int, ...]) -> State:
    state = _game(state, entry, room, dealt=True, seats=seats)
    round_, number, _ = state.rooms[room]
    table = table_of(state, entry, round_, number)
    need(table.status == "called", entry, f"dealt from {table.status}")
    entrants = dict(state.entrants)
    for it in seats:
        if it != BOT and state.entrant(it).no_shows:
            entrants[state.numbers[it]] = replace(state.entrant(it), no_shows=0)
    return replace(_put(state, round_, replace(table, status="playing")), entrants=entrants)


def _no_show(state: State, entry: log.AnyEntry, round_: int, table: int, numbers: tuple[int, ...]) -> State:
    held = table_of(state, entry, round_, table)
    need(held.status == "called", entry, f"no-show in {held.status}")
    entrants = dict(state.entrants)
    for number in numbers:
        need(number in held.people, entry, "not at this table")
        it = state.entrant(number)
        entrants[it.key] = replace(it, no_shows=it.no_shows + 1)
    state = replace(state, entrants=entrants)
    return _put(state, round_, replace(held, absent=(*held.absent, *numbers)))


def _over(state: State, entry: log.AnyEntry, round_: int, held: RoundTable, **changes: Any) -> State:
    """A table is over; after the last one the round settles (§3)."""
    need(not held.bye, entry, "a bye has no game")
    state = _put(state, round_, replace(held, done_at=entry.at, **changes))
    made = state.rounds[round_ - 1]
    is_open = made.status in {"paired", "playing"} and state.rules.format != "arena"
    if is_open and all(it.is_over for it in made.tables):
        return _round(state, replace(made, status="settling", over_at=entry.at))
    return state


def _result(state: State, entry: log.GameResult) -> State:
    if entry.ignored:
        return replace(state, ignored=state.ignored | {entry.room})
    if entry.conflict:
        heads = (*state.conflicts.get(entry.room, ()), entry.head)
        return replace(state, conflicts=state.conflicts | {entry.room: heads})
    need(entry.room in state.rooms, entry, "no such room")
    round_, table, index = state.rooms[entry.room]
    game = table_of(state, entry, round_, table).games[index]
    need(game.outcome is None, entry, "this game has its result (T19)")
    need(len(entry.outcome.places) == len(game.seats), entry, "not as many places as seats")
    return _game(
        state, entry, entry.room, outcome=entry.outcome, head=entry.head, ended_at=entry.at, dealt=True
    )


def _last(held: RoundTable, game: int) -> int | None:
    """The index of the newest attempt of a game."""
    return next((at for at in range(len(held.games) - 1, -1, -1) if held.games[at].game == game), None)


def _places(
    state: State, entry: log.AnyEntry, round_: int, table: int, game: int, places: tuple[int, ...]
) -> State:
    held = table_of(state, entry, round_, table)
    index = _last(held, game)
    need(index is not None and held.games[index].outcome is not None, entry, "no such result")
    assert index is not None
    outcome = held.games[index].outcome
    assert outcome is not None
    need(len(places) == len(outcome.places), entry, "not as many places as seats")
    room = held.games[index].room
    by = (*state.corrections.get(room, ()), entry.by)
    state = replace(state, corrections=state.corrections | {room: by})
    return _put(state, round_, corrected(state, state.rounds[round_ - 1], held, index, places))


def corrected(
    state: State, round_: Round, held: RoundTable, index: int, places: tuple[int, ...]
) -> RoundTable:
    """The table with other places in one of its games. No further game is played: the winner follows from those that
    were, as when the time is over (T25); if they are equal it is a draw, or T32 decides.
    """
    games = list(held.games)
    outcome = games[index].outcome
    assert outcome is not None
    winners = tuple(seat for seat, place in enumerate(places) if place == 1)
    games[index] = replace(
        games[index], how="ruled", outcome=replace(outcome, places=places, winners=winners)
    )
    table = replace(held, games=tuple(games))
    if table.status != "done" or len(table.people) != 2:
        return table
    ahead = leader(table)
    if state.version < TIES_CORRECTED:
        return replace(table, winner=ahead or (table.winner if table.step else 0))
    must = not ahead and needs_winner(state.rules, round_)
    decided = without_games(table) if must else Next(0, ahead)
    return replace(table, winner=decided.winner, step=decided.step)


def _ruled(state: State, entry: log.Ruled) -> State:
    if entry.mark:
        need(1 <= entry.mark <= len(state.marks), entry, "no such mark")
        marks = list(state.marks)
        had = marks[entry.mark - 1]
        marks[entry.mark - 1] = replace(
            had, ruling=entry.ruling, ruled_by=entry.by, reason=entry.reason, replaced=bool(had.ruling)
        )
        state = replace(state, marks=tuple(marks))
    if entry.ruling == "adjust":
        return _places(state, entry, entry.round, entry.table, entry.game, entry.places)
    return state


def _replayed(state: State, entry: log.Replayed) -> State:
    """T61: the old result is void, its races leave the board, the table plays again."""
    held = table_of(state, entry, entry.round, entry.table)
    index = _last(held, entry.game)
    need(index is not None, entry, "no such game")
    assert index is not None
    round_ = state.rounds[entry.round - 1]
    need(round_.status != "closed", entry, "the round is closed (T61)")
    games = list(held.games)
    outcome = games[index].outcome
    games[index] = replace(games[index], how="void", outcome=outcome or log.RoomOutcome((), (), ()))
    table = replace(held, games=tuple(games), status="playing", winner=0, step="", done_at=0, forfeits=())
    public = entry.n if round_.status == "settling" else round_.public_upto
    return _put(state, entry.round, table, status="playing", over_at=0, public_upto=public)
