"""Reflex, the lights: how many, which, when, and who may know."""

import pytest

from photofinish.engine import Rng, Table
from photofinish.engine.playthrough import start
from photofinish.games.reflex import GAME
from photofinish.games.reflex.rules import MOST_TICKS, drawn
from photofinish.games.reflex.state import Flash, ReflexOptions
from tests.games.promises import clocks_alone
from tests.games.reflex.lights import EAST, NORTH, game, lit, press


@pytest.mark.parametrize("flashes", [1, 7])
def test_X1_a_game_has_as_many_lights_as_the_option_says_with_a_dark_before_each(flashes: int) -> None:
    play = start(GAME, 2, b"row", ReflexOptions(flashes=flashes))
    lights = []
    while not play.is_over:
        assert play.state.phase == "dark"
        lights.append(lit(play).light)
        press(play, NORTH, EAST)

    assert [it.flash for it in lights if it is not None] == list(range(1, flashes + 1))


def test_X2_red_lights_are_as_frequent_as_the_option_says_and_absent_by_default() -> None:
    def reds(percent: int) -> int:
        state = GAME.setup(Table(1, ReflexOptions(flashes=500, stop_percent=percent)), Rng(b"signs", 0))
        return sum(it.sign == "stop" for it in state.pile)

    assert reds(0) == 0
    assert 90 < reds(25) < 160
    assert ReflexOptions().stop_percent == 0


def test_X3_the_dark_lasts_the_gap_on_average_and_is_hard_to_tell() -> None:
    pauses = []
    for number in range(400):
        play = start(GAME, 2, b"pause %d" % number, ReflexOptions(gap_ms=800))
        passed = 0
        while play.state.phase == "dark":
            due = play.next_clock()
            assert due is not None
            passed += due[1]
            play.wait()
        pauses.append(passed)

    assert min(pauses) == 400 + 100
    assert max(pauses) <= 400 + MOST_TICKS * 100
    assert 740 < sum(pauses) / len(pauses) < 860
    assert max(pauses.count(it) for it in set(pauses)) < 0.35 * len(pauses)


def test_X3_the_light_comes_at_the_sixteenth_tick_at_the_latest() -> None:
    ticks = [drawn(ReflexOptions(), Rng(b"ticks", number)).ticks for number in range(3000)]

    assert max(ticks) == MOST_TICKS == 16
    assert min(ticks) == 1


def test_X4_the_same_seed_gives_the_same_lights_whatever_is_played() -> None:
    lazy, eager = (start(GAME, 2, b"duplicate", ReflexOptions(flashes=6, stop_percent=50)) for _ in range(2))
    lights: list[list[tuple[int, str]]] = [[], []]
    for play, found in zip((lazy, eager), lights, strict=True):
        while not play.is_over:
            if play is eager and play.state.phase == "dark" and not play.state.out:
                press(play, NORTH)  # one step more in every dark
            play.wait()
            if play.state.phase == "lit":
                found.append((play.state.pile[0].ticks, play.state.pile[0].sign))

    assert lights[0] == lights[1]
    assert len(lights[0]) == 6


def test_X4_a_view_holds_no_light_to_come() -> None:
    one = game(2, Flash(3, "go"), Flash(9, "stop"))
    other = game(2, Flash(7, "stop"), Flash(1, "go"))

    assert GAME.view(one.state, NORTH) == GAME.view(other.state, NORTH)
    assert GAME.timers(one.state) == GAME.timers(other.state)


def test_X10_a_green_light_at_which_nobody_presses_is_nobodys() -> None:
    play = game(2)
    lit(play)
    play.wait()

    assert play.state.winners == (None,)
    assert play.state.points == (0, 0)
    assert [it.what for it in play.state.last] == ["missed"]


def test_X11_the_most_points_win_and_equal_seats_share_the_win() -> None:
    play = game(3, *(Flash(1, "go") for _ in range(3)), all_press=False)
    for seat in (EAST, NORTH, EAST):
        lit(play)
        press(play, seat)
    outcome = GAME.outcome(play.state)
    assert outcome is not None
    assert outcome.winners == (EAST,)
    assert GAME.scores(play.state) == (1, 2, 0)

    play = game(3, Flash(1, "go"), Flash(1, "go"), all_press=False)
    for seat in (EAST, NORTH):
        lit(play)
        press(play, seat)
    outcome = GAME.outcome(play.state)
    assert outcome is not None
    assert outcome.winners == (NORTH, EAST)


def test_X11_nobody_wins_a_game_in_which_nobody_has_more_than_0_points() -> None:
    play = game(2)
    press(play, EAST)
    clocks_alone(play, 200)
    outcome = GAME.outcome(play.state)

    assert outcome is not None
    assert outcome.winners == ()
    assert play.state.points == (0, -1)
