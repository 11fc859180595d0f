"""The Rune Market R1–R17: the deal, the order of a turn, interest and purchases."""

from collections import Counter

import pytest

from photofinish.engine import Rng, Seat, TableSetup
from photofinish.engine.decks.cards import the_deck
from photofinish.engine.offers import admits
from photofinish.games.rune_market.state import Setting
from tests.games.rune_market.stall import (
    BLUE,
    GAME,
    RED,
    THIEF,
    Boat,
    E,
    N,
    S,
    blue,
    market,
    next_turn,
    num,
    offered,
    own,
    play,
    red,
    refused,
    wait,
    whats,
)


def deal(seats, seed=b"deal", previous=()):
    return GAME.setup(TableSetup(seats, Setting(), previous), Rng(seed, 0))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_R1_R2_the_market_has_four_piles_and_each_seat_three_of_the_other_cards(seats):
    state = deal(seats)

    assert (state.market.red, state.market.blue, state.market.boats, state.market.bandits) == (10, 10, 5, 5)
    assert [len(hand) for hand in state.hands] == [3] * seats
    goods = {"energy", "blue_number", "peek_mine", "peek_yours"}
    others = [card.id for card in the_deck().cards if card.kind not in goods]
    assert Counter([*state.main, *(card for hand in state.hands for card in hand)]) == Counter(others)
    assert state.discard == ()


def test_R1_a_number_cards_number_is_its_rune():
    view = GAME.view(market((num(7), RED[0], THIEF[0])), N)

    assert [(card.part, card.number) for card in view.hand] == [
        ("number", 7),
        ("red_shelter", None),
        ("thief", None),
    ]


def test_R3_the_first_seat_is_drawn_and_in_a_rematch_the_last_winner_starts():
    assert {deal(3, b"%d" % n).turn for n in range(30)} == {0, 1, 2}
    assert {deal(3, b"%d" % n, (Seat(1),)).turn for n in range(30)} == {1}
    assert {deal(3, b"%d" % n, (Seat(0), Seat(2))).turn for n in range(30)} == {0, 2}


def test_R3_turns_go_clockwise():
    state = market((num(9), num(2)), (num(1),), (num(3),))

    assert next_turn(state).turn == E


def test_R4_all_that_a_seat_owns_on_the_table_is_open():
    holding = own(red=red(3, boat=True), boat1=Boat("blue", 2), loose_red=1)
    state = market(holdings=[holding])

    assert GAME.view(state, E).holdings[N] == GAME.view(state, None).holdings[N] == holding


def test_R5_bandits_come_before_interest():
    # Robbed of its last rune by the bandit, the blue shelter gives nothing; the red one does.
    state = market((num(9), num(2)), holdings=[own(), own(red=red(2), blue=blue(1, bandit=N))])
    state = next_turn(state)

    assert (state.due_red, state.due_blue) == (1, 0)
    assert state.holdings[E].blue.runes == 0
    assert refused(state, N, "end_turn") == "R5"


@pytest.mark.parametrize(
    ("holding", "due"),
    [
        (own(red=red(1)), (1, 0)),
        (own(red=red(0)), (0, 0)),
        (own(red=red(5, boat=True), blue=blue(1)), (2, 1)),
        (own(boat1=Boat("blue", 1)), (0, 1)),
        (own(boat1=Boat("blue", 0), boat2=Boat()), (0, 0)),
        (own(loose_red=4), (0, 0)),
        (own(red=red(0, boat=True)), (0, 0)),
    ],
)
def test_R6_each_shelter_with_a_rune_gives_one_and_a_boat_in_it_a_second(holding, due):
    state = next_turn(market((num(9), num(2)), holdings=[own(), holding]))

    assert (state.due_red, state.due_blue) == due


def due(n_red, n_blue, **more):
    return market(
        (num(5), num(2), THIEF[0]),
        holdings=[own(red=red(2, boat=True), blue=blue(1))],
        due_red=n_red,
        due_blue=n_blue,
        **more,
    )


