"""Slaps and gifts, clause by clause (C17 to C23)."""

import pytest

from photofinish.engine import Seat, all_seats, move_name
from photofinish.games.cambio import GAME
from photofinish.games.cambio.state import Call, CambioOptions, Decline, Draw, Place, Slap
from tests.games.cambio.boards import (
    at,
    board,
    card,
    discard,
    do,
    draw,
    giving,
    hand,
    keep,
    racing,
    refused,
    run_out,
    seen,
    slap,
    slapping,
    whats,
)

SEVENS = ("y1_1 y7_1 y3_1", "b7_1 y2_1 y8_1", "y7_2 y9_1 b9_1")
DECLINE = Decline("gift")


def sevens(**more):
    """Everybody holds a seven, and a seven has just been discarded."""
    return racing(*SEVENS, discard="y7_3", **more)


def test_C17_a_race_opens_whenever_a_turn_puts_a_card_on_the_discard_pile():
    state = board(*SEVENS, main="energy_1")
    assert GAME.race(state) is None
    for after in (discard(draw(state, 0), 0), keep(draw(state, 0), 0, 1)):
        race = GAME.race(after)

        assert race.seats == all_seats(3)
        assert {move_name(kind) for kind in race.contested} == {"slap"}
        assert race.opener == 0
        assert race.throws == 0
    assert GAME.view(after, None).race.rune == "7"


def test_C17_the_actor_may_slap_too():
    state = slap(keep(draw(board("y7_1 y7_2", "y1_1 y2_1"), 0), 0, 0), 0, 0, 1)

    assert hand(state, 0)[1] is None
    assert state.discard[-1] == "y7_2"


def test_C17_a_correct_slap_freezes_the_pile_for_the_next_seat_alone():
    state = slap(sevens(), 1, 1, 0)
    assert state.frozen
    refused(state, 1, Draw("discard"), "C17")
    state = keep(draw(state, 1), 1, 1)

    assert not state.frozen
    assert draw(state, 2, "discard").drawn.source == "discard"


def test_C17_the_rune_to_match_is_that_of_the_card_that_opened_the_race():
    state = racing("y1_1 y2_1", "blue_king_1 y2_2", "red_king_2 y3_1", discard="red_king_1")
    state = slap(state, 1, 1, 0)
    state = slap(state, 1, 2, 0)

    assert state.discard[-2:] == ("blue_king_1", "red_king_2")


def test_C18_the_first_identical_card_wins_and_its_seat_alone_may_throw_more():
    state = racing("y1_1 y7_1", "b7_1 y2_1", "y7_2 y9_1 y8_1 y10_1", discard="y7_3")
    state = slap(state, 2, 2, 0)
    assert state.race.winner == 2
    state = slap(state, 2, 0, 1)
    late = slap(state, 1, 1, 0)

    assert GAME.race(state).throws == 2
    assert late.race.throws == 2
    assert card(late, 1, 0) == "b7_1"


def test_C18_a_wrong_slap_does_not_win_the_race():
    state = sevens()
    state = slap(state, 0, 0, 0)
    assert state.race.winner is None

    assert slap(state, 2, 2, 0).race.winner == 2


def test_C19_an_own_card_thrown_is_one_card_fewer_and_no_gift():
    state = slap(sevens(), 1, 1, 0)

    assert hand(state, 1) == [None, "y2_1", "y8_1"]
    assert state.gifts == ()
    assert GAME.view(state, None).table[1][0].filled is False


def test_C19_for_another_seats_card_the_winner_may_give_one_of_its_own_face_down():
    before = sevens()
    state = slap(before, 0, 2, 0)
    (gift,) = state.gifts
    assert gift.to == at(state, 2, 0)
    refused(state, 1, giving(state, 1, 1, gift.to), "C19")
    refused(state, 0, giving(state, 0, 0, at(state, 2, 1)), "C19")
    refused(state, 0, giving(before, 0, 0, Place(Seat(2), 0, 1)), "C19")
    state = do(state, 0, giving(state, 0, 0, gift.to))

    assert hand(state, 2) == ["y1_1", "y9_1", "b9_1"]
    assert hand(state, 0) == [None, "y7_1", "y3_1"]
    assert at(state, 2, 0).mark not in {gift.to.mark, at(before, 2, 0).mark}
    assert [seen(state, viewer) for viewer in (None, 0, 1, 2)] == [[], [], [], []]
    assert state.gifts == ()


def test_C19_the_next_draw_or_call_waits_for_open_gifts():
    state = slap(sevens(), 0, 2, 0)
    refused(state, 1, Draw("main"), "C19")
    refused(state, 1, Call(), "C19")
    refused(state, 1, DECLINE, "C19")
    state = do(state, 0, DECLINE)

    assert draw(state, 1).drawn is not None


def test_C19_each_card_is_a_gift_of_its_own_with_its_own_time():
    state = slap(slap(sevens(options=CambioOptions(give_seconds=9)), 0, 2, 0), 0, 1, 0)
    clocks = [it for it in GAME.timers(state) if it.key.startswith("give")]

    assert [(it.after, it.seat) for it in clocks] == [(9000, 0), (9000, 0)]
    assert len({it.key for it in clocks}) == 2
    state = do(state, 0, giving(state, 0, 0, state.gifts[1].to))
    assert hand(state, 1)[0] == "y1_1"
    state = run_out(state, "give")
    assert state.gifts == ()
    assert hand(state, 2)[0] is None


