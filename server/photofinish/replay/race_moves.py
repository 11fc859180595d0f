"""Every move of every race of a finished game, with its verdict. Slap-offs and leaderboards use it (T45, T47)."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias

from photofinish.engine import AnyGame, Record, Seat
from photofinish.race.evidence import Evidence, RaceRecord
from photofinish.replay import log
from photofinish.replay.replay import states

Verdict: TypeAlias = Literal["won", "heat", "beaten", "wrong", "false_start", "other"]

HITS = frozenset({"slapped", "scurried", "grabbed", "snatched", "pressed"})
BEATEN = frozenset({"late_slap", "too_slow", "late_press"})
WRONG = frozenset({"wrong_slap", "wrong_throw", "missed_grab", "wrong_press"})


NOBODY = -1
"""The ticket of no move."""


class ReplayedRaceMove(Record, frozen=True):
    """`verdict`: `heat` is a correct move that lost a dead heat by the coin; `beaten` is correct but later."""

    race: str
    seat: Seat
    move: str
    verdict: Verdict
    score: int
    lo: int
    hi: int
    base: int
    heat: int
    late: bool
    counted: bool


class _Judged(Record, frozen=True):
    name: str
    """The name of the move."""
    what: Literal["hit", "beaten", "wrong", "other"]


def race_moves(
    games: Mapping[str, AnyGame], seed: bytes, entries: Iterable[log.Entry]
) -> tuple[ReplayedRaceMove, ...]:
    """In the order of the log. Replays the game. Call it only after the end: beaten moves may be hidden before."""
    made: list[ReplayedRaceMove] = []
    judged: dict[int, _Judged] = {}
    game: AnyGame | None = None
    for entry, state, _ in states(games, seed, entries):
        match entry:
            case log.Dealt():
                game = games[entry.game]
            case log.Step(evidence=Evidence(seat=int() as seat, ticket=ticket), move=dict() as move):
                assert game is not None
                judged[ticket] = _Judged(str(move.get("t", "")), _what(game, state, Seat(seat)))
            case log.Step(seat=int() as seat, evidence=None, move=dict() as move):
                assert game is not None
                made += _false_starts(game, state, Seat(seat), str(move.get("t", "")))
            case log.Raced(record=record):
                made += _moves(record, judged)
            case _:
                pass
    return tuple(made)


def winning_ticket(record: RaceRecord, moves: Iterable[ReplayedRaceMove]) -> int | None:
    """The ticket of the move that won this race by the rules; `NOBODY` if all were wrong; None if none was judged."""
    own = [it for it in moves if it.race == record.key]
    won = next(((it.seat, it.score) for it in own if it.verdict == "won"), None)
    if won is None:
        return NOBODY if own else None
    return next(it.ticket for it in record.moves if (it.seat, it.score) == won)


def _what(game: AnyGame, state: Any, seat: Seat) -> Literal["hit", "beaten", "wrong", "other"]:
    """How the rules judged the seat's move, taken from the seat's own view."""
    words = {it.what for it in game.view(state, seat).last if it.seat == seat}
    if words & HITS:
        return "hit"
    if words & WRONG:
        return "wrong"
    return "beaten" if words & BEATEN else "other"


def _false_starts(game: AnyGame, state: Any, seat: Seat, move: str) -> list[ReplayedRaceMove]:
    """A press before the race is open, where the rules call it a false start (X8). It has no time."""
    return [
        ReplayedRaceMove(
            str(it.detail["race"]), seat, move, "false_start", 0, 0, 0, 0, 0, late=False, counted=False
        )
        for it in game.view(state, seat).last
        if it.what == "false_start" and it.seat == seat
    ]


def _moves(record: RaceRecord, judged: Mapping[int, _Judged]) -> list[ReplayedRaceMove]:
    decisions = {it.ticket: it for it in record.decisions}
    early = {it.seat for it in record.void if it.why == "false_start" and it.seat != record.opener}
    made: list[ReplayedRaceMove] = []
    winner_heat: int | None = None
    reacted: set[Seat] = set()
    for it in record.moves:
        decision, rule = decisions.get(it.ticket), judged.get(it.ticket)
        if it.seat is None or it.kind != "contested" or decision is None or rule is None:
            continue
        verdict: Verdict
        if rule.what == "hit" and winner_heat is None:
            verdict, winner_heat = "won", decision.heat
        elif rule.what in {"hit", "beaten"}:
            verdict = "heat" if decision.heat == winner_heat else "beaten"
        else:
            verdict = "wrong" if rule.what == "wrong" else "other"
        is_right = rule.what in {"hit", "beaten"}
        counted = (
            is_right
            and it.seat not in reacted
            and it.seat not in early
            and not (it.away or decision.late or decision.by == "hard")
        )
        if is_right:
            reacted.add(it.seat)
        made.append(_made(record.key, it, it.seat, rule.name, verdict, decision.heat, decision.late, counted))
    made += [
        _made(record.key, it, it.seat, "", "false_start", 0, late=False, counted=False)
        for it in record.void
        if it.seat in early and it.seat is not None and it.why == "false_start"
    ]
    return made


def _made(
    race: str, it: Evidence, seat: Seat, name: str, verdict: Verdict, heat: int, late: bool, counted: bool
) -> ReplayedRaceMove:
    return ReplayedRaceMove(race, seat, name, verdict, it.score, it.lo, it.hi, it.base, heat, late, counted)
