"""Reflex in a room: every press is measured, and a slap-off can count it (T45, T47)."""

from photofinish.engine.rng import Rng
from photofinish.games import all_games
from photofinish.games.reflex import GAME
from photofinish.replay import log
from photofinish.replay.race_moves import ReplayedRaceMove, race_moves
from photofinish.replay.replay import as_replay, read_replay
from photofinish.replay.verify import verify
from photofinish.room.facts import SessionId
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason
from tests.room.bench import Bench

MS = 1000
PRESS = {"t": "press"}


def until_lit(bench: Bench, session: SessionId) -> None:
    for _ in range(400):
        if bench.view(session).race is not None:
            return
        bench.wait(10 * MS)
    raise AssertionError("the light never came")


def counted(bench: Bench) -> tuple[ReplayedRaceMove, ...]:
    """The moves that an event reads from the replay, which must verify."""
    replay = read_replay(as_replay(bench.room.record.seed, bench.entries))
    assert verify(replay, all_games()).faults == []
    entries = [log.parse(line.body) for line in replay.entries]
    return race_moves(all_games(), bytes.fromhex(replay.seed), entries)


def test_every_seat_has_a_counted_reaction_at_every_green_light() -> None:
    bench = Bench(GAME, 3, {"flashes": 2})
    sessions = bench.start(3)
    rng = Rng(b"hands", 0)
    for _ in range(2):
        until_lit(bench, sessions[0])
        bench.wait(200 * MS)
        for session in rng.shuffled(sessions):
            bench.play(session, PRESS)
            bench.wait(20 * MS)
        bench.wait(500 * MS)
    found = counted(bench)

    assert bench.room.record.phase == "over"
    assert [it.verdict for it in found] == ["won", "beaten", "beaten"] * 2
    assert all(it.counted for it in found)
    assert {(it.race, it.seat) for it in found} == {(f"flash:{n}", seat) for n in (1, 2) for seat in range(3)}


def test_a_press_in_the_dark_is_a_false_start_of_the_next_light() -> None:
    bench = Bench(GAME, 2, {"flashes": 1})
    sessions = bench.start(2)
    assert isinstance(bench.play(sessions[1], PRESS), messages.Ack)
    assert bench.play(sessions[1], PRESS).reason is Reason.ILLEGAL_MOVE
    until_lit(bench, sessions[0])
    bench.wait(200 * MS)
    bench.play(sessions[0], PRESS)
    bench.wait(500 * MS)

    assert [(it.race, it.seat, it.verdict, it.counted) for it in counted(bench)] == [
        ("flash:1", 1, "false_start", False),
        ("flash:1", 0, "won", True),
    ]


def test_a_press_sent_in_the_dark_that_arrives_after_the_light_costs_nothing() -> None:
    bench = Bench(GAME, 2, {"flashes": 1})
    sessions = bench.start(2)
    until_lit(bench, sessions[0])
    late = bench.request(sessions[0], messages.Play, move=PRESS)

    assert late.reason is Reason.WRONG_NONCE
    assert bench.view(sessions[0]).view.points == (0, 0)


def test_one_player_practises_alone() -> None:
    bench = Bench(GAME, 1, {"flashes": 3})
    (session,) = bench.start(1)
    for _ in range(3):
        until_lit(bench, session)
        bench.wait(250 * MS)
        bench.play(session, PRESS)
        bench.wait(300 * MS)
    over = bench.view(session).over

    assert over is not None
    assert over.winners == (0,)
    assert [it.counted for it in counted(bench)] == [True] * 3
