"""The Rune Market R37–R41: the end, ties, and scissors, stone, paper."""

import pytest

from photofinish.engine import Act, Rng, replace
from photofinish.engine.playthrough import start
from photofinish.games.rune_market.moves import Sign, Throw
from tests.games.leaks import TwoWorlds, unlike
from tests.games.rune_market.stall import (
    BLUE,
    GAME,
    RED,
    THIEF,
    Boat,
    E,
    Main,
    N,
    S,
    W,
    blue,
    keys,
    market,
    num,
    offered,
    own,
    play,
    red,
    refused,
    wait,
    whats,
)

LAST = (1, 0, 5, 5)


def sell_last(*hands, holdings=(), **more):
    """North buys the last rune of the market."""
    hands = ((num(5), *(hands[0] if hands else ())), *hands[1:])
    state = market(*hands, holdings=holdings, piles=LAST, **more)
    return play(state, N, "buy_rune", cards=[num(5)], colour="red", into="loose")


def test_R37_the_game_ends_at_once_when_the_last_rune_leaves_the_market():
    state = sell_last((num(2), num(3)))

    assert GAME.outcome(state).winners == (N,)
    assert GAME.timers(state) == ()
    assert GAME.offers(state, N) == GAME.offers(state, E) == ()
    assert refused(state, N, "end_turn") == "R37"


def test_R37_it_ends_in_the_middle_of_an_interest():
    holding = own(red=red(1), blue=blue(1))
    state = market((num(4), num(2)), holdings=[holding], due_red=1, due_blue=1, piles=LAST)
    state = play(state, N, "collect", red=1, blue=0)

    assert GAME.outcome(state).winners == (N,)
    by_clock = wait(market((num(4), num(2)), holdings=[holding], due_red=1, piles=LAST), "turn:0")
    assert GAME.outcome(by_clock).winners == (N,)
    assert by_clock.hands[N] == (num(4), num(2))


def test_R37_one_colour_that_has_run_out_does_not_end_the_game():
    state = market((num(5), num(2)), piles=(1, 1, 5, 5))
    state = play(state, N, "buy_rune", cards=[num(5)], colour="red")

    assert GAME.outcome(state) is None


def test_R38_points_are_runes_and_boats_less_bandits_in_own_shelters():
    rich = own(red=red(3, boat=True), blue=Main(BLUE[0], 2, bandit=E), boat1=None, loose_red=1, loose_blue=1)
    state = market((RED[1], num(2)), holdings=[rich, own(boat1=Boat("red", 2), boat2=Boat())])

    assert GAME.scores(state) == (7, 4) == GAME.view(state, None).points
    state = sell_last((num(2),), holdings=[own(), own(loose_blue=2)])
    assert GAME.outcome(state).winners == (E,)
    assert GAME.outcome(state).why == "most points"


def test_R39_a_tie_goes_to_more_boats():
    state = sell_last((num(10),), (num(1),), holdings=[own(loose_red=1), own(boat1=Boat("red", 1))])

    assert GAME.outcome(state).winners == (E,)
    assert GAME.outcome(state).why == "more boats"
    assert state.open_hands == ()


def test_R39_then_to_fewer_bandits():
    state = sell_last((num(10),), (num(1),), holdings=[own(red=red(2, bandit=E)), own(loose_blue=2)])

    assert GAME.outcome(state).winners == (E,)
    assert GAME.outcome(state).why == "fewer bandits"


def test_R39_then_to_the_highest_number_card_for_which_the_tied_hands_are_shown():
    hands = ((num(8), THIEF[0]), (num(9), num(1)), (num(10),))
    state = sell_last(*hands, holdings=[own(), own(loose_blue=1), own()])

    assert GAME.outcome(state).winners == (E,)
    shown = GAME.view(state, None).open_hands
    assert [[card.id for card in hand] for hand in shown] == [[num(8), THIEF[0]], [num(9), num(1)], []]
    assert f"'{num(10)}'" not in str(GAME.view(state, N))


def test_R39_a_sale_without_a_number_card_counts_as_nothing():
    state = sell_last((THIEF[0],), (num(1),), holdings=[own(), own(loose_blue=1)])

    assert GAME.outcome(state).winners == (E,)


def tie(*seats, **more):
    """A tie down to the throws, among these seats of four."""
    hands = [(num(7, 1),), (num(7, 2),), (num(7, 3),), (THIEF[0],)]
    held = [own(loose_blue=1 if seat in seats else 0) for seat in range(4)]
    held[N] = own(loose_blue=0)
    state = sell_last(*hands, holdings=held, **more)
    assert state.throwing.tied == seats
    return state


