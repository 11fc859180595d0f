"""Setup and turn, clause by clause (C1 to C9)."""

from collections import Counter

import pytest

from photofinish.engine import Rng, Seat, all_seats, clockwise, replace
from photofinish.engine.decks.cards import the_deck
from photofinish.games.cambio import GAME
from photofinish.games.cambio.state import Call, CambioOptions, Discard, Draw, Keep, Ready
from tests.games.cambio.boards import (
    at,
    board,
    card,
    dealt,
    discard,
    do,
    draw,
    hand,
    keep,
    racing,
    refused,
    run_out,
    seen,
    slap,
    whats,
)

NUMBERS = ("y1_1 y2_1 y3_1 y4_1", "y5_1 y6_1 y7_1 y8_1", "y9_1 y10_1 b1_1 b2_1")


def test_C1_all_76_cards_are_shuffled_and_any_seat_may_deal_first():
    dealers = {dealt(3, b"%d" % n).dealer for n in range(40)}
    first, second = dealt(3, b"one"), dealt(3, b"two")
    cards = [*first.main, *(slot.card for row in first.table for slot in row)]

    assert dealers == {0, 1, 2}
    assert Counter(cards) == Counter(the_deck().ids())
    assert first.main != second.main


def test_C1_the_deal_passes_clockwise_each_round():
    state = dealt(3, target_points=500)
    first = state.dealer
    state = run_out(state, "look")
    for _ in range(3):
        seat = state.turn
        state = do(state, seat, Call()) if state.caller is None else discard(draw(state, seat), seat)
        if state.action:
            state = run_out(state, "action")
    state = run_out(run_out(state, "race"), "next")

    assert state.round == 2
    assert state.dealer == clockwise(first, 3)
    assert len(state.main) == 76 - 12


@pytest.mark.parametrize("seats", GAME.seats)
def test_C2_every_seat_gets_four_cards_and_the_discard_pile_starts_empty(seats):
    state = dealt(seats)

    assert [len(row) for row in state.table] == [4] * seats
    assert len(state.main) == 76 - 4 * seats
    assert state.discard == ()


def test_C3_each_seat_sees_its_bottom_row_until_it_is_ready():
    state = dealt(3)

    assert seen(state, 1) == [(1, 2), (1, 3)]
    assert seen(state, None) == []
    state = do(state, 1, Ready())
    assert seen(state, 1) == []
    assert seen(state, 2) == [(2, 2), (2, 3)]
    refused(state, 1, Ready(), "C3")


def test_C3_nobody_plays_before_all_have_looked_and_nothing_is_shown_again_after_it():
    state = dealt(3)
    refused(state, state.dealer, Draw("main"), "C3")
    refused(state, state.dealer, Call(), "C3")
    for seat in all_seats(3):
        state = do(state, seat, Ready())

    assert state.phase == "turn"
    assert [seen(state, viewer) for viewer in (None, 0, 1, 2)] == [[], [], [], []]
    refused(state, 0, Ready(), "C3")


def test_C3_the_look_ends_when_its_time_runs_out():
    state = dealt(4, look_seconds=7)
    (clock,) = GAME.timers(state)
    state = run_out(state, "look")

    assert (clock.after, clock.seat) == (7000, None)
    assert state.phase == "turn"
    assert seen(state, 0) == []


def test_C4_the_dealer_takes_the_first_turn_and_turns_go_clockwise():
    state = run_out(dealt(3, turn_seconds=0), "look")
    turns = []
    for _ in range(4):
        seat = state.turn
        turns.append(seat)
        state = keep(draw(state, seat), seat, 0)

    assert turns == [clockwise(state.dealer, 3, n) for n in range(4)]


def test_C5_only_the_seat_whose_turn_it_is_may_draw_and_only_once():
    state = board(*NUMBERS, main="energy_1", discard="b9_1")
    refused(state, 1, Draw("main"), "C5")
    state = draw(state, 0)

    assert state.drawn.card == "energy_1"
    refused(state, 0, Draw("main"), "C5")
    refused(state, 0, Call(), "C24")


def test_C5_the_drawer_alone_sees_a_card_from_the_main_pile():
    state = draw(board(*NUMBERS, main="energy_1"), 0)
    faces = [GAME.view(state, viewer).drawn.face for viewer in (None, *all_seats(3))]

    assert [face and face.kind for face in faces] == [None, "energy", None, None]


def test_C5_everybody_sees_which_card_is_taken_from_the_discard_pile():
    state = draw(board(*NUMBERS, discard="b9_1 b8_1"), 0, "discard")

    assert all(GAME.view(state, viewer).drawn.face.rune == "9" for viewer in (None, 0, 1, 2))
    assert GAME.view(state, None).discard.top.rune == "8"


