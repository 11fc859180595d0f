"""The Rune Market R26–R36: shelters, boats, bandits and ransom."""

import pytest

from photofinish.engine.offers import admits
from tests.games.rune_market.stall import (
    BLUE,
    GAME,
    RED,
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

BIG = [num(10), num(10, 2), num(1, 3)]


def test_R26_a_shelter_is_placed_if_the_seat_has_none_of_that_colour():
    state = play(market((RED[1], RED[2], num(3))), N, "shelter", card=RED[1])

    assert state.holdings[N].red.card == RED[1]
    assert state.played == 1
    assert refused(state, N, "shelter", card=RED[2]) == "R26"
    assert refused(state, N, "shelter", card=num(3)) == "R26"
    assert offered(state, N) == {"double_theft", "duel", "end_turn"}


def test_R27_at_most_two_shelters_stand_lone_boats_included():
    two = own(red=red(1), boat1=Boat())
    state = market(BIG, holdings=[two])

    assert refused(state, N, "buy", what="boat", cards=BIG, place="alone") == "R28"
    inside = own(red=red(1, boat=True))  # a boat inside does not count
    state = play(market(BIG, holdings=[inside]), N, "buy", what="boat", cards=BIG, place="alone")
    assert state.holdings[N].boat1 == Boat()


def test_R28_a_boat_goes_into_a_main_shelter_without_boat_or_bandit_or_alone():
    state = market(BIG, holdings=[own(red=red(1, bandit=E))])
    assert refused(state, N, "buy", what="boat", cards=BIG, place="red") == "R28"
    assert refused(state, N, "buy", what="boat", cards=BIG, place="blue") == "R28"
    assert play(state, N, "buy", what="boat", cards=BIG, place="alone").holdings[N].boat1 == Boat()

    state = market(BIG, holdings=[own(red=red(1, boat=True))])
    assert refused(state, N, "buy", what="boat", cards=BIG, place="red") == "R28"
    state = market(BIG, holdings=[own(boat1=Boat("red", 1))])
    assert play(state, N, "buy", what="boat", cards=BIG, place="alone").holdings[N].boat2 == Boat()


def placed(holding, **fields):
    return play(market((RED[1], num(3)), holdings=[holding]), N, "shelter", card=RED[1], **fields).holdings[N]


def test_R29_a_lone_boat_of_the_colour_moves_in_with_its_runes():
    after = placed(own(boat1=Boat("red", 2), boat2=Boat("blue", 1)))

    assert (after.red.runes, after.red.boat, after.boat1, after.boat2) == (2, True, None, Boat("blue", 1))


def test_R29_a_boat_without_colour_may_move_in_or_stay():
    assert placed(own(boat1=Boat())).boat1 == Boat()
    moved = placed(own(boat1=Boat()), boat_into="red")

    assert (moved.boat1, moved.red.boat) == (None, True)


def test_R29_it_must_move_if_three_shelters_would_stand():
    with_main = own(blue=blue(1), boat1=Boat())
    assert placed(with_main).red.boat
    assert placed(with_main, boat_into="blue").blue.boat
    assert placed(with_main, boat_into="blue").boat1 is None

    two_boats = placed(own(boat1=Boat("blue", 1), boat2=Boat()))
    assert (two_boats.red.boat, two_boats.boat1, two_boats.boat2) == (True, Boat("blue", 1), None)


def test_R29_no_boat_moves_where_none_can():
    def tried(holding, into):
        return refused(
            market((RED[1], num(3)), holdings=[holding]), N, "shelter", card=RED[1], boat_into=into
        )

    assert tried(own(), "red") == "R29"
    assert tried(own(boat1=Boat()), "blue") == "R29"
    assert tried(own(blue=blue(1, boat=True), boat1=Boat()), "blue") == "R29"
    assert tried(own(blue=blue(1, bandit=E), boat1=Boat()), "blue") == "R29"
    assert tried(own(boat1=Boat("red", 1), boat2=Boat()), "red") == "R29"


def test_R30_a_boats_first_rune_gives_its_colour_and_it_stays():
    state = market((num(5), num(10)), holdings=[own(boat1=Boat(), loose_red=1)])
    state = play(state, N, "store", colour="red", runes=1, place="boat1")
    assert state.holdings[N].boat1 == Boat("red", 1)

    assert refused(state, N, "buy_rune", cards=[num(5)], colour="blue", into="boat1") == "R30"
    empty = market((num(5),), holdings=[own(boat1=Boat("red", 0))])
    assert refused(empty, N, "buy_rune", cards=[num(5)], colour="blue", into="boat1") == "R30"


def test_R30_the_first_rune_may_not_be_of_the_other_shelters_colour():
    for other in (own(red=red(1), boat1=Boat()), own(boat2=Boat("red", 0), boat1=Boat())):
        state = market((num(5),), holdings=[other])
        assert refused(state, N, "buy_rune", cards=[num(5)], colour="red", into="boat1") == "R30"
        state = play(state, N, "buy_rune", cards=[num(5)], colour="blue", into="boat1")
        assert state.holdings[N].boat1 == Boat("blue", 1)


def test_R31_a_bandit_goes_into_another_seats_shelter_that_has_none():
    state = market(BIG, (), (), holdings=[own(red=red(1)), own(red=red(1, bandit=S)), own(blue=blue(0))])

    assert refused(state, N, "buy", what="bandit", cards=BIG, seat=N, place="red") == "R31"
    assert refused(state, N, "buy", what="bandit", cards=BIG, seat=E, place="red") == "R31"
    assert refused(state, N, "buy", what="bandit", cards=BIG, place="blue") == "R31"
    state = play(state, N, "buy", what="bandit", cards=BIG, seat=S, place="blue")
    assert state.holdings[S].blue.bandit == N
    assert state.market.bandits == 4


def test_R32_a_bandit_sends_a_boat_back_to_the_market():
    state = market(BIG, holdings=[own(), own(red=red(2, boat=True))], piles=(10, 10, 4, 5))
    state = play(state, N, "buy", what="bandit", cards=BIG, seat=E, place="red")

    assert (state.holdings[E].red.boat, state.holdings[E].red.bandit) == (False, N)
    assert (state.market.boats, state.market.bandits) == (5, 4)


def test_R32_on_a_lone_boat_boat_and_bandit_go_back_and_the_runes_become_loose():
    state = market(BIG, holdings=[own(), own(boat1=Boat("red", 2), loose_red=1)], piles=(10, 10, 4, 5))
    state = play(state, N, "buy", what="bandit", cards=BIG, seat=E, place="boat1")

    assert state.holdings[E] == own(loose_red=3)
    assert (state.market.boats, state.market.bandits) == (5, 5)


def robbed(victim, robber=None):
    """East's turn begins."""
    return next_turn(market((num(9), num(2)), holdings=[robber or own(), victim], piles=(10, 10, 5, 3)))


def test_R33_a_bandit_carries_one_rune_to_its_owner_each_turn():
    state = robbed(own(red=red(3, bandit=N), blue=blue(1, bandit=N)))

    assert (state.holdings[E].red.runes, state.holdings[E].blue.runes) == (2, 0)
    assert (state.holdings[N].loose_red, state.holdings[N].loose_blue) == (1, 1)
    assert [it.detail["colour"] for it in state.last if it.what == "robbed"] == ["red", "blue"]


def test_R33_a_shelter_emptied_stands_one_turn_and_is_then_lost():
    state = robbed(own(red=red(1, bandit=N)))
    assert state.holdings[E].red.runes == 0

    state = robbed(own(red=red(0, bandit=N)))
    assert state.holdings[E].red is None
    assert RED[0] in state.discard
    assert state.market.bandits == 4
    assert "shelter_lost" in whats(state)


def test_R34_only_the_occupied_shelter_gives_no_interest():
    state = robbed(own(red=red(5, bandit=N), blue=blue(1, boat=True)))

    assert (state.due_red, state.due_blue) == (0, 2)


@pytest.mark.parametrize(
    ("robber", "after"),
    [
        (own(red=red(1)), own(red=red(2))),
        (own(red=red(1, bandit=E)), own(red=red(1, bandit=E), loose_red=1)),
        (own(boat2=Boat("red", 0)), own(boat2=Boat("red", 1))),
        (own(boat1=Boat()), own(boat1=Boat(), loose_red=1)),
        (own(), own(loose_red=1)),
    ],
)
def test_R35_the_bandits_rune_goes_into_its_owners_shelter_or_lies_loose(robber, after):
    assert robbed(own(red=red(3, bandit=N)), robber).holdings[N] == after


def test_R36_a_ransom_is_paid_with_numbers_of_21_or_more():
    state = market([*BIG, num(3)], holdings=[own(red=red(2, bandit=E))])
    assert refused(state, N, "ransom", place="red", cards=BIG[:2]) == "R36"
    assert refused(state, N, "ransom", place="blue", cards=BIG) == "R36"

    state = play(state, N, "ransom", place="red", cards=BIG)
    assert state.holdings[N].red.bandit is None
    assert state.market.bandits == 6
    assert state.played == 3
    assert play(state, N, "end_turn").turn == E


def test_R36_or_with_three_runes_of_any_colours_from_any_place_but_that_shelter():
    holding = own(red=red(5, bandit=E), blue=blue(1, bandit=E), loose_red=1, loose_blue=2)
    state = market((num(3),), (), (), holdings=[holding, own(), own()])
    mixed = [
        {"place": "blue", "n": 1},
        {"place": "loose", "n": 1, "colour": "red"},
        {"place": "loose", "n": 1, "colour": "blue"},
    ]

    assert admits(GAME.offers(state, N), {"t": "ransom", "place": "red", "runes": mixed})
    paid = play(state, N, "ransom", place="red", runes=mixed)
    assert paid.holdings[N] == own(red=red(5), blue=blue(0, bandit=E), loose_blue=1)
    assert (paid.market.red, paid.market.blue) == (11, 12)
    assert paid.played == 0
    assert refused(state, N, "ransom", place="red", runes=[{"place": "red", "n": 3}]) == "R36"
    assert refused(state, N, "ransom", place="red", runes=mixed[:2]) == "R36"
    assert (
        refused(state, N, "ransom", place="red", runes=[{"place": "loose", "n": 3, "colour": "blue"}])
        == "R36"
    )
    assert refused(state, N, "ransom", place="red") == "R36"


def test_R36_the_hosts_own_ransom_counts_and_interest_is_not_regained():
    state = market((num(3),), holdings=[own(red=red(5, bandit=E), loose_red=2)], options={"ransom_runes": 2})
    state = play(state, N, "ransom", place="red", runes=[{"place": "loose", "n": 2, "colour": "red"}])

    assert state.holdings[N].red.bandit is None
    assert (state.due_red, state.due_blue) == (0, 0)


def test_R36_a_ransom_may_list_its_places_in_any_order():
    holding = own(red=red(5, bandit=E), blue=blue(1), loose_red=1, loose_blue=2)
    state = market((num(3),), (), (), holdings=[holding, own(), own()])
    runes = [
        {"place": "loose", "n": 1, "colour": "blue"},
        {"place": "blue", "n": 1},
        {"place": "loose", "n": 1, "colour": "red"},
    ]
    in_order = play(state, N, "ransom", place="red", runes=[runes[1], runes[2], runes[0]])

    assert play(state, N, "ransom", place="red", runes=runes) == in_order
    assert refused(state, N, "ransom", place="red", runes=[runes[0], runes[0], runes[1]]) == "R36"


def test_R8_interest_that_the_market_cannot_pay_is_not_shown_as_due():
    state = market((num(4), num(2)), holdings=[own(red=red(1, boat=True))], due_red=2, piles=(1, 10, 5, 5))

    assert GAME.view(state, N).due_red == 1
    assert GAME.view(state, None).due_red == 1
    state = market((num(4), num(2)), due_blue=2, piles=(10, 1, 5, 5))
    assert GAME.view(state, N).due_blue == 1


def test_when_the_turn_clock_runs_out_interest_is_collected_and_one_card_discarded():
    state = market((num(4), num(2)), holdings=[own(red=red(1, boat=True))], due_red=2, piles=(1, 10, 5, 5))
    state = wait(state, "turn:0")

    assert state.holdings[N].red.runes == 2  # what the market had
    assert state.discard == (num(4),)
    assert state.turn == E


def test_when_the_turn_clock_runs_out_after_a_card_none_is_discarded():
    state = play(market((BLUE[1], num(2))), N, "shelter", card=BLUE[1])
    state = wait(state, "turn:0")

    assert state.discard == ()
    assert state.turn == E


def test_without_turn_seconds_there_is_no_turn_clock():
    (untimed,) = GAME.timers(market((num(4),), options={"turn_seconds": 0}))
    assert untimed.after is None