def throws(state, *signs):
    for seat, sign in zip(state.throwing.tied, signs, strict=True):
        state = play(state, seat, "throw", sign=sign)
    return state


def test_R40_tied_seats_throw_in_secret_and_the_signs_are_shown_together():
    state = play(tie(N, E, S), N, "throw", sign="stone")

    assert GAME.outcome(state) is None
    for viewer in (E, S, W, None):
        view = GAME.view(state, viewer)
        assert view.tie.has_thrown == (True, False, False, False)
        assert view.tie.your_sign is None
        assert "stone" not in str(view)
    assert GAME.view(state, N).tie.your_sign == "stone"
    assert {GAME.resample(state, E, Rng(b"%d" % n, 0)).throwing.signs[N] for n in range(30)} == {
        "scissors", "stone", "paper",
    }  # fmt: skip
    state = play(play(state, E, "throw", sign="stone"), S, "throw", sign="paper")
    assert GAME.view(state, W).tie.revealed == ("stone", "stone", "paper", None)
    assert GAME.view(state, W).tie.points == (0, 0, 1, 0)


def test_R40_only_tied_seats_throw_and_each_once():
    state = play(tie(N, E), N, "throw", sign="stone")

    assert refused(state, N, "throw", sign="paper") == "R40"
    assert refused(state, W, "throw", sign="paper") == "R40"
    assert refused(state, E, "end_turn") == "R40"
    assert refused(market((num(4),)), N, "throw", sign="paper") == "R40"
    assert offered(state, E) == {"throw"}
    assert offered(state, N) == offered(state, W) == set()


@pytest.mark.parametrize("signs", [("stone", "stone", "stone"), ("stone", "paper", "scissors")])
def test_R40_a_throw_counts_only_if_exactly_two_signs_appear(signs):
    assert throws(tie(N, E, S), *signs).throwing.points == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("winner", "loser"), [("scissors", "paper"), ("stone", "scissors"), ("paper", "stone")]
)
def test_R40_the_first_with_two_points_wins(winner, loser):
    state = throws(tie(N, E), loser, winner)
    assert state.throwing.points == (0, 1, 0, 0)
    state = throws(throws(state, winner, loser), loser, winner)

    assert GAME.outcome(state).winners == (E,)
    assert "throw" in whats(state)
    shown = GAME.view(state, None).tie  # the throw that decided it stays on the table
    assert (shown.revealed, shown.points) == ((loser, winner, None, None), (1, 2, 0, 0))


def test_R40_a_finished_game_and_a_continuing_one_differ_only_in_the_shown_signs():
    """The leak proof must see that the throw itself was revealed."""
    state = play(throws(tie(N, E), "stone", "paper"), N, "throw", sign=Sign.SCISSORS)
    other = replace(state, throwing=replace(state.throwing, signs=(Sign.STONE, None, None, None)))
    assert unlike(GAME, E, state, other) is None
    worlds = TwoWorlds(GAME, E, state, other)

    assert worlds.step(Act(E, Throw(Sign.PAPER)), E, b"", 0) is None
    assert [GAME.outcome(it) is None for it in (worlds.state, worlds.other)] == [True, False]
    assert not worlds.open


def test_R40_if_several_reach_two_the_others_drop_out_and_those_begin_again():
    state = throws(tie(N, E, S), "stone", "stone", "scissors")
    state = throws(state, "paper", "paper", "stone")

    assert state.throwing.tied == (N, E)
    assert state.throwing.points == (0, 0, 0, 0)
    assert refused(state, S, "throw", sign="stone") == "R40"


def test_R41_after_the_last_throw_the_seats_still_in_share_the_win():
    state = tie(N, E, S, options={"max_throws": 2})
    state = throws(throws(state, "stone", "stone", "stone"), "paper", "paper", "stone")

    assert GAME.outcome(state).winners == (N, E, S)


def test_R41_a_throw_that_wins_counts_though_it_is_the_last():
    state = tie(N, E, options={"max_throws": 2})
    state = throws(throws(state, "stone", "paper"), "stone", "paper")

    assert GAME.outcome(state).winners == (E,)


def test_a_seat_that_does_not_throw_in_time_throws_at_random():
    state = tie(N, E)
    assert keys(state) == ["throw:0:0", "throw:0:1"]

    signs = {wait(state, "throw:0:1", seed=b"%d" % n).throwing.signs[E] for n in range(30)}
    assert signs == {"scissors", "stone", "paper"}


@pytest.mark.parametrize("seats", [2, 5])
def test_a_table_that_everybody_has_left_comes_to_an_end(seats):
    table = start(GAME, seats, b"left")
    steps = 0
    while table.wait():
        steps += 1

    assert table.is_over
    assert steps >= 10 * seats
