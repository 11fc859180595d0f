"""The call, the end of a round and of the game, clause by clause (C24 to C28)."""

import pytest

from photofinish.engine import Seat, replace
from photofinish.games.cambio import GAME
from photofinish.games.cambio.state import Call, CambioOptions, Decline, Discard, Draw, Ready
from tests.games.cambio.boards import (
    board,
    discard,
    do,
    draw,
    giving,
    keep,
    peeking_yours,
    racing,
    refused,
    run_out,
    seen,
    slap,
    slapping,
    swapping,
    whats,
)

HANDS = ("y1_1 y2_1", "y5_1 y6_1", "y9_1 y10_1")


def last_turns(state, *seats):
    for seat in seats:
        state = discard(draw(state, seat), seat)
    return run_out(state, "race")


def test_C24_cambio_is_called_at_the_start_of_ones_own_turn_by_one_seat_per_round():
    state = board(*HANDS)
    refused(state, 1, Call(), "C24")
    refused(draw(state, 0), 0, Call(), "C24")
    state = do(state, 0, Call())

    assert state.caller == 0
    assert GAME.view(state, None).caller == 0
    refused(state, 1, Call(), "C24")
    assert "call" not in {it.move for it in GAME.offers(state, Seat(1))}


def test_C25_every_other_seat_has_one_more_turn_then_the_round_ends():
    state = do(board(*HANDS, main="energy_1 energy_2"), 0, Call())
    state = discard(draw(state, 1), 1)
    assert state.turn == 2
    state = discard(draw(state, 2), 2)
    assert state.turn is None
    assert state.phase == "turn"
    state = run_out(state, "race")

    assert state.phase == "scored"
    assert state.last[-1].detail["why"] == "called"


def test_C25_the_last_action_and_the_last_gift_are_waited_for():
    state = do(board("y1_1 y2_1", "y5_1 energy_2", main="peek_mine_1"), 0, Call())
    state = run_out(discard(draw(state, 1), 1), "race")
    assert state.phase == "turn"
    assert do(state, 1, Decline("action")).phase == "scored"

    state = racing("y1_1 y2_1", "y7_2 y5_1", "y8_1 y9_1", discard="y7_1", turn=None, caller=Seat(0), opener=2)
    state = run_out(slap(state, 2, 1, 0), "race")
    assert state.phase == "turn"
    assert do(state, 2, Decline("gift")).phase == "scored"


def test_C25_nobody_touches_the_callers_cards():
    state = do(board(*HANDS, main="red_king_1"), 0, Call())
    state = discard(draw(state, 1), 1)

    refused(state, 1, peeking_yours(state, 0, 0), "C25")
    refused(state, 1, swapping(state, (0, 0), (1, 0)), "C25")
    refused(state, 1, slapping(state, 0, 0), "C23")
    refused(state, 0, slapping(state, 0, 0), "C23")
    for seat in range(3):
        rows = [
            choice.rows
            for it in GAME.offers(state, Seat(seat))
            if it.move in {"slap", "peek_yours"}
            for choice in it.choices
        ]
        assert all(row[0] != 0 for part in rows for row in part)


def test_C25_the_caller_may_still_slap_but_gives_nothing():
    state = racing(*HANDS, discard="b5_1", opener=2, turn=1, caller=Seat(0))
    state = slap(state, 0, 1, 0)

    assert state.race.winner == 0
    assert state.gifts == ()
    assert draw(state, 1).drawn is not None


def test_C26_the_round_ends_at_once_when_a_seat_has_no_cards():
    state = racing("y7_2", "y5_1 y6_1", discard="y7_1", opener=1, turn=0)
    state = slap(state, 0, 0, 0)

    assert state.phase == "scored"
    assert state.last[-1].detail["why"] == "no_table_cards"
    assert state.sheet == ((0, 11),)


def test_C26_it_waits_while_a_gift_to_that_seat_is_open():
    before = racing("y7_2", "y5_1 y6_1", discard="y7_1", opener=0, turn=1)
    state = slap(before, 1, 0, 0)
    assert state.phase == "turn"
    given = do(state, 1, giving(state, 1, 0, state.gifts[0].to))

    assert given.phase == "turn"
    assert do(state, 1, Decline("gift")).phase == "scored"
    assert run_out(state, "give").phase == "scored"