def test_R7_a_seat_may_collect_fewer_and_again_and_store_between():
    state = play(due(2, 1), N, "collect", red=1, blue=0)
    assert state.holdings[N].red.runes == 3
    assert state.market.red == 9

    state = play(state, N, "collect", red=1, blue=0, into={"red": "loose"})
    state = play(state, N, "store", colour="red", runes=1, place="red")
    state = play(state, N, "collect", red=0, blue=1)
    assert (state.holdings[N].red.runes, state.holdings[N].blue.runes) == (4, 2)
    assert refused(state, N, "collect", red=0, blue=1) == "R8"
    assert refused(due(1, 1), N, "collect", red=0, blue=0) == "R7"


def test_R7_interest_not_collected_before_another_move_is_lost():
    state = play(due(2, 1), N, "buy_rune", cards=[num(5)], colour="red")

    assert (state.due_red, state.due_blue) == (0, 0)
    assert refused(state, N, "collect", red=1, blue=0) == "R8"
    assert "collect" not in offered(state, N)


def test_R8_a_seat_takes_at_most_what_is_due_and_available_and_only_of_that_colour():
    state = due(2, 0, piles=(1, 10, 5, 5))

    assert refused(state, N, "collect", red=2, blue=0) == "R8"
    assert refused(state, N, "collect", red=1, blue=1) == "R8"
    assert play(state, N, "collect", red=1, blue=0).market.red == 0


def test_R9_a_rune_gained_goes_where_the_seat_says_or_into_its_shelter():
    state = market((num(5), num(10)), holdings=[own(red=red(1))])

    assert play(state, N, "buy_rune", cards=[num(5)], colour="red").holdings[N].red.runes == 2
    assert play(state, N, "buy_rune", cards=[num(5)], colour="red", into="loose").holdings[N].loose_red == 1
    assert play(state, N, "buy_rune", cards=[num(5)], colour="blue").holdings[N].loose_blue == 1
    assert refused(state, N, "buy_rune", cards=[num(5)], colour="blue", into="red") == "R9"


def test_R9_a_place_left_open_is_unsaid_and_offered_as_such():
    """`into: {}` names no place: the same as no `into`."""
    state = due(2, 1)
    open_ = {"t": "collect", "red": 0, "blue": 1, "into": {}}

    assert admits(GAME.offers(state, N), open_)
    assert play(state, N, "collect", red=0, blue=1, into={}) == play(state, N, "collect", red=0, blue=1)


def test_R9_unsaid_a_rune_does_not_go_under_a_bandit_but_it_may_be_stored_there():
    state = market((num(5), num(10)), holdings=[own(red=red(1, bandit=E))])
    state = play(state, N, "buy_rune", cards=[num(5)], colour="red")
    assert (state.holdings[N].loose_red, state.holdings[N].red.runes) == (1, 1)

    state = play(state, N, "store", colour="red", runes=1, place="red")
    assert state.holdings[N].red.runes == 2
    assert refused(state, N, "store", colour="red", runes=1, place="red") == "R9"
    assert refused(state, N, "store", colour="blue", runes=1, place="blue") == "R9"


def test_R9_runes_do_not_leave_a_shelter_by_storing():
    state = market((num(5),), holdings=[own(red=red(2), loose_red=1)])

    assert refused(state, N, "store", colour="red", runes=1, place="loose") == "R9"


@pytest.mark.parametrize(("seats", "price"), [(2, 4), (3, 3), (4, 2), (5, 2)])
def test_R10_the_price_in_runes_goes_with_the_seats(seats, price):
    purse = [own(red=red(6)), *(own() for _ in range(seats - 1))]
    state = market((num(1),), holdings=purse)

    assert GAME.view(state, N).price == price
    assert refused(state, N, "buy", what="boat", runes={"red": price - 1}, place="red") == "R10"
    state = play(state, N, "buy", what="boat", runes={"red": price}, place="red")
    assert state.holdings[N].red.runes == 6 - price
    assert state.market.red == 10 + price
    assert state.market.boats == 4


