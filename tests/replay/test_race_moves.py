"""T45, T47: which moves of a race a slap-off counts."""

from typing import Any

import msgspec
import pytest

from photofinish.engine import Micros, Seat
from photofinish.games import all_games
from photofinish.race.evidence import VERSION, Decision, Evidence, RaceRecord, SeatStart
from photofinish.race.params import Params, Path
from photofinish.replay.facts import facts_of
from photofinish.replay.log import Dealt
from photofinish.replay.race_moves import ReplayedRaceMove, _Judged, _moves
from tests.tournament.formats.test_duplicates import OPTIONS
from tests.tournament.real_games import play_out


def evidence(ticket: int, seat: int, score: int, **more: Any) -> Evidence:
    made = Evidence(
        ticket, ticket, Seat(seat), "contested", Micros(0), Micros(score), Micros(score), away=False, path=Path(),
        react_us=score, base=Micros(0), lo=Micros(score - 20), hi=Micros(score + 10), jitter=Micros(0),
        behind=Micros(0), soft=Micros(0), credit=Micros(0), score=Micros(score),
    )  # fmt: skip
    return msgspec.structs.replace(made, **more)


def decision(ticket: int, score: int, heat: int, **more: Any) -> Decision:
    made = Decision(
        ticket, Micros(score), Micros(score), "watermark", late=False, heat=heat, taken=9, marks=()
    )
    return msgspec.structs.replace(made, **more)


MOVES = (
    evidence(1, 0, 300),
    evidence(2, 1, 301),
    evidence(3, 2, 350),
    evidence(4, 0, 400),
    evidence(5, 3, 420),
)
DECISIONS = (
    decision(1, 300, 1),
    decision(2, 301, 1),
    decision(3, 350, 2),
    decision(4, 400, 3),
    decision(5, 420, 4),
)
JUDGED = {1: "hit", 2: "beaten", 3: "beaten", 4: "hit", 5: "wrong"}


def race(moves: Any = MOVES, decisions: Any = DECISIONS, void: Any = ()) -> list[ReplayedRaceMove]:
    starts = tuple(SeatStart(Seat(seat), Micros(8_500), Micros(0)) for seat in range(4))
    record = RaceRecord(
        VERSION, "race:1", "n", Params(), tuple(map(Seat, range(4))), None, Micros(0), Micros(900), Micros(0), (),
        starts,
        decisions, (), moves, void, (),
    )  # fmt: skip
    return _moves(record, {ticket: _Judged("slap", what) for ticket, what in JUDGED.items()})  # type: ignore[arg-type]


def test_T45_the_first_hit_wins_and_dead_heats_and_wrong_moves_are_marked() -> None:
    assert [(it.seat, it.verdict) for it in race()] == [
        (0, "won"),
        (1, "heat"),
        (2, "beaten"),
        (0, "beaten"),
        (3, "wrong"),
    ]


def test_T47_only_the_first_right_move_of_a_seat_counts() -> None:
    assert [it.counted for it in race()] == [True, True, True, False, False]


@pytest.mark.parametrize(
    "made",
    [
        race(moves=tuple(msgspec.structs.replace(it, away=True) for it in MOVES)),
        race(decisions=tuple(msgspec.structs.replace(it, late=True) for it in DECISIONS)),
        race(decisions=tuple(msgspec.structs.replace(it, by="hard") for it in DECISIONS)),
    ],
    ids=["away", "late", "forced"],
)
def test_T47_late_forced_and_untriggered_moves_are_not_counted(made: list[ReplayedRaceMove]) -> None:
    assert made
    assert not any(it.counted for it in made)


def test_T47_a_move_after_a_false_start_in_that_race_is_not_counted() -> None:
    made = race(
        void=(
            evidence(9, 0, 50, void=True, why="false_start"),
            evidence(10, 1, 60, void=True, why="wrong_nonce"),
        )
    )
    assert [it.seat for it in made if it.verdict == "false_start"] == [0]
    assert [it.seat for it in made if it.counted] == [1, 2]


FOUND = {
    "cambio": {"slap won", "slap beaten", "slap wrong"},
    "kodiak": {"scurry won", "scurry beaten", "scurry wrong", "grab beaten", "grab wrong"},
    "alaska": {"snatch won", "let_go other"},
    "reflex": {"press won", "press beaten", "press false_start"},
}
"""A grab of Kodiak follows a scurry that has won the race: it is right, and never the first hit."""


@pytest.mark.parametrize("key", sorted(FOUND))
def test_T45_T47_the_moves_of_each_game_are_hits_wrong_or_later_by_its_own_rules(key: str) -> None:
    game, found = all_games()[key], set()
    seats = min(4, game.seats[-1])
    for n in range(4):
        dealt = Dealt(
            key, game.version, f"ROOM{n}", 1, seats, ("",) * seats, OPTIONS[key], ("",) * seats, (), ()
        )
        raw, _, _ = play_out(game, dealt, bytes([n]) * 32, moves=b"t%d" % n)
        found |= {f"{it.move} {it.verdict}" for it in facts_of(raw, all_games()).races}
    assert found == FOUND[key]


def test_a_file_that_is_not_a_replay_is_a_fault_and_not_an_exception() -> None:
    assert facts_of(b"{}", all_games()).faults
    assert facts_of(b"not json", all_games()).faults