@pytest.mark.parametrize("whose", [0, 2])
def test_C20_a_wrong_card_is_shown_put_back_and_costs_one_penalty_card(whose):
    before = sevens()
    state = slap(before, 0, whose, 2)

    assert [seen(state, viewer) for viewer in (None, 0, 1, 2)] == [[(whose, 2)]] * 4
    assert at(state, whose, 2) == at(before, whose, 2)
    assert len(state.table[0]) == 4
    assert card(state, 0, 3) == before.main[-1]
    assert state.main == before.main[:-1]
    assert state.discard == before.discard
    assert seen(run_out(state, "show"), None) == []


def test_C20_a_seat_throws_the_same_card_only_once_in_a_race():
    state = slap(sevens(), 0, 2, 2)
    refused(state, 0, slapping(state, 2, 2), "C20")
    state = slap(state, 1, 2, 2)

    assert [len(row) for row in state.table] == [4, 4, 3]
    assert seen(state, None) == [(2, 2)]


def test_C21_too_slow_with_an_own_card_does_not_count_and_costs_nothing():
    state = slap(slap(sevens(), 2, 2, 0), 1, 1, 0)

    assert whats(state) == ["late_slap"]
    assert seen(state, None) == [(1, 0)]
    assert hand(state, 1) == ["b7_1", "y2_1", "y8_1"]
    assert state.race.winner == 2


def test_C21_too_slow_with_another_seats_card_costs_a_penalty_card():
    state = slap(slap(sevens(), 2, 2, 0), 1, 0, 1)

    assert whats(state) == ["late_slap", "penalty"]
    assert card(state, 0, 1) == "y7_1"
    assert len(state.table[1]) == 4


def test_C21_the_winner_may_throw_the_card_that_came_too_late():
    state = slap(slap(sevens(), 2, 2, 0), 1, 1, 0)
    state = slap(state, 2, 1, 0)

    assert state.discard[-1] == "b7_1"
    assert state.race.throws == 2


def test_C22_the_next_draw_closes_the_race_and_a_later_slap_is_refused():
    state = draw(sevens(), 1)

    assert GAME.race(state) is None
    refused(state, 2, slapping(state, 2, 0), "C22")
    refused(state, 2, slapping(state, 2, 1), "C22")


def test_C22_a_call_closes_the_race_too_and_both_are_ordered_with_the_slaps():
    race = GAME.race(sevens(options=CambioOptions(race_min_ms=800)))

    assert {move_name(kind) for kind in race.closers} == {"draw", "call"}
    assert race.not_before == 800
    assert GAME.race(do(sevens(), 1, Call())) is None


def test_C22_without_a_next_turn_the_race_closes_by_its_clock_and_each_throw_restarts_it():
    state = sevens(turn=None, caller=Seat(1), opener=0)
    first = next(it for it in GAME.timers(state) if it.key.startswith("race"))
    state = slap(state, 2, 2, 0)
    second = next(it for it in GAME.timers(state) if it.key.startswith("race"))

    assert (first.after, first.ends_race, first.seat) == (1500, True, None)
    assert first.key != second.key
    state = run_out(state, "race")
    assert state.phase == "scored"


def test_C22_a_throw_restarts_the_clock_of_the_next_seat():
    before = sevens()
    after = slap(before, 2, 2, 0)
    old, new = (
        next(it for it in GAME.timers(state) if it.key.startswith("turn")) for state in (before, after)
    )

    assert old.key != new.key
    assert old.ends_race
    assert new.ends_race


def test_C23_an_empty_slot_a_changed_card_and_a_callers_card_cannot_be_slapped():
    before = sevens(caller=Seat(1), turn=2)
    state = slap(before, 0, 2, 0)
    refused(state, 2, slapping(before, 2, 0), "C23")
    refused(state, 2, slapping(state, 2, 0), "C23")
    refused(state, 2, slapping(state, 1, 0), "C23")
    refused(state, 1, slapping(state, 1, 0), "C23")
    refused(state, 2, Slap(Seat(2), 1, at(state, 2, 1).mark + 1), "C23")
    refused(state, 2, Slap(Seat(7), 0, 1), "C23")
    refused(state, 2, Slap(Seat(2), 99, 1), "C23")


def test_C23_a_gift_in_the_emptied_slot_is_not_the_card_that_was_aimed_at():
    before = sevens()
    state = slap(before, 0, 2, 0)
    state = do(state, 0, giving(state, 0, 0, state.gifts[0].to))

    refused(state, 1, slapping(before, 2, 0), "C23")


def test_thrown_cards_lie_open_for_a_while_even_under_others():
    """C17 and the table of who sees what: thrown cards are shown for show_seconds."""
    state = racing("y1_1 y2_1", "blue_king_1 red_king_2 y2_2", discard="red_king_1")
    state = slap(slap(state, 1, 1, 0), 1, 1, 1)
    view = GAME.view(state, None)

    assert [face.kind for face in view.discard.thrown] == ["blue_king", "red_king"]
    assert view.discard.top.kind == "red_king"
