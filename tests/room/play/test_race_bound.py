"""The number of moves per seat and race is limited, and so are the race's log entry and its messages."""

import msgspec

from photofinish.engine import Micros
from photofinish.race.params import Path
from photofinish.race.recompute import recompute
from photofinish.replay.log import Raced, read
from photofinish.room.facts import Measured, SessionId
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason
from photofinish_protocol.version import MAX_RACE_MOVES
from tests.room.bench import SECOND, Bench
from tests.room.play.test_play import dealt, discard

MS = 1000


def flood(bench: Bench, session: SessionId, times: int) -> list[messages.Refused | None]:
    """Moves that the rules refuse, one every 10 ms."""
    answers = []
    for _ in range(times):
        answers.append(bench.play(session, {"t": "keep", "slot": 0, "mark": 0}))
        bench.wait(10 * MS)
    return answers


def closed(bench: Bench) -> list[tuple[int, Raced]]:
    """The races in the log, with the size of each entry."""
    entries = [(len(it), read(it)[2]) for it in bench.entries]
    return [(size, entry) for size, entry in entries if isinstance(entry, Raced)]


def test_a_move_beyond_the_limit_is_refused_with_a_clause_and_not_recorded() -> None:
    bench, (first, second, third) = dealt(3)
    discard(bench, first)
    bench.wait(200 * MS)
    answers = flood(bench, third, 400)
    beyond = [it for it in answers if it is not None and it.reason is Reason.TOO_MANY_MOVES]

    assert len(beyond) == 400 - MAX_RACE_MOVES
    assert {(it.clause, it.retry) for it in beyond} == {("C22", False)}
    bench.wait(2 * SECOND)
    bench.do(second, {"t": "draw", "from": "main"})
    ((_, race),) = closed(bench)
    assert len([it for it in race.record.moves if it.seat == bench.seat(third)]) == MAX_RACE_MOVES
    assert recompute(race.record).is_sound


def test_log_entry_and_messages_stay_small_even_if_eight_seats_send_all_they_can() -> None:
    bench, sessions = dealt(8)
    discard(bench, sessions[0])
    bench.wait(200 * MS)
    for session in sessions:
        bench.tell(Measured(session, Path(Micros(1 * MS), Micros(1 * MS), Micros(1 * MS))))
    for _ in range(2 * MAX_RACE_MOVES):
        for session in sessions[2:]:
            bench.play(session, {"t": "keep", "slot": 0, "mark": 0})
        bench.wait(20 * MS)
    bench.wait(2 * SECOND)
    bench.do(sessions[1], {"t": "draw", "from": "main"})
    ((size, race),) = closed(bench)

    assert len(race.record.moves) <= 8 * MAX_RACE_MOVES + 1
    assert size < 700_000, "an entry of 256 moves with eight marks each"
    reports = [it for heard in bench.heard.values() for it in heard if isinstance(it, messages.RaceReport)]
    assert reports
    assert max(len(msgspec.json.encode(it)) for it in reports) < 16_000


def test_a_seat_at_its_limit_may_still_end_the_race() -> None:
    """Otherwise a table without turn clocks would wait for ever."""
    bench, (first, second) = dealt(2, turn_seconds=0)
    discard(bench, first)
    bench.wait(2 * SECOND)
    flood(bench, second, MAX_RACE_MOVES + 5)
    bench.wait(SECOND)

    bench.do(second, {"t": "draw", "from": "main"})
    assert bench.view(second).race is None


def test_the_count_restarts_with_the_next_race() -> None:
    bench, (first, second, third) = dealt(3, race_min_ms=0)
    discard(bench, first)
    bench.wait(200 * MS)
    flood(bench, third, MAX_RACE_MOVES + 5)
    discard(bench, second)
    bench.wait(200 * MS)

    assert all(it is None or it.reason is not Reason.TOO_MANY_MOVES for it in flood(bench, third, 5))