def test_R10_the_hosts_own_price_counts():
    state = market((num(1),), holdings=[own(red=red(6))], options={"good_price_runes": (1, 2, 3, 4)})

    assert play(state, N, "buy", what="boat", runes={"red": 1}, place="red").holdings[N].red.boat


def test_R10_one_purchase_per_turn_of_one_colour_and_none_with_a_bandit():
    rich = own(red=red(6), blue=blue(4, bandit=E), loose_red=6, loose_blue=2)
    state = market((num(1),), holdings=[rich, own(red=red(1))])

    assert refused(state, N, "buy", what="boat", runes={"blue": 4}, place="red") == "R10"
    assert refused(state, N, "buy", what="boat", runes={"red": 2, "blue": 2}, place="red") == "R10"
    assert refused(state, N, "buy", what="boat", runes={"red": 2, "loose": 2}, place="red") == "R10"  # which?
    assert refused(state, N, "buy", what="boat", runes={"loose": 4}, colour="blue", place="red") == "R10"
    state = play(state, N, "buy", what="boat", runes={"red": 2, "loose": 2}, colour="red", place="red")
    assert (state.holdings[N].red.runes, state.holdings[N].loose_red) == (4, 4)
    assert refused(state, N, "buy", what="bandit", runes={"red": 4}, seat=E, place="red") == "R10"
    assert "buy" not in offered(state, N)


def test_R11_an_empty_pile_or_no_place_is_refused_and_nothing_paid():
    rich = own(red=red(6, boat=True), blue=blue(6, boat=True))

    assert (
        refused(market((num(1),), holdings=[rich]), N, "buy", what="boat", runes={"red": 4}, place="red")
        == "R11"
    )
    none_left = market((num(1),), holdings=[own(red=red(6)), own(red=red())], piles=(10, 10, 0, 0))
    assert refused(none_left, N, "buy", what="boat", runes={"red": 4}, place="red") == "R11"
    assert refused(none_left, N, "buy", what="bandit", runes={"red": 4}, seat=E, place="red") == "R11"
    no_target = market((num(1),), holdings=[own(red=red(6)), own()])
    assert refused(no_target, N, "buy", what="bandit", runes={"red": 4}, seat=E, place="red") == "R11"


def test_R12_at_least_one_hand_card_is_played():
    state = market((num(5), num(2)))
    assert refused(state, N, "end_turn") == "R12"
    assert "end_turn" not in offered(state, N)

    assert play(play(state, N, "buy_rune", cards=[num(5)], colour="red"), N, "end_turn").turn == E
    assert play(market(()), N, "end_turn").turn == E


def test_R12_the_first_hand_card_ends_the_purchase_with_runes():
    state = market((num(5), num(2)), holdings=[own(red=red(6))])
    state = play(state, N, "buy_rune", cards=[num(5)], colour="red")

    assert refused(state, N, "buy", what="boat", runes={"red": 4}, place="red") == "R12"


def test_R13_a_seat_draws_up_to_three_and_one_with_more_draws_none():
    full = market((num(5), num(2), num(3), num(4), num(6)))
    state = play(play(full, N, "buy_rune", cards=[num(5)], colour="red"), N, "end_turn")
    assert len(state.hands[N]) == 4

    top = [num(n, 3) for n in (7, 8, 9)]
    state = play(market((num(5), num(2)), main=top), N, "buy_rune", cards=[num(5)], colour="red")
    state = play(state, N, "end_turn")
    assert state.hands[N] == (num(2), top[0], top[1])
    assert state.main == (top[2],)


def test_R13_a_seat_robbed_of_cards_draws_only_at_the_end_of_its_turn():
    state = market((THIEF[0], num(9)), (num(1), num(2), num(5)))
    state = play(play(state, N, "thief", card=THIEF[0]), N, "steal", seat=E, card=True)
    state = play(state, N, "end_turn")

    assert state.turn == E
    assert len(state.hands[E]) == 2


