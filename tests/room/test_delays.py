"""No sequence of messages delays a clock by more than HARD, and autopilot ends every game."""

from typing import Any

import pytest

from photofinish.engine import AnyGame, Micros, Rng
from photofinish.engine.offers import sample
from photofinish.games import all_games
from photofinish.race.params import Params, Path
from photofinish.replay.log import Step, read
from photofinish.room.facts import Cut, Measured, Resumed, SessionId
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason
from tests.games.mutants import well_formed
from tests.games.tables import sizes, without_turn_clock
from tests.room.bench import SECOND, Bench
from tests.room.play.test_play import dealt, discard

MS = 1000
HARD = Params().hard
FAR = Path(Micros(300 * MS), Micros(300 * MS), Micros(305 * MS))

every_game = pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.key)
every_size = pytest.mark.parametrize(
    ("game", "seats"),
    [(game, seats) for game in all_games().values() for seats in sizes(game)],
    ids=lambda value: getattr(value, "key", str(value)),
)


def untimed(game: AnyGame, seats: int, **create: Any) -> tuple[Bench, list[SessionId]]:
    bench = Bench(game, seats, without_turn_clock(game), **create)
    return bench, bench.start(seats)


def steps(bench: Bench) -> list[Step]:
    return [entry for entry in (read(it)[2] for it in bench.entries) if isinstance(entry, Step)]


def turn_clock(bench: Bench) -> Micros:
    """When the clock of the seat in turn is due."""
    assert bench.room.match is not None
    return next(due for due, timer in bench.room.match.clocks.running() if timer.seat is not None)


# Clocks.


def test_moves_sent_after_the_due_time_do_not_hold_a_clock() -> None:
    bench, (first, second, far) = dealt(3, turn_seconds=30)
    bench.tell(Measured(far, FAR))
    discard(bench, first)
    due = turn_clock(bench)
    bench.wait(due - bench.now - 600 * MS)
    for _ in range(40):  # four per second, each held for the distant seat and then refused
        bench.play(second, {"t": "keep", "slot": 0, "mark": 0})
        bench.wait(100 * MS)
        if bench.now - due > HARD:
            break

    assert bench.view(second).view.turn != bench.seat(second), "the turn has passed"
    assert any(it.what == "missed" for view in bench.views[first] for it in view.last)


def when_missed(late: int) -> int:
    """How long after its due time the clock took effect: one move came before that time, and `late` after it."""
    bench, (first, second, far) = dealt(3, turn_seconds=30, race_min_ms=0)
    bench.tell(Measured(far, FAR))
    discard(bench, first)
    due = turn_clock(bench)
    bench.wait(due - bench.now - 100 * MS)
    bench.play(second, {"t": "keep", "slot": 0, "mark": 0})  # held for the distant seat, then refused
    bench.wait(due - bench.now + 150 * MS)  # the first one is held still, and these for longer
    for _ in range(late):
        bench.play(second, {"t": "keep", "slot": 0, "mark": 0})
    while not any(it.what == "missed" for view in bench.views[first] for it in view.last):
        assert bench.now - due < SECOND, "the clock never took effect"
        bench.wait(MS)
    return bench.now - due


def test_a_move_sent_after_the_due_time_holds_the_clock_no_longer_than_the_one_before_it() -> None:
    assert when_missed(late=0) < HARD
    assert when_missed(late=3) == when_missed(late=0)


def test_a_clock_held_by_a_move_is_not_held_once_more_for_a_seat_on_a_silent_node() -> None:
    """HARD counts from the due time, not from the moment at which the move before the clock was released."""
    bench, (first, second, third) = dealt(3, turn_seconds=30, race_min_ms=0)
    bench.tell(Cut(third))
    bench.tell(Resumed(SessionId("third"), 0, bench.tokens[bench.seat(third)], 0, node="silent"))
    discard(bench, first)
    due = turn_clock(bench)
    bench.wait(due - bench.now - 50 * MS)
    bench.play(second, {"t": "keep", "slot": 0, "mark": 0})  # held for the silent node, then refused
    bench.wait(due - bench.now + HARD + MS)  # the arbiter looks once per millisecond

    assert any(it.what == "missed" for view in bench.views[first] for it in view.last)


def test_a_move_that_came_in_before_the_due_time_is_judged_before_the_clock() -> None:
    bench, (first, second, far) = dealt(3, turn_seconds=30, race_min_ms=0)
    bench.tell(Measured(far, FAR))
    discard(bench, first)
    due = turn_clock(bench)
    bench.wait(due - bench.now - 50 * MS)
    bench.play(second, {"t": "draw", "from": "main"}, id=900)
    bench.wait(SECOND)

    assert isinstance(bench.answer(second, 900), messages.Ack), "its draw counted, the rest was the clock's"


