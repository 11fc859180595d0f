"""The clocks: what is played for a seat that does not answer."""

import pytest

from photofinish.engine import Expired, Rng, Seat
from photofinish.games.cambio import GAME
from photofinish.games.cambio.state import CambioOptions
from tests.games.cambio.boards import (
    at,
    board,
    discard,
    do,
    draw,
    hand,
    peeking_mine,
    picking,
    racing,
    run_out,
    seen,
    slap,
    whats,
)

HANDS = ("y1_1 y2_1", "- y5_1 y6_1", "y9_1 y10_1")


def clock(state, name):
    return next((it for it in GAME.timers(state) if it.key.startswith(name + ":")), None)


def test_a_missed_turn_is_played_by_drawing_and_discarding():
    state = run_out(board(*HANDS, main="energy_1"), "turn")

    assert state.discard == ("energy_1",)
    assert hand(state, 0) == ["y1_1", "y2_1"]
    assert state.turn == 1
    assert whats(state) == ["missed", "drew", "discarded"]


@pytest.mark.parametrize("kind", ["peek_mine_1", "swap_1", "red_king_1"])
def test_a_missed_turns_action_is_declined(kind):
    state = run_out(board(*HANDS, main=kind), "turn")

    assert state.action is None
    assert "declined" in whats(state)


def test_a_missed_turns_blue_king_shows_the_lowest_slots():
    """C14 cannot be declined."""
    state = run_out(board(*HANDS, main="blue_king_1"), "turn")

    assert seen(state, None) == [(1, 1), (2, 0)]


def test_a_drawn_card_is_discarded_when_the_time_of_the_turn_runs_out():
    before = board(*HANDS, main="energy_1")
    state = draw(before, 0)
    assert clock(state, "turn").key == clock(before, "turn").key
    state = run_out(state, "turn")

    assert state.discard == ("energy_1",)


def test_a_card_taken_from_the_discard_pile_goes_into_the_lowest_slot():
    """C7: it must be exchanged."""
    state = run_out(draw(board("- y1_1 y2_1", *HANDS[1:], discard="b3_1"), 0, "discard"), "turn")
    assert hand(state, 0) == [None, "b3_1", "y2_1"]

    options = CambioOptions(return_discard=True)
    state = run_out(draw(board(*HANDS, discard="b3_1", options=options), 0, "discard"), "turn")
    assert state.discard == ("b3_1",)


def test_an_action_has_a_clock_of_its_own_and_each_part_a_new_one():
    state = discard(draw(board(*HANDS, main="red_king_1"), 0), 0)
    first = clock(state, "action")
    assert (first.after, first.seat) == (30_000, 0)
    state = do(state, 0, peeking_mine(state, 0, 0))
    assert clock(state, "action").key != first.key
    state = run_out(state, "action")

    assert state.action is None


def test_the_blue_kings_clock_picks_the_lowest_slots_of_the_seats_left():
    state = discard(draw(board(*HANDS, main="blue_king_1"), 0), 0)
    state = do(state, 0, picking(state, 2, 1))
    state = run_out(state, "action")

    assert seen(state, None) == [(1, 1), (2, 1)]


def test_C14_all_picks_of_a_blue_king_have_one_clock():
    hands = tuple(f"y{n}_1 b{n}_1" for n in range(1, 9))
    state = discard(draw(board(*hands, main="blue_king_1"), 0), 0)
    first = clock(state, "action")
    for seat in range(1, 7):
        state = do(state, 0, picking(state, seat, 0))
        assert clock(state, "action") == first

    assert run_out(state, "action").action is None


def test_the_next_seats_clock_stands_still_while_it_has_to_wait():
    """C16, C19: it cannot draw, so it loses no time."""
    state = discard(draw(board(*HANDS, main="swap_1"), 0), 0)
    assert clock(state, "turn").running is False
    state = run_out(state, "action")
    assert clock(state, "turn").running is True
    assert clock(state, "turn").seat == 1

    state = slap(racing("y7_2 y1_1", "y2_1 y3_1", discard="y7_1"), 1, 0, 0)
    assert clock(state, "turn").running is False


def test_a_turns_clock_ends_the_race_only_while_one_is_open():
    """C22."""
    state = racing(*HANDS, discard="y7_1")
    assert clock(state, "turn").ends_race is True
    assert clock(draw(state, 1), "turn").ends_race is False


def test_without_turn_seconds_no_turn_clock_runs():
    options = CambioOptions(turn_seconds=0)
    state = board(*HANDS, main="swap_1", options=options)
    assert [it.after for it in GAME.timers(state)] == [None]
    state = discard(draw(state, 0), 0)

    assert all(it.after is None for it in GAME.timers(state))
    assert state.action is not None


def test_a_turn_is_never_shorter_than_the_race():
    """C22: the race stays open for race_min_ms, whatever turn_seconds the host has set."""
    state = racing(*HANDS, discard="y7_1", options=CambioOptions(turn_seconds=1, race_min_ms=5000))

    assert clock(state, "turn").after == 5000


def test_an_expired_clock_that_the_state_does_not_have_is_an_assertion_error():
    with pytest.raises(AssertionError):
        GAME.apply(board(*HANDS), Expired("turn:1"), Rng(b"", 0))


def test_clocks_look_alike_whatever_the_hidden_cards_are():
    state = slap(racing(*HANDS, discard="y9_2"), 2, 2, 0)
    other = GAME.resample(state, Seat(0), Rng(b"other", 0))

    assert other != state
    assert GAME.timers(other) == GAME.timers(state)
    assert at(other, 1, 1) == at(state, 1, 1)