def test_R14_an_empty_main_pile_is_made_anew_from_the_discard_pile():
    discard = [num(n, 3) for n in (6, 7, 8, 9)]
    state = market((num(5), num(2)), main=[num(4, 3)], discard=discard)
    state = play(play(state, N, "buy_rune", cards=[num(5)], colour="red"), N, "end_turn")

    assert len(state.hands[N]) == 3
    assert state.discard == ()
    assert {*state.main} | {*state.hands[N]} == {*discard, num(5), num(2), num(4, 3)}
    assert "reshuffled" in whats(state)


def test_R14_with_both_piles_empty_fewer_cards_are_drawn():
    state = play(market((), main=[]), N, "end_turn")

    assert state.hands[N] == ()
    assert state.turn == E


@pytest.mark.parametrize("numbers", [(5,), (10,), (2, 3), (7, 8), (4, 6, 5)])
def test_R15_numbers_of_exactly_5_10_or_15_buy_one_rune(numbers):
    state = market((*map(num, numbers), THIEF[0]))
    state = play(state, N, "buy_rune", cards=[num(n) for n in numbers], colour="blue")

    assert state.holdings[N].loose_blue == 1
    assert state.market.blue == 9
    assert {*state.discard} == {num(n) for n in numbers}


def test_R15_other_sums_other_cards_and_empty_piles_are_refused():
    state = market((num(4), num(5), num(10), num(10, 2), THIEF[0]), piles=(0, 3, 5, 5))

    assert refused(state, N, "buy_rune", cards=[num(4)], colour="blue") == "R15"
    assert refused(state, N, "buy_rune", cards=[num(10), num(10, 2)], colour="blue") == "R15"
    assert refused(state, N, "buy_rune", cards=[num(5), num(5)], colour="blue") == "R15"
    assert refused(state, N, "buy_rune", cards=[num(5), THIEF[0]], colour="blue") == "R15"
    assert refused(state, N, "buy_rune", cards=[num(1)], colour="blue") == "R15"  # east's card
    assert refused(state, N, "buy_rune", cards=[num(5)], colour="red") == "R15"


def test_R16_numbers_of_21_or_more_buy_goods_without_limit_and_without_change():
    hand = (num(10), num(10, 2), num(1, 3), num(9), num(9, 2), num(9, 3), THIEF[0])
    state = market(hand, (num(1),), (num(2),), holdings=[own(red=red(1)), own(blue=blue(1))])
    assert refused(state, N, "buy", what="boat", cards=[num(10), num(10, 2)], place="red") == "R16"

    state = play(state, N, "buy", what="boat", cards=[num(10), num(10, 2), num(1, 3)], place="red")
    state = play(state, N, "buy", what="bandit", cards=[num(9), num(9, 2), num(9, 3)], seat=E, place="blue")
    assert state.holdings[N].red.boat
    assert state.holdings[E].blue.bandit == N
    assert state.hands[N] == (THIEF[0],)


def test_R16_runes_and_cards_do_not_mix():
    state = market((num(10), num(10, 2), num(1, 3)), holdings=[own(red=red(6))])
    cards = [num(10), num(10, 2), num(1, 3)]

    assert refused(state, N, "buy", what="boat", cards=cards, runes={"red": 4}, place="red") == "R10"
    assert refused(state, N, "buy", what="boat", place="red") == "R10"
    assert refused(state, N, "buy", what="boat", cards=cards, colour="red", place="red") == "R16"


def test_R17_a_number_card_cannot_just_be_discarded_but_for_the_clock():
    state = market((num(4), num(2)))
    assert offered(state, N) == {"duel"}

    state = wait(state, "turn:0")
    assert num(4) in state.discard
    assert state.turn == E
    assert state.market.red == state.market.blue == 10


def test_two_seats_cannot_act_at_once_and_offers_say_so():
    state = market((num(5), BLUE[1]), (num(5, 2),), (num(5, 3),))

    assert refused(state, E, "buy_rune", cards=[num(5, 2)], colour="red") == "R5"
    assert GAME.offers(state, E) == GAME.offers(state, S) == ()
    assert admits(GAME.offers(state, N), {"t": "buy_rune", "cards": [num(5)], "colour": "red"})