@every_game
def test_no_sequence_of_messages_delays_any_clock_by_more_than_hard(game: AnyGame) -> None:
    """The seat whose clock is due sends random messages just before and after; the others continue to play."""
    seats = max(sizes(game))
    options = {"race_min_ms": 0} if hasattr(game.options(), "race_min_ms") else {}
    bench, rng = Bench(game, seats, options), Rng(f"hostile {game.key}".encode(), 0)
    sessions = bench.start(seats)
    for session in sessions[1::2]:
        bench.tell(Measured(session, FAR))
    match = bench.room.match
    assert match is not None
    before: dict[str, int] = {}
    for _ in range(1000):
        running = match.clocks.running()
        if match.outcome is not None or not running:
            break
        for due, it in running:
            assert bench.now - due <= HARD, f"{it.key} is {bench.now - due} µs late"
            assert due <= before.get(it.key, due), f"{it.key} was put off"
        before = {it.key: due for due, it in running}
        due, timer = running[0]
        if timer.seat is None or (bench.now < due - 500 * MS and rng.below(2)):  # play on
            able = [session for session in sessions if bench.view(session).offers]
            if able:
                session = rng.pick(able)
                sent = sample(bench.view(session).offers, rng)
                bench.play(session, sent or {})
            bench.wait(rng.below(400) * MS)
        elif bench.now < due - 500 * MS:
            bench.wait(due - bench.now - 500 * MS)
        else:
            bench.play(sessions[timer.seat], well_formed(game, rng))
            bench.wait(rng.below(250) * MS)
        bench.forget_frames()


# Autopilot.


@every_size
def test_autopilot_finishes_every_game_without_turn_clocks(game: AnyGame, seats: int) -> None:
    bench, sessions = untimed(game, seats)
    for session in sessions:
        bench.tell(Cut(session))
    for _ in range(200):
        bench.wait(600 * SECOND)
        bench.forget_frames()
        if bench.room.record.phase == "over":
            break

    assert bench.room.record.phase == "over"
    assert all(it.timer is not None for it in steps(bench)), "autopilot makes no move of its own"


@every_game
def test_autopilot_plays_only_for_a_seat_that_is_awaited(game: AnyGame) -> None:
    """One seat leaves and the others never move: each step is an answer that the game waits for."""
    bench, sessions = untimed(game, max(2, min(game.seats)))
    bench.request(sessions[1], messages.Leave)
    for _ in range(12):
        bench.wait(600 * SECOND)
        bench.forget_frames()
    match = bench.room.match
    assert match is not None
    before = match.step
    bench.wait(600 * SECOND)

    awaited = {it.seat for it in game.timers(match.state) if it.running}
    assert match.outcome is not None or (match.step == before and 1 not in awaited)
    assert all(it.timer is not None for it in steps(bench))


def test_hameln_a_seat_on_autopilot_picks_its_character_once() -> None:
    bench, sessions = untimed(all_games()["hameln_cave"], 2)
    bench.request(sessions[1], messages.Leave)
    bench.wait(120 * SECOND)

    assert len(steps(bench)) == 1


# Absence.


def test_a_player_who_is_gone_leaves_the_seat_to_autopilot_after_absent_seconds() -> None:
    bench, sessions = untimed(all_games()["cambio"], 2)
    bench.wait(10 * SECOND)  # the first look
    seat = bench.view(sessions[0]).view.turn
    bench.tell(Cut(sessions[seat]))
    bench.wait(119 * SECOND)
    assert not bench.room.record.chairs[seat].is_autopilot
    assert bench.view(sessions[1 - seat]).view.turn == seat
    bench.wait(2 * SECOND)
    assert bench.room.record.chairs[seat].is_autopilot
    bench.wait(5 * SECOND)
    assert bench.view(sessions[1 - seat]).view.turn == 1 - seat, "autopilot has played the turn"

    back = bench.resume(seat)
    assert not bench.room.record.chairs[seat].is_autopilot
    bench.wait(300 * SECOND)
    assert bench.view(back).view.turn == 1 - seat


def test_absent_seconds_restart_with_every_absence_and_after_a_crash() -> None:
    bench, sessions = untimed(all_games()["cambio"], 2)
    bench.tell(Cut(sessions[0]))
    bench.wait(100 * SECOND)
    again = bench.resume(0)
    bench.wait(100 * SECOND)
    assert not bench.room.record.chairs[0].is_autopilot
    bench.tell(Cut(again))
    bench.crash()
    bench.resume(1)
    bench.wait(119 * SECOND)
    assert not bench.room.record.chairs[0].is_autopilot
    bench.wait(2 * SECOND)
    assert bench.room.record.chairs[0].is_autopilot


def test_the_host_sets_absent_seconds_and_everybody_sees_them() -> None:
    bench = Bench(all_games()["cambio"], 2, {"turn_seconds": 0}, absent_seconds=20)
    ada = bench.sit(0)
    assert bench.heard[ada][-1].absent_seconds == 20
    assert isinstance(bench.request(ada, messages.Configure, absent_seconds=30), messages.Ack)
    said = next(it for it in reversed(bench.heard[ada]) if isinstance(it, messages.Room))
    assert said.absent_seconds == 30
    assert said.options["turn_seconds"] == 0, "options that are left out stay as they are"
    bob = bench.sit(1)
    for session in (ada, bob):
        bench.request(session, messages.Ready)
    bench.request(ada, messages.Start)
    assert bench.request(ada, messages.Configure, absent_seconds=40).reason is Reason.ALREADY_STARTED
    bench.tell(Cut(bob))
    bench.wait(29 * SECOND)
    assert not bench.room.record.chairs[1].is_autopilot
    bench.wait(2 * SECOND)
    assert bench.room.record.chairs[1].is_autopilot
