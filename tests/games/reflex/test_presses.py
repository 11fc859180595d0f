"""Reflex, the presses: first, late, wrong, too early."""

from photofinish.games.reflex import GAME
from tests.games.reflex.lights import EAST, NORTH, SOUTH, game, light, lit, press, refused, words


def test_X5_a_light_opens_a_race_for_all_seats_that_are_not_out() -> None:
    play = game(3)
    press(play, EAST)
    assert GAME.race(play.state) is None

    state = lit(play)
    race = GAME.race(state)
    assert race is not None
    assert race.seats == (NORTH, SOUTH)
    assert race.key == "flash:1"


def test_X6_the_first_press_wins_the_light_and_a_point() -> None:
    play = game(3, all_press=False)
    lit(play)
    state = press(play, EAST)

    assert state.winners == (EAST,)
    assert state.points == (0, 1, 0)
    assert words(state) == ["pressed"]


def test_X6_a_seat_presses_once_per_light() -> None:
    play = game(3)
    lit(play)
    state = press(play, EAST)

    assert refused(state, EAST) == "X6"
    assert GAME.offers(state, EAST) == ()


def test_X7_the_light_stays_on_until_all_have_pressed_and_their_order_is_shown() -> None:
    play = game(3)
    lit(play)
    state = press(play, SOUTH, NORTH)
    assert state.phase == "lit"
    assert state.pressed == (SOUTH, NORTH)
    assert state.last[0].detail == {"place": 2}

    state = press(play, EAST)
    assert state.phase == "dark"
    assert state.winners == (SOUTH,)
    assert state.points == (0, 0, 1)


def test_X7_the_table_waits_for_those_who_have_not_pressed_and_not_longer_than_the_window() -> None:
    play = game(3, window_ms=700)
    lit(play)
    press(play, SOUTH)
    (clock,) = GAME.timers(play.state)
    assert clock.waits_for == (NORTH, EAST)
    assert clock.after == 700

    play.wait()
    assert play.state.phase == "dark"
    assert play.state.winners == (SOUTH,)


def test_X8_a_press_in_the_dark_costs_points_and_the_next_light() -> None:
    play = game(3, false_start_cost=2)
    state = press(play, EAST)
    assert state.points == (0, -2, 0)
    assert state.false_starts == (0, 1, 0)
    assert words(state) == ["false_start"]
    assert refused(state, EAST) == "X8"

    state = lit(play)
    assert refused(state, EAST) == "X8"
    assert GAME.offers(state, EAST) == ()
    state = press(play, NORTH, SOUTH)
    assert state.out == ()
    assert GAME.offers(lit(play), EAST) != ()


def test_X8_if_all_are_out_the_light_comes_and_goes_at_once() -> None:
    play = game(1, light("go"), light("go"))
    press(play, NORTH)
    play.wait()

    assert words(play.state) == ["lit", "missed"]
    assert play.state.winners == (None,)
    assert play.state.phase == "dark"


def test_X9_a_press_at_red_costs_points_and_nobody_wins_that_light() -> None:
    play = game(2, light("stop"), light("go"), all_press=False)
    lit(play)
    state = press(play, EAST)
    assert state.phase == "lit"
    assert state.wrong == (0, 1)
    assert state.points == (0, -1)

    state = press(play, NORTH)
    assert state.phase == "dark"
    assert state.winners == (None,)


def test_X9_a_red_light_ends_with_its_window_and_the_table_waits_for_nobody() -> None:
    play = game(2, light("stop"), light("go"))
    lit(play)
    (clock,) = GAME.timers(play.state)
    assert clock.waits_for == ()
    play.wait()

    assert words(play.state) == ["held_back"]
    assert play.state.points == (0, 0)


def test_X8_the_button_is_offered_in_the_dark_as_a_risk_and_at_green_as_the_answer() -> None:
    play = game(2)
    (dark,) = GAME.offers(play.state, NORTH)
    (green,) = GAME.offers(lit(play), NORTH)

    assert (dark.risky, dark.awaited) == (True, False)
    assert (green.risky, green.awaited) == (False, True)


def test_X11_a_press_after_the_end_is_refused() -> None:
    play = game(1, light("go"))
    lit(play)

    assert refused(press(play, NORTH), NORTH) == "X11"
