"""Reflex, the lights: their number, their colours, their times, and what a viewer may know of them."""

from collections import Counter

import pytest

from photofinish.engine import Expired, Rng, TableSetup
from photofinish.engine.convert import pack, unpack_state
from photofinish.engine.playthrough import start
from photofinish.games.reflex import GAME
from photofinish.games.reflex.rules import MOST_SPANS
from photofinish.games.reflex.state import ReflexOptions
from tests.games.leaks import public
from tests.games.promises import clocks_alone
from tests.games.reflex.lights import EAST, NORTH, game, light, lit, press
from tests.room.bench import Bench


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
        state = GAME.setup(TableSetup(1, ReflexOptions(flashes=500, stop_percent=percent)), Rng(b"signs", 0))
        return sum(it.sign == "stop" for it in state.pile)

    assert reds(0) == 0
    assert 90 < reds(25) < 160
    assert ReflexOptions().stop_percent == 0


def darks(gap_ms: int, games: int) -> list[int]:
    """How long the first dark of this many games lasts."""
    pauses = []
    for number in range(games):
        play = start(GAME, 2, b"pause %d" % number, ReflexOptions(flashes=1, gap_ms=gap_ms))
        passed = 0
        while play.state.phase == "dark":
            due = play.next_clock()
            assert due is not None
            passed += due[1]
            play.wait()
        pauses.append(passed)
    return pauses


def test_X3_the_dark_lasts_the_gap_on_average_and_ends_in_the_sixteenth_span_at_the_latest() -> None:
    pauses = darks(800, 3000)

    assert 450 <= min(pauses) < 460
    assert 450 + 15 * 100 < max(pauses) < 450 + MOST_SPANS * 100
    assert 770 < sum(pauses) / len(pauses) < 830


def test_X3_no_moment_of_the_dark_is_much_more_likely_than_the_next() -> None:
    """Counting does not help: each 20 ms of the first span have 5 % of the lights."""
    pauses = darks(800, 3000)
    share = Counter((it - 450) // 20 for it in pauses)

    assert max(share.values()) < 0.08 * len(pauses)
    first_ticks = sum(it % 100 < 10 for it in pauses) / len(pauses)
    assert 0.07 < first_ticks < 0.13


@pytest.mark.parametrize("gap_ms", [40, 2_000])
def test_X3_nobody_sees_a_clock_in_the_dark_and_nothing_is_sent_before_the_light(gap_ms: int) -> None:
    bench = Bench(GAME, 2, {"flashes": 2, "gap_ms": gap_ms})
    seats = bench.start(2)
    everybody = [*seats, bench.watch("Eve")]
    for session in everybody:
        assert bench.view(session).view.phase == "dark"
        assert bench.view(session).clocks == ()
    frames = {session: len(bench.heard[session]) for session in everybody}
    views = {session: len(bench.views[session]) for session in everybody}
    bench.wait(gap_ms * 9 // 16 * 1000)

    assert {session: len(bench.heard[session]) for session in everybody} == frames
    assert {session: len(bench.views[session]) for session in everybody} == views
    while bench.view(seats[0]).view.phase == "dark":
        assert {session: len(bench.views[session]) for session in everybody} == views
        bench.wait(1000)

    assert [it.key for it in bench.view(seats[0]).clocks] == ["window:1"]


def test_X3_a_false_start_does_not_show_how_long_the_dark_still_is() -> None:
    short, long = (game(2, light("go", dark_ms)) for dark_ms in (600, 1900))
    press(short, EAST)
    press(long, EAST)

    assert GAME.view(short.state, NORTH) == GAME.view(long.state, NORTH)
    assert [it.hidden for it in GAME.timers(short.state)] == [True]


def test_X3_a_game_that_began_by_the_rules_of_version_1_goes_on_in_ticks() -> None:
    state = GAME.setup(TableSetup(2, ReflexOptions(gap_ms=800), rules=1), Rng(b"old", 0))
    assert max(it.ticks for it in state.pile) > 1
    (first,) = GAME.timers(state)
    assert (first.key, first.after, first.hidden) == ("dark:1:0", 500, False)
    for _ in range(state.pile[0].ticks):
        (timer,) = GAME.timers(state)
        state = GAME.apply(state, Expired(timer.key), Rng(b"old", 1))

    assert state.phase == "lit"
    assert unpack_state(GAME, pack(state)) == state
    assert GAME.resample(state, NORTH, Rng(b"other", 0)).pile[0] == state.pile[0]


def test_X4_the_same_seed_gives_the_same_lights_whatever_is_played() -> None:
    lazy, eager = (start(GAME, 2, b"duplicate", ReflexOptions(flashes=6, stop_percent=50)) for _ in range(2))
    lights: list[list[tuple[int, str]]] = [[], []]
    for play, found in zip((lazy, eager), lights, strict=True):
        while not play.is_over:
            if play is eager and play.state.phase == "dark" and not play.state.out:
                press(play, NORTH)  # one step more in every dark
            play.wait()
            if play.state.phase == "lit":
                found.append((play.state.pile[0].dark_ms, play.state.pile[0].sign))

    assert lights[0] == lights[1]
    assert len(lights[0]) == 6


def test_X4_a_view_holds_no_light_to_come() -> None:
    one = game(2, light("go", 600), light("stop", 900))
    other = game(2, light("stop", 1700), light("go", 800))

    assert GAME.view(one.state, NORTH) == GAME.view(other.state, NORTH)
    assert public(GAME, one.state) == public(GAME, other.state)


def test_X10_a_green_light_that_no_seat_presses_has_no_winner() -> None:
    play = game(2)
    lit(play)
    play.wait()

    assert play.state.winners == (None,)
    assert play.state.points == (0, 0)
    assert [it.what for it in play.state.last] == ["missed"]


def test_X11_the_most_points_win_and_equal_seats_share_the_win() -> None:
    play = game(3, *(light("go") for _ in range(3)), all_press=False)
    for seat in (EAST, NORTH, EAST):
        lit(play)
        press(play, seat)
    outcome = GAME.outcome(play.state)
    assert outcome is not None
    assert outcome.winners == (EAST,)
    assert GAME.scores(play.state) == (1, 2, 0)

    play = game(3, light("go"), light("go"), all_press=False)
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
