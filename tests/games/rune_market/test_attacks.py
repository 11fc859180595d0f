"""The Rune Market R18–R25: duels and thefts."""

import pytest

from photofinish.engine import Rng
from photofinish.engine.offers import admits
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

DEFENDER = (num(6), num(8), THIEF[0])


def attacked(defender=DEFENDER, **more):
    return play(
        market((num(7), num(3), num(9)), defender, (num(2, 2),), **more), N, "duel", card=num(7), seat=E
    )


def test_R18_each_seat_is_attacked_at_most_once_per_turn():
    state = play(attacked(), E, "defend", card=num(8))

    assert GAME.view(state, None).duelled == (E,)
    assert refused(state, N, "duel", card=num(3), seat=E) == "R18"
    assert play(state, N, "duel", card=num(3), seat=S).duel.seat == S


def test_R18_one_number_card_of_the_own_hand_and_another_seat():
    state = market((num(7), THIEF[0]))

    assert refused(state, N, "duel", card=THIEF[0], seat=E) == "R18"
    assert refused(state, N, "duel", card=num(1), seat=E) == "R18"
    assert refused(state, N, "duel", card=num(7), seat=N) == "R18"
    assert refused(state, N, "duel", card=num(7), seat=S) == "R18"  # nobody sits there


def test_R18_a_seat_that_owns_nothing_may_be_named():
    state = play(market((num(7), num(3)), ()), N, "duel", card=num(7), seat=E)

    assert state.duel is None
    assert "nothing_to_steal" in whats(state)


def test_R19_the_named_seat_shows_an_equal_or_higher_card_or_gives_up():
    state = attacked((num(6), num(7, 2), num(8)))

    assert refused(state, E, "defend", card=num(6)) == "R19"
    assert refused(state, E, "defend", card=num(9)) == "R19"  # north's
    assert refused(state, S, "give_up") == "R19"
    assert refused(state, N, "end_turn") == "R19"
    assert refused(state, N, "store", colour="red", runes=1, place="red") == "R19"
    assert "defended" in whats(play(state, E, "defend", card=num(7, 2)))
    assert "gave_up" in whats(play(state, E, "give_up"))  # though it could defend


@pytest.mark.parametrize("hand", [(num(1), THIEF[0], RED[1]), (num(8), THIEF[0], RED[1])])
def test_R19_the_server_never_answers_before_the_clock_whatever_the_seat_holds(hand):
    state = attacked(hand)

    assert keys(state) == ["turn:0", "duel:1"]
    assert [timer.seat for timer in GAME.timers(state)] == [N, E]
    assert not GAME.timers(state)[0].running
    assert "give_up" in offered(state, E)
    assert "gave_up" in whats(wait(state, "duel:1"))


def test_R19_what_the_attacker_sees_does_not_tell_whether_the_seat_could_defend():
    strong, weak = attacked((num(8), THIEF[0], RED[1])), attacked((num(1), THIEF[0], RED[1]))

    for viewer in (N, S, None):
        assert GAME.view(strong, viewer) == GAME.view(weak, viewer)
    assert GAME.offers(strong, N) == GAME.offers(weak, N) == ()
    for viewer in (N, S, None):
        assert GAME.view(play(strong, E, "give_up"), viewer) == GAME.view(play(weak, E, "give_up"), viewer)


def test_R19_only_a_seat_without_any_hand_card_gives_up_by_itself():
    state = play(
        market((num(7), num(3)), (), holdings=[own(), own(loose_red=1)]), N, "duel", card=num(7), seat=E
    )

    assert state.duel is None
    assert state.theft.victim == E


def test_R20_a_defenders_card_is_shown_for_a_while_and_goes_back():
    state = play(attacked(), E, "defend", card=num(8))

    assert num(8) in state.hands[E]
    assert state.discard == (num(7),)
    assert [(it.seat, it.card.id) for it in GAME.view(state, S).shown] == [(E, num(8))]
    assert num(8) not in str(state.last)
    show = GAME.timers(state)[-1]
    assert (show.key, show.after, show.seat) == ("show:1", 4000, None)
    state = wait(state, "show:1")
    assert GAME.view(state, S).shown == ()
    assert keys(state) == ["turn:0"]


def test_R21_a_seat_that_gave_up_shows_nothing_and_may_be_robbed_once():
    state = attacked(holdings=[own(), own(loose_blue=2), own(loose_red=1)])
    state = play(state, E, "give_up")

    assert state.discard == (num(7),)
    assert GAME.view(state, N).shown == ()
    assert refused(state, N, "steal", seat=S, rune={"place": "loose", "colour": "red"}) == "R21"
    state = play(state, N, "steal", seat=E, rune={"place": "loose", "colour": "blue"})
    assert state.holdings[N].loose_blue == 1
    assert refused(state, N, "steal", seat=E, rune={"place": "loose", "colour": "blue"}) == "R23"


def test_R22_a_thief_is_one_theft():
    state = play(market((THIEF[0], num(3)), holdings=[own(), own(loose_red=3)]), N, "thief", card=THIEF[0])
    state = play(state, N, "steal", seat=E, rune={"place": "loose", "colour": "red"})

    assert state.theft is None
    assert state.discard == (THIEF[0],)
    assert refused(state, N, "thief", card=num(3)) == "R22"


def test_R22_a_shelter_discarded_is_two_thefts_from_one_seat_or_two():
    state = market(
        (RED[1], num(3)), (num(1),), (num(2),), holdings=[own(), own(loose_red=1), own(loose_blue=1)]
    )
    assert refused(state, N, "double_theft", card=num(3)) == "R22"
    state = play(state, N, "double_theft", card=RED[1])
    state = play(state, N, "steal", seat=E, rune={"place": "loose", "colour": "red"})
    assert state.theft.left == 1
    assert keys(state)[-1] == "theft:2"

    both = play(state, N, "steal", seat=S, rune={"place": "loose", "colour": "blue"})
    assert (both.holdings[N].loose_red, both.holdings[N].loose_blue) == (1, 1)
    same = play(state, N, "steal", seat=E, card=True)
    assert (same.theft, same.hands[E]) == (None, ())


