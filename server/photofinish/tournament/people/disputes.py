"""§8: marks, rulings, corrections. A race's order is never edited: it is confirmed, or the hand is replayed."""

from photofinish.tournament.course.closing import SECOND
from photofinish.tournament.log import entries as log
from photofinish.tournament.people.roles import (
    EventRefusal,
    entrant_of,
    is_organiser,
    need_official,
    need_other_table,
    need_reason,
    refuse_unless,
    table_of,
)
from photofinish.tournament.state.brackets_state import leads_on
from photofinish.tournament.state.fold_rounds import corrected
from photofinish.tournament.state.model import DisputeMark, Played, RoundTable, State

OPEN_PER_PLAYER = 3
PER_EVENT = 10


def mark(
    state: State, key: str, now: int, round_: int, table: int, game: int, race: str, text: str
) -> tuple[log.AnyEntry, ...]:
    """T59: a player marks a race (or, with an empty one, the whole game) that it sat in."""
    it = entrant_of(state, key)
    held = table_of(state, round_, table)
    refuse_unless(it.number in held.people, "not_your_table", "You did not sit at that table.")
    refuse_unless(1 <= len(text.strip()) <= 280, "bad_message", "A mark has 1 to 280 characters.")
    played = _game(held, game)
    # H40: the log is public at once, and partners may not talk while they play.
    silent = state.rules.is_coop and not played.is_over
    refuse_unless(not silent, "muted", "Nobody talks in this game (H40). Mark it when it is over.")
    if race and played.outcome is not None:
        known = {line.race for line in played.outcome.races}
        refuse_unless(race in known, "no_such_race", f"That game has no race {race}.")
    limit = state.rules.clock.dispute_seconds * SECOND
    closed = state.rounds[round_ - 1].status == "closed" or state.status in {"sealed", "cancelled"}
    in_time = not closed and (not played.is_over or now <= played.ended_at + limit)
    refuse_unless(in_time, "too_late", "The time for marks of that game is over.")
    own = [mark for mark in state.marks if mark.by == key]
    few = sum(mark.is_open for mark in own) < OPEN_PER_PLAYER and len(own) < PER_EVENT
    refuse_unless(few, "too_many_marks", "At most 3 open marks and 10 per event.")
    made = log.Marked(
        by=key, mark=len(state.marks) + 1, round=round_, table=table, game=game, race=race, text=text.strip()
    )
    return (made,)


def _game(table: RoundTable, game: int) -> Played:
    found = next((it for it in reversed(table.games) if it.game == game), None)
    if found is None:
        raise EventRefusal("bad_message", f"Table {table.table} has no game {game}.")
    return found


def _mark(state: State, number: int) -> DisputeMark:
    if not 1 <= number <= len(state.marks):
        raise EventRefusal("bad_message", f"There is no mark {number}.")
    return state.marks[number - 1]


def rule(
    state: State,
    key: str,
    number: int,
    ruling: log.Ruling,
    reason: str,
    *,
    places: tuple[int, ...] = (),
    about: int = 0,
    replaces: bool = False,
) -> tuple[log.AnyEntry, ...]:
    """T61, T62. `about` is the entrant number for `warn`, `forfeit` and `disqualify`; `replaces` as in `_undecided`."""
    need_official(state, key)
    need_reason(reason)
    it = _mark(state, number)
    held = table_of(state, it.round, it.table)
    need_other_table(state, key, held)
    refuse_unless(state.status not in {"sealed", "cancelled"}, "too_late", "The event is sealed.")
    _undecided(state, (it.ruled_by,) * (1 + it.replaced) if it.ruling else (), key, replaces=replaces)
    ruled = log.Ruled(
        by=key,
        mark=number,
        ruling=ruling,
        round=it.round,
        table=it.table,
        game=it.game,
        reason=reason.strip(),
        places=places,
        number=about,
    )
    if ruling == "adjust":
        played = _game(held, it.game)
        check_places(played, places)
        _bracket_stands(state, it.round, held, played, places)
        _undecided(state, state.corrections.get(played.room, ()), key, replaces=replaces)
    return (ruled, *_effects(state, key, ruled, held))


