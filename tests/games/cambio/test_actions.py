"""Action cards, clause by clause (C10 to C16)."""

import pytest

from photofinish.engine import Seat
from photofinish.games.cambio import GAME
from photofinish.games.cambio.state import Call, Decline, Draw, PeekYours, Place, Swap
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
    peeking_mine,
    peeking_yours,
    picking,
    refused,
    run_out,
    seen,
    slap,
    swapping,
    whats,
)

HANDS = ("y1_1 y2_1 y3_1 y4_1", "y5_1 y6_1 y7_1 y8_1", "y9_1 y10_1 b1_1 b2_1")
DECLINE = Decline("action")


def acting(kind, *hands, **changes):
    """Seat 0 has drawn this card and discarded it directly."""
    return discard(draw(board(*(hands or HANDS), main=kind, **changes), 0), 0)


def test_an_action_card_that_is_kept_or_replaced_does_nothing():
    """C10 to C14: only when drawn from the main pile and discarded directly."""
    state = keep(draw(board(*HANDS, main="swap_1"), 0), 0, 0)
    assert state.action is None
    state = keep(draw(board("swap_1 y2_1", *HANDS[1:], main="energy_1"), 0), 0, 0)

    assert state.discard[-1] == "swap_1"
    assert state.action is None


def test_C10_peek_mine_shows_one_own_card_to_its_owner_alone():
    state = acting("peek_mine_1")
    state = do(state, 0, peeking_mine(state, 0, 1))

    assert seen(state, 0) == [(0, 1)]
    assert seen(state, 1) == []
    assert seen(state, None) == []
    assert GAME.view(state, None).looks[0].place == at(state, 0, 1)
    assert state.action is None
    assert seen(run_out(state, "show"), 0) == []


def test_C10_peek_mine_is_for_the_actor_and_its_own_cards():
    state = acting("peek_mine_1")

    refused(state, 1, peeking_mine(state, 1, 0), "C10")
    refused(state, 0, peeking_yours(state, 1, 0), "C11")
    refused(state, 0, swapping(state, (0, 0), (1, 0)), "C12")
    refused(state, 0, picking(state, 1, 0), "C14")
    refused(state, 1, DECLINE, "C10")
    refused(board(*HANDS), 0, DECLINE, "C10")


def test_C11_peek_yours_shows_one_card_of_another_seat():
    state = acting("peek_yours_1")
    refused(state, 0, peeking_yours(state, 0, 1), "C11")
    refused(state, 0, PeekYours(Seat(7), 0, 1), "C11")
    state = do(state, 0, peeking_yours(state, 2, 3))

    assert seen(state, 0) == [(2, 3)]
    assert seen(state, 2) == []
    assert next(it.after for it in GAME.timers(state) if it.key.startswith("show")) == 5000


@pytest.mark.parametrize(("a", "b"), [((0, 1), (2, 3)), ((1, 0), (2, 3)), ((2, 3), (0, 1))])
def test_C12_swap_exchanges_two_cards_of_different_seats_and_nobody_sees_a_face(a, b):
    before = acting("swap_1")
    state = do(before, 0, swapping(before, a, b))

    assert card(state, *a) == card(before, *b)
    assert card(state, *b) == card(before, *a)
    assert at(state, *a).mark != at(before, *a).mark
    assert at(state, *b).mark != at(before, *b).mark
    assert [seen(state, viewer) for viewer in (None, 0, 1, 2)] == [[], [], [], []]
    (event,) = GAME.view(state, None).last
    assert event.detail["moved"][0]["from"] == {"seat": a[0], "slot": a[1], "mark": at(before, *a).mark}
    assert event.detail["moved"][0]["to"] == {"seat": b[0], "slot": b[1], "mark": at(state, *b).mark}


def test_C12_two_cards_of_one_seat_are_never_swapped():
    state = acting("swap_1")
    (swap,) = (it for it in GAME.offers(state, Seat(0)) if it.move == "swap")

    refused(state, 0, swapping(state, (0, 0), (0, 1)), "C12")
    refused(state, 0, swapping(state, (1, 0), (1, 1)), "C12")
    refused(state, 0, Swap(at(state, 0, 0), Place(Seat(1), 0, 1)), "C12")
    assert swap.where == "different_seats"


@pytest.mark.parametrize("kind", ["peek_mine_1", "peek_yours_1", "swap_1", "red_king_1"])
def test_an_action_may_be_declined(kind):
    """C10 to C13: the actor may decline."""
    state = do(acting(kind), 0, DECLINE)

    assert state.action is None
    assert draw(state, 1).drawn is not None


def test_C13_the_red_king_gives_two_actions_of_any_mix():
    state = acting("red_king_1")
    state = do(state, 0, peeking_yours(state, 1, 0))
    assert state.action.left == 1
    refused(state, 1, Draw("main"), "C16")
    state = do(state, 0, swapping(state, (0, 0), (1, 0)))

    assert state.action is None
    assert (card(state, 0, 0), card(state, 1, 0)) == ("y5_1", "y1_1")
    refused(state, 0, peeking_mine(state, 0, 0), "C10")


def test_C13_the_red_king_may_peek_twice_and_may_stop_after_one():
    state = acting("red_king_1")
    state = do(state, 0, peeking_mine(state, 0, 0))
    twice = do(state, 0, peeking_mine(state, 0, 1))

    assert seen(twice, 0) == [(0, 0), (0, 1)]
    assert do(state, 0, DECLINE).action is None