def test_R22_a_shelter_may_be_discarded_though_it_could_be_placed():
    assert {"shelter", "double_theft"} <= offered(market((BLUE[1], num(3))), N)


def test_R23_a_theft_takes_a_rune_from_the_place_named_bandit_or_not():
    victim = own(red=red(2, bandit=N), boat1=Boat("blue", 1), loose_red=1)
    state = play(market((THIEF[0], num(3)), holdings=[own(), victim]), N, "thief", card=THIEF[0])

    assert play(state, N, "steal", seat=E, rune={"place": "red"}).holdings[E].red.runes == 1
    assert play(state, N, "steal", seat=E, rune={"place": "boat1"}).holdings[E].boat1 == Boat("blue", 0)
    assert (
        play(state, N, "steal", seat=E, rune={"place": "loose", "colour": "red"}).holdings[E].loose_red == 0
    )
    assert refused(state, N, "steal", seat=E, rune={"place": "loose"}) == "R23"
    assert refused(state, N, "steal", seat=E, rune={"place": "red", "colour": "blue"}) == "R23"
    assert refused(state, N, "steal", seat=E, rune={"place": "blue"}) == "R23"
    assert refused(state, N, "steal", seat=E) == "R23"
    assert refused(state, N, "steal", seat=E, rune={"place": "red"}, card=True) == "R23"
    assert refused(state, N, "steal", seat=E, card=True, into="loose") == "R23"


def test_R23_a_hand_card_is_drawn_blind_and_only_thief_and_victim_learn_which():
    hand = (num(1), num(2), num(5))
    state = market((THIEF[0], num(3)), hand, (num(6),))
    state = play(state, N, "thief", card=THIEF[0])
    taken = {play(state, N, "steal", seat=E, card=True, seed=b"%d" % n).hands[N][-1] for n in range(40)}
    assert taken == {*hand}

    state = play(state, N, "steal", seat=E, card=True)
    card = state.hands[N][-1]
    cards = {seat: [it.detail.get("card") for it in GAME.view(state, seat).last] for seat in (N, E, S, None)}
    assert cards == {N: [None, card], E: [None, card], S: [None], None: [None]}
    assert f"'{card}'" not in str(GAME.view(state, S))


def test_R23_a_theft_may_be_declined_and_the_clock_declines_it():
    state = market((RED[1], num(3)), holdings=[own(), own(loose_red=3)])
    state = play(state, N, "double_theft", card=RED[1])
    assert refused(state, N, "end_turn") == "R23"
    state = wait(state, keys(state)[-1])
    assert state.theft.left == 1

    state = play(state, N, "decline")
    assert state.theft is None
    assert state.holdings[E].loose_red == 3
    assert refused(state, N, "decline") == "R23"


def test_R24_a_seat_with_nothing_left_cannot_be_named():
    state = market((RED[1], num(3)), (), (num(2),), holdings=[own(), own(), own()])
    state = play(state, N, "double_theft", card=RED[1])
    assert refused(state, N, "steal", seat=E, card=True) == "R24"

    state = play(state, N, "steal", seat=S, card=True)
    assert state.theft is None  # the second lapses: nobody has anything
    assert "nothing_to_steal" in whats(state)


def test_R24_with_nothing_to_steal_anywhere_the_card_counts_as_played():
    state = play(market((THIEF[0], num(3)), ()), N, "thief", card=THIEF[0])

    assert state.theft is None
    assert play(state, N, "end_turn").turn == E


def test_R24_one_victim_may_be_robbed_again_and_again():
    state = market((THIEF[0], THIEF[1], num(3)), holdings=[own(), own(loose_red=3)])
    for card in (THIEF[0], THIEF[1]):
        state = play(state, N, "thief", card=card)
        state = play(state, N, "steal", seat=E, rune={"place": "loose", "colour": "red"})

    assert state.holdings[N].loose_red == 2


def test_R25_a_stolen_hand_card_may_be_played_at_once():
    state = play(market((THIEF[0],), (num(5, 2),)), N, "thief", card=THIEF[0])
    state = play(state, N, "steal", seat=E, card=True)

    assert play(state, N, "buy_rune", cards=[num(5, 2)], colour="red").holdings[N].loose_red == 1


def test_R25_a_stolen_rune_is_placed_like_any_rune():
    state = market((THIEF[0], num(3)), holdings=[own(blue=blue(1)), own(loose_blue=1)])
    state = play(state, N, "thief", card=THIEF[0])
    rune = {"place": "loose", "colour": "blue"}

    assert play(state, N, "steal", seat=E, rune=rune).holdings[N].blue.runes == 2
    assert play(state, N, "steal", seat=E, rune=rune, into="loose").holdings[N].loose_blue == 1
    assert refused(state, N, "steal", seat=E, rune=rune, into="red") == "R9"
    assert admits(GAME.offers(state, N), {"t": "steal", "seat": E, "rune": rune, "into": "blue"})


def test_hidden_hands_are_redrawn_but_a_shown_card_stays_with_its_owner():
    state = play(attacked(), E, "defend", card=num(8))
    others = [GAME.resample(state, S, Rng(b"%d" % n, 0)) for n in range(30)]

    assert all(num(8) in other.hands[E] for other in others)
    assert len({frozenset(other.hands[E]) for other in others}) > 5