def test_C5_an_empty_discard_pile_gives_nothing():
    refused(board(*NUMBERS), 0, Draw("discard"), "C5")


def test_C6_a_kept_card_takes_the_slot_and_the_replaced_one_lands_on_the_discard_pile():
    before = draw(board(*NUMBERS, main="energy_1"), 0)
    state = keep(before, 0, 2)

    assert hand(state, 0) == ["y1_1", "y2_1", "energy_1", "y4_1"]
    assert state.discard[-1] == "y3_1"
    assert state.table[0][2].mark != before.table[0][2].mark
    assert state.table[0][1].mark == before.table[0][1].mark
    assert (state.turn, state.action) == (1, None)
    assert seen(state, 0) == []


def test_C6_a_card_may_be_discarded_directly():
    state = discard(draw(board(*NUMBERS, main="energy_1"), 0), 0)

    assert state.discard[-1] == "energy_1"
    assert hand(state, 0) == ["y1_1", "y2_1", "y3_1", "y4_1"]


def test_C6_nothing_can_be_kept_that_was_not_drawn_or_in_a_slot_that_has_changed():
    state = board("y1_1 - y3_1 y4_1", *NUMBERS[1:], main="energy_1")
    refused(state, 0, Discard(), "C6")
    refused(state, 0, Keep(0, at(state, 0, 0).mark), "C6")
    state = draw(state, 0)
    refused(state, 1, Discard(), "C6")
    refused(state, 0, Keep(0, at(state, 0, 0).mark + 1), "C6")
    refused(state, 0, Keep(1, at(state, 0, 1).mark), "C6")
    refused(state, 0, Keep(9, 1), "C6")


def test_C7_a_card_from_the_discard_pile_must_be_exchanged():
    state = draw(board(*NUMBERS, discard="b9_1"), 0, "discard")

    refused(state, 0, Discard(), "C7")
    assert "discard" not in {it.move for it in GAME.offers(state, Seat(0))}
    assert card(keep(state, 0, 1), 0, 1) == "b9_1"


def test_C7_a_host_may_allow_it_to_be_put_back_but_it_has_no_action():
    options = CambioOptions(return_discard=True)
    state = draw(board(*NUMBERS, discard="swap_1", options=options), 0, "discard")
    state = discard(state, 0)

    assert state.discard == ("swap_1",)
    assert state.action is None
    assert state.race is not None


def test_C8_an_empty_main_pile_is_made_from_all_discards_but_the_top():
    state = board(*NUMBERS)
    state = replace(state, main=(), discard=(*state.main[1:], state.main[0]))
    left, top = len(state.discard), state.discard[-1]
    state = draw(state, 0)

    assert "reshuffled" in whats(state)
    assert state.discard == (top,)
    assert len(state.main) == left - 2


def test_C8_a_draw_ends_the_round_if_there_is_no_card_left():
    state = board(*NUMBERS)
    state = replace(state, main=(), discard=state.discard[:0])
    state = draw(state, 0)

    assert state.phase == "scored"
    assert state.last[-1].detail["why"] == "no_cards"
    assert state.totals == (10, 26, 22)


def test_C8_a_penalty_card_that_cannot_be_drawn_is_skipped():
    state = replace(racing(*NUMBERS, discard="energy_1"), main=(), discard=("energy_1",))
    state = slap(state, 2, 2, 0)

    assert len(state.table[2]) == 4
    assert "penalty_skipped" in whats(state)


def test_C8_a_round_that_only_the_clocks_play_is_counted_when_the_pile_runs_out():
    state = run_out(dealt(2, target_points=500), "look")
    steps = 0
    while state.phase == "turn":
        state = run_out(state, "turn") if not state.shows else run_out(state, "show")
        steps += 1

    assert state.last[0].what == "missed"
    assert state.last[-1].detail["why"] == "deserted"
    assert steps >= 68


@pytest.mark.parametrize(
    ("top", "thrown", "identical"),
    [
        ("y7_1", "b7_1", True),
        ("red_king_1", "blue_king_1", True),
        ("energy_1", "energy_2", True),
        ("swap_1", "peek_mine_1", False),
        ("peek_mine_1", "peek_yours_1", False),
        ("y10_1", "energy_1", False),
    ],
)
def test_C9_cards_are_identical_by_rune_whatever_their_points(top, thrown, identical):
    state = slap(racing("y1_1 y2_1", f"y5_1 {thrown}", discard=top), 1, 1, 1)

    assert (state.discard[-1] == thrown) is identical
    assert ("slapped" in whats(state)) is identical


def test_the_same_deal_twice_is_the_same_game():
    assert dealt(4, b"same") == dealt(4, b"same")
    assert GAME.resample(dealt(4), Seat(0), Rng(b"x", 0)) != dealt(4)
