"""Playing without a room: virtual clocks, and the events that each viewer gets."""

from dataclasses import replace as with_field
from typing import Any

import pytest

from photofinish.engine import (
    Expired,
    Happened,
    IllegalMove,
    Millis,
    Rng,
    Seat,
    Timer,
    all_seats,
    clockwise,
    events_for,
)
from photofinish.engine.playthrough import Playthrough, random_steps, start
from tests.games.sample.game import MAGPIES


def fresh(seats: int = 3) -> Playthrough:
    return start(MAGPIES, seats, b"clocks")


def test_the_clock_with_least_time_left_expires_first_and_the_others_keep_their_time() -> None:
    play = fresh()
    play.wait()  # the first look is over: three clocks of 20 s, one per seat
    play.pass_time(5_000)
    play.act(Seat(0), {"t": "bid", "gems": {}})

    assert play.clocks == {"bid:1:1": 15_000, "bid:1:2": 15_000}
    assert play.wait()
    assert play.inputs[-1] == Expired("bid:1:1")
    assert play.clocks == {"bid:1:2": 0}


def test_a_new_key_is_a_new_clock_with_all_its_time() -> None:
    play = fresh(2)
    play.pass_time(4_999)
    play.wait()

    assert play.clocks == {"bid:1:0": 20_000, "bid:1:1": 20_000}


def test_a_paused_clock_keeps_its_remaining_time() -> None:
    def timers(state: Any) -> Any:
        return (Timer("still", Millis(100), running=False), *MAGPIES.timers(state))

    play = start(with_field(MAGPIES, timers=timers), 2, b"still")
    play.pass_time(90)

    assert play.clocks == {"still": 100, "look:0": 4_910}
    assert play.next_clock() == ("look:0", 4_910)


def test_with_no_clock_running_time_passes_and_nothing_happens() -> None:
    play = start(with_field(MAGPIES, timers=lambda _state: ()), 2, b"none")
    before = play.state

    assert not play.wait()
    assert play.state is before
    assert play.step == 0


def test_a_refused_move_does_not_change_step_clocks_or_log() -> None:
    play = fresh()
    play.pass_time(100)
    before = (play.state, play.step, dict(play.clocks), list(play.inputs))
    with pytest.raises(IllegalMove, match="M"):
        play.act(Seat(1), {"t": "draw"})

    assert (play.state, play.step, play.clocks, play.inputs) == before


def test_random_play_without_a_move_or_a_clock_is_an_error_not_an_endless_loop() -> None:
    stuck = with_field(MAGPIES, timers=lambda _state: (), offers=lambda _state, _seat: ())
    with pytest.raises(AssertionError, match="no seat can move"):
        next(random_steps(start(stuck, 2, b"stuck"), Rng(b"", 0)))


def test_the_same_seed_plays_the_same_game() -> None:
    plays = [fresh(), fresh()]
    for play in plays:
        list(random_steps(play, Rng(b"hand", 0)))

    assert plays[0].inputs == plays[1].inputs
    assert plays[0].state == plays[1].state
    assert plays[0].is_over


def test_a_private_event_reaches_only_its_seat_and_without_the_field_only() -> None:
    loud, quiet = Happened("drew", Seat(1)), Happened("card", Seat(1), "It is a seven.", only=Seat(1))

    assert events_for((loud, quiet), Seat(1)) == (loud, Happened("card", Seat(1), "It is a seven."))
    assert events_for((loud, quiet), Seat(0)) == (loud,)
    assert events_for((loud, quiet), None) == (loud,)


def test_a_private_event_for_seat_0_does_not_reach_everybody() -> None:
    """In Python 0 counts as false; seat 0 must not be treated so."""
    private = (Happened("card", Seat(0), only=Seat(0)),)

    assert events_for(private, None) == events_for(private, Seat(1)) == ()
    assert events_for(private, Seat(0)) == (Happened("card", Seat(0)),)


def test_seats_go_round_clockwise() -> None:
    assert [clockwise(seat, 3) for seat in all_seats(3)] == [1, 2, 0]
    assert clockwise(Seat(0), 4, -1) == 3