def test_C26_giving_away_ones_last_card_ends_it():
    state = slap(racing("y7_2 y3_1", "y5_1", discard="y7_1", opener=0, turn=1), 1, 0, 0)
    state = do(state, 1, giving(state, 1, 0, state.gifts[0].to))

    assert state.phase == "scored"
    assert state.sheet == ((8, 0),)


def test_C26_a_seat_that_gets_nothing_from_the_caller_ends_the_round_too():
    state = racing(*HANDS[:2], "y7_2", discard="y7_1", opener=2, turn=1, caller=Seat(0))

    assert slap(state, 0, 2, 0).phase == "scored"


@pytest.mark.parametrize(
    ("hands", "scored"),
    [
        (("y1_1 y2_1", "y5_1 y6_1", "red_king_1 y10_1"), (-2, 11, 8)),
        (("y9_1 y2_1", "y5_1 y5_2", "blue_king_1 y10_1"), (16, 10, 23)),
        (("y5_1 y6_1", "y5_2 y6_2", "y10_1 y10_2"), (6, 11, 20)),
    ],
)
def test_C27_the_caller_scores_five_less_if_nobody_has_fewer_and_five_more_otherwise(hands, scored):
    state = last_turns(do(board(*hands, main="energy_1 energy_2"), 0, Call()), 1, 2)

    assert state.sheet == (scored,)
    assert state.totals == scored
    assert GAME.scores(state) == scored
    assert len(seen(state, None)) == 6


def test_C27_the_bonus_holds_when_the_round_ended_for_want_of_cards():
    state = slap(racing("y1_1", "y7_2", "y3_1", discard="y7_1", opener=2, turn=1, caller=Seat(0)), 1, 1, 0)

    assert state.sheet == ((6, 0, 3),)


def test_C27_the_cards_lie_open_until_all_are_ready_and_nobody_plays():
    state = last_turns(do(board(*HANDS, main="energy_1 energy_2"), 0, Call()), 1, 2)
    refused(state, 0, Draw("main"), "C27")
    refused(state, 1, Discard(), "C27")
    refused(state, 1, slapping(state, 1, 0), "C27")
    for seat in range(3):
        assert state.round == 1
        state = do(state, seat, Ready())

    assert (state.phase, state.round, state.caller, state.race) == ("look", 2, None, None)


def test_C28_the_game_ends_when_a_total_has_reached_the_target_and_the_fewest_points_win():
    state = board(*HANDS, main="energy_1 energy_2", totals=(20, 5, 31))
    state = last_turns(do(state, 0, Call()), 1, 2)

    assert state.totals == (18, 16, 50)
    assert GAME.outcome(state).winners == (1,)
    assert GAME.timers(state) == ()
    assert all(GAME.offers(state, Seat(seat)) == () for seat in range(3))
    refused(state, 0, Ready(), "C28")
    refused(state, 0, Draw("main"), "C28")
    assert len(seen(state, None)) == 6
    assert "game_ended" in whats(state)


def test_C28_one_point_below_the_target_another_round_is_played():
    state = board(*HANDS, main="energy_1 energy_2", totals=(20, 5, 30))

    assert last_turns(do(state, 0, Call()), 1, 2).phase == "scored"


def test_C28_equal_totals_share_the_win_and_a_host_sets_the_target():
    options = CambioOptions(target_points=11)
    state = board("y1_1 y2_1", "y5_1 y6_1", "y5_2 y6_2", main="energy_1 energy_2", options=options)
    state = replace(state, totals=(13, 0, 0))
    state = last_turns(do(state, 0, Call()), 1, 2)

    assert state.totals == (11, 11, 11)
    assert GAME.outcome(state).winners == (0, 1, 2)


def test_a_call_ends_the_freeze_for_those_after_the_caller():
    """C17: the pile is frozen for the next seat, and calling is that seat's turn."""
    state = slap(racing(*HANDS, discard="b10_1", turn=1), 2, 2, 1)
    state = do(state, 1, Call())

    assert keep(draw(state, 2, "discard"), 2, 0).turn == 0