def test_C14_the_blue_king_shows_one_card_of_every_other_seat_together():
    state = acting("blue_king_1")
    refused(state, 0, DECLINE, "C14")
    refused(state, 0, picking(state, 0, 0), "C14")
    state = do(state, 0, picking(state, 2, 1))
    assert seen(state, 0) == []
    refused(state, 0, picking(state, 2, 0), "C14")
    state = do(state, 0, picking(state, 1, 3))

    assert [seen(state, viewer) for viewer in (None, 0, 1, 2)] == [[(1, 3), (2, 1)]] * 4
    assert state.action is None
    (clock,) = (it for it in GAME.timers(state) if it.key.startswith("show"))
    assert clock.after == 3000
    assert seen(run_out(state, "show"), None) == []


def test_C14_a_picked_card_that_a_slap_removes_is_not_replaced():
    state = acting("blue_king_1", "y1_1 y2_1", "red_king_1 y6_1", "y9_1 y10_1")
    state = do(state, 0, picking(state, 1, 0))
    state = slap(state, 1, 1, 0)
    refused(state, 0, picking(state, 1, 1), "C14")
    state = do(state, 0, picking(state, 2, 0))

    assert seen(state, None) == [(2, 0)]


def test_C14_a_gift_in_the_place_of_a_picked_card_is_not_shown():
    state = acting("blue_king_1", "y1_1 y2_1", "red_king_1 y6_1", "y9_1 y10_1")
    state = do(state, 0, picking(state, 1, 0))
    state = slap(state, 2, 1, 0)
    state = do(state, 2, giving(state, 2, 1, state.gifts[0].to))
    state = do(state, 0, picking(state, 2, 0))

    assert hand(state, 1) == ["y10_1", "y6_1"]
    assert seen(state, None) == [(2, 0)]


def test_C14_a_picked_card_that_its_owner_gives_away_stays_picked_and_is_shown_where_it_lies():
    state = acting("blue_king_1", "y1_1 y2_1", "y5_1 y6_1", "red_king_1 y10_1")
    state = slap(state, 1, 2, 0)
    state = do(state, 0, picking(state, 1, 0))
    state = do(state, 1, giving(state, 1, 0, state.gifts[0].to))
    assert GAME.view(state, Seat(0)).action.picks == (at(state, 2, 0),)
    refused(state, 0, picking(state, 1, 1), "C14")
    state = do(state, 0, picking(state, 2, 1))

    assert hand(state, 2) == ["y5_1", "y10_1"]
    assert seen(state, None) == [(2, 0), (2, 1)]


def test_C14_a_card_that_is_given_away_and_then_picked_again_is_shown_once():
    state = acting("blue_king_1", "y1_1 y2_1", "y5_1 y6_1", "red_king_1 y10_1")
    state = slap(state, 1, 2, 0)
    state = do(state, 0, picking(state, 1, 0))
    state = do(state, 1, giving(state, 1, 0, state.gifts[0].to))
    state = do(state, 0, picking(state, 2, 0))

    assert seen(state, None) == [(2, 0)]


def test_C14_a_frozen_seat_is_not_picked_from():
    state = acting("blue_king_1", caller=Seat(2))
    refused(state, 0, picking(state, 2, 0), "C25")
    state = do(state, 0, picking(state, 1, 0))

    assert seen(state, None) == [(1, 0)]


@pytest.mark.parametrize("kind", ["energy_1", "b7_1"])
def test_C15_energy_and_number_cards_have_no_action(kind):
    state = acting(kind)

    assert state.action is None
    assert state.race is not None


def test_C16_the_next_turn_waits_for_the_action_while_the_race_is_open():
    state = acting("peek_mine_1", "y1_1 y2_1", "peek_mine_2 y6_1 y7_1")
    refused(state, 1, Draw("main"), "C16")
    refused(state, 1, Call(), "C16")
    assert {it.move for it in GAME.offers(state, Seat(1))} == {"slap"}
    state = slap(state, 1, 1, 0)
    state = do(state, 0, peeking_mine(state, 0, 0))

    assert draw(state, 1).drawn is not None


def test_C16_a_target_that_a_slap_has_removed_is_refused_and_another_may_be_chosen():
    before = acting("peek_yours_1", "y1_1 y2_1", "peek_yours_2 y6_1 y7_1")
    state = slap(before, 1, 1, 0)
    refused(state, 0, peeking_yours(before, 1, 0), "C11")
    state = do(state, 0, peeking_yours(state, 1, 1))

    assert seen(state, 0) == [(1, 1)]


def test_C16_an_action_without_a_target_lapses():
    two = ("y1_1 y2_1", "y5_1 y6_1")
    for kind in ("peek_yours_1", "swap_1", "blue_king_1"):
        state = acting(kind, *two, caller=Seat(1))
        assert state.action is None
        assert "lapsed" in whats(state)
    assert acting("red_king_1", *two, caller=Seat(1)).action is not None


def test_C16_a_card_that_moves_is_no_longer_looked_at():
    state = acting("red_king_1")
    state = do(state, 0, peeking_mine(state, 0, 0))
    state = do(state, 0, swapping(state, (0, 0), (1, 0)))

    assert seen(state, 0) == []
    assert hand(state, 1)[0] == "y1_1"
