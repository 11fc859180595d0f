"""The rows that pages and followers show of an event (T67, T69). Pure: from the state, public facts only."""

from typing import Any

import msgspec

from photofinish.tournament.scores.reactions import board, race_lines
from photofinish.tournament.scores.standings import standings
from photofinish.tournament.state.brackets_state import decided_of
from photofinish.tournament.state.model import State


def info(state: State) -> dict[str, Any]:
    rules, round_ = state.rules, state.round
    return {
        "event": state.event,
        "title": rules.title,
        "game": rules.game,
        "format": rules.format,
        "seats": rules.seats,
        "state": state.status,
        "reason": state.reason,
        "entrants": len(state.numbers) or len(state.entrants),
        "round": round_.number if round_ else 0,
        "round_state": round_.status if round_ else "",
        "rounds": rounds_in_all(state),
        "rules_hash": state.rules_hash,
        "commitment": state.commitment,
        "officials_play": rules.officials_play,
        "hands": rules.hands,
        "rehearsal": rules.rehearsal,
        "max_ping_ms": rules.room.max_ping_ms,
        "races": rules.races,
        "registration": rules.registration.mode,
        "teams": rules.teams,
        "check_in_minutes": rules.clock.check_in_minutes,
        "late_join_until": rules.late_join_until,
        "organisers": list(state.organisers),
        "referees": list(state.referees),
    }


def rounds_in_all(state: State) -> int:
    """With those of the cut. 0 before the start, and in a double elimination, where the results decide it."""
    rules, n = state.rules, len(state.numbers)
    if rules.format == "single":
        return max(1, (n - 1).bit_length()) if n else 0
    cut = (1 if rules.is_pods else rules.cut.bit_length() - 1) if rules.cut else 0
    return state.planned + cut if state.planned else 0


def entrants(state: State) -> list[dict[str, Any]]:
    return [
        {
            "number": it.number,
            "key": it.key,
            "name": it.name,
            "kind": it.kind,
            "checked_in": it.checked_in,
            "left_round": it.left_round,
        }
        for it in state.entrants.values()
    ]


def standing_rows(state: State, upto: int | None = None) -> list[dict[str, Any]]:
    return [
        {
            "rank": row.rank,
            "number": row.number,
            "name": state.entrant(row.number).name,
            "points_840": row.points,
            "ties": dict(zip(state.rules.tiebreaks, row.ties, strict=True)),
        }
        for row in standings(state, upto)
    ]


def bracket(state: State) -> list[dict[str, Any]]:
    if not state.rules.is_elimination or not state.numbers:
        return []
    matches, decided = decided_of(state)
    return [
        {"match": matches[at].name, "winner": it.winner, "loser": it.loser}
        for at, it in sorted(decided.items())
    ]


def tables(state: State, number: int) -> list[dict[str, Any]]:
    if not 1 <= number <= len(state.rounds):
        return []
    return [
        {
            "round": number,
            "table": table.table,
            "seats": list(table.seats),
            "bye": table.bye,
            "state": table.status,
            "winner": table.winner,
            "step": table.step,
            "done_at": table.done_at,
            "hands_opened": [key for at, key in state.opened if at == (number, table.table)],
            "games": [
                {
                    "game": game.game,
                    "attempt": game.attempt,
                    "room": game.room,
                    "seats": list(game.seats),
                    "no_show_at": game.no_show_at,
                    "commitment": game.commitment,
                    "head": game.head,
                    "places": list(game.outcome.places) if game.outcome else [],
                    "scores": list(game.outcome.scores) if game.outcome else [],
                    "how": game.how,
                    "ended_at": game.ended_at,
                }
                for game in table.games
            ],
        }
        for table in state.rounds[number - 1].tables
    ]


def disputes(state: State, *, is_official: bool = False) -> list[dict[str, Any]]:
    """A mark is public when it is decided and its deal is done (T43); officials see the others too."""
    return [
        msgspec.to_builtins(it)
        for it in state.marks
        if is_official or (it.ruling and not state.is_sealed(it.round))
    ]


def round_row(state: State) -> dict[str, Any]:
    """The round that plays or was played last, with its clocks."""
    round_ = state.round
    if round_ is None:
        return {"round": 0, "state": "", "tables": 0, "done": 0, "starts_at": None, "began_at": 0}
    return {
        "round": round_.number,
        "phase": round_.phase,
        "state": round_.status,
        "tables": len(round_.tables),
        "done": sum(table.is_over for table in round_.tables),
        "starts_at": round_.starts_at,
        "began_at": round_.began_at,
        "over_at": round_.over_at,
    }


def reaction_rows(state: State) -> list[dict[str, Any]]:
    return [msgspec.to_builtins(it) for it in board(race_lines(state))]