def _effects(state: State, key: str, ruled: log.Ruled, held: RoundTable) -> tuple[log.AnyEntry, ...]:
    closed = state.rounds[ruled.round - 1].status == "closed"
    match ruled.ruling:
        case "replay":
            refuse_unless(not closed, "too_late", "The round is closed: nothing is replayed any more.")
            played = _game(held, ruled.game)
            made = log.Replayed(
                by=key, round=ruled.round, table=ruled.table, game=ruled.game, attempt=played.attempt + 1
            )
            return (made,)
        case "forfeit":
            _about(held, ruled.number)
            refuse_unless(not closed, "too_late", "The round is closed.")
            return (
                log.Forfeited(
                    by=key, round=ruled.round, table=ruled.table, numbers=(ruled.number,), why=ruled.reason
                ),
            )
        case "disqualify":
            _about(held, ruled.number)
            who = state.entrant(ruled.number)
            return (log.Removed(by=key, key=who.key, reason=ruled.reason),) if who.is_in else ()
        case "warn":
            _about(held, ruled.number)
    return ()


def _about(held: RoundTable, number: int) -> None:
    refuse_unless(number in held.people, "bad_message", "Name an entrant of that table.")


def check_places(game: Played, places: tuple[int, ...]) -> None:
    """Competition style, one per seat."""
    refuse_unless(game.counts, "wrong_state", "That game has no result, or is played again.")
    fits = len(places) == len(game.seats) and all(
        place == 1 + sum(other < place for other in places) for place in places
    )
    refuse_unless(fits, "bad_message", "One place per seat, such as 1, 1, 3.")


def _bracket_stands(
    state: State, number: int, held: RoundTable, played: Played, places: tuple[int, ...]
) -> None:
    """T62: pairings already shown do not change, and in a bracket the standings follow from them. So nobody else goes
    on after the round has closed. The places of a match from which nobody goes on are corrected until the seal.
    """
    round_ = state.rounds[number - 1]
    if round_.status != "closed" or not leads_on(state, round_, held):
        return
    made = corrected(state, round_, held, held.games.index(played), places)
    refuse_unless(
        made.winner == held.winner,
        "too_late",
        "The next pairings are up: nobody else goes on any more (T62).",
    )


def _undecided(state: State, had: tuple[str, ...], key: str, *, replaces: bool) -> None:
    """T62, T63: `had` are the keys that decided so far. Two referees at once: the second does not know of the first
    ruling, so it does not say `replaces` and is refused. A sender that says it knows the ruling, and may replace it
    once: another referee, or an organiser, who may replace its own too.
    """
    if not had:
        return
    ruled = f"{had[-1][:8]} has ruled on this already."
    refuse_unless(len(had) == 1, "already_decided", f"{ruled} A ruling is replaced once (T62).")
    refuse_unless(
        had[-1] != key or is_organiser(state, key),
        "already_decided",
        "You have ruled on this. Only another referee or an organiser may replace it (T62).",
    )
    refuse_unless(replaces, "already_decided", f"{ruled} Look at it; you may replace it once (`replaces`).")


def correct(
    state: State,
    key: str,
    round_: int,
    table: int,
    game: int,
    places: tuple[int, ...],
    reason: str,
    *,
    replaces: bool = False,
) -> tuple[log.AnyEntry, ...]:
    """T63: a ruling without a mark. An `adjust` of the same game counts as one, and so does this for an `adjust`."""
    need_official(state, key)
    need_reason(reason)
    held = table_of(state, round_, table)
    need_other_table(state, key, held)
    refuse_unless(state.status not in {"sealed", "cancelled"}, "too_late", "The event is sealed.")
    refuse_unless(held.is_over, "wrong_state", "The pairing is not over.")
    played = _game(held, game)
    check_places(played, places)
    _bracket_stands(state, round_, held, played, places)
    _undecided(state, state.corrections.get(played.room, ()), key, replaces=replaces)
    return (
        log.Corrected(by=key, round=round_, table=table, game=game, places=places, reason=reason.strip()),
    )


def forfeit(
    state: State, key: str, round_: int, table: int, number: int, reason: str
) -> tuple[log.AnyEntry, ...]:
    """A referee ends a pairing that is called or played."""
    need_official(state, key)
    need_reason(reason)
    held = table_of(state, round_, table)
    need_other_table(state, key, held)
    _about(held, number)
    refuse_unless(not held.is_over, "already_decided", f"The pairing is {held.status}.")
    return (log.Forfeited(by=key, round=round_, table=table, numbers=(number,), why=reason.strip()),)
