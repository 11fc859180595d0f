"""B5 to B15: playing, ending and taking a trick."""

import pytest

from photofinish.engine import Seat
from photofinish.games.cauldron15 import GAME
from photofinish.games.cauldron15.box import the_box
from photofinish.games.cauldron15.state import Play, State, Take
from tests.games.by_hand import happened
from tests.games.cauldron15.table import act, card, cards, laid, offered, play, refused, take

FOUR = (
    ("ore 3", "plant 4", "soul 1"),
    ("ore 5", "ore 1", "soul 2"),
    ("plant 7", "liquid 2", "soul 3"),
    ("ore 7", "ore 2", "organism 0"),
)


def test_B5_the_starting_seat_leads_any_card() -> None:
    state = laid(FOUR, starter=0)

    assert offered(state, 0) == {"play": {"ore 3", "plant 4", "soul 1"}}
    assert offered(state, 1) == {}
    refused(state, 1, Play(card("ore 5")), "B5")


def test_B5_a_seat_that_holds_the_led_kind_must_follow() -> None:
    state = play(laid(FOUR), (0, "ore 3"))

    assert state.turn == 1
    assert offered(state, 1) == {"play": {"ore 5", "ore 1"}}
    text = refused(state, 1, Play(card("soul 2")), "B5")
    assert "ore" in text


def test_B5_a_seat_without_the_led_kind_plays_any_card() -> None:
    state = play(laid(FOUR), (0, "ore 3"), (1, "ore 1"))

    assert offered(state, 2) == {"play": {"plant 7", "liquid 2", "soul 3"}}


def test_B5_a_card_that_is_not_in_the_hand_is_refused_alike_wherever_it_lies() -> None:
    state = laid(FOUR)

    assert refused(state, 0, Play(card("ore 5")), "B5") == refused(state, 0, Play(card("soul 7")), "B5")
    assert state == laid(FOUR)


def test_B4_B5_play_goes_clockwise_round_the_table() -> None:
    state = play(laid(FOUR, starter=3), (3, "organism 0"))
    assert state.turn == 0
    state = play(state, (0, "soul 1"))

    assert state.turn == 1


def test_B6_everybody_sees_the_sum_grow() -> None:
    state = laid(FOUR)
    seen = []
    for seat, text in ((0, "ore 3"), (1, "ore 5")):
        state = play(state, (seat, text))
        seen.append(GAME.view(state, None).sum)

    assert seen == [3, 8]
    assert state.last[0].detail["sum"] == 8


def test_B7_exactly_15_ends_the_trick_and_the_seats_to_come_keep_their_cards() -> None:
    state = play(laid(FOUR), (0, "ore 3"), (1, "ore 5"), (2, "plant 7"))

    assert state.phase == "take"
    assert state.turn == 2
    assert [len(hand) for hand in state.hands] == [2, 2, 2, 3]


def test_B7_the_seat_that_makes_15_takes_the_trick_whatever_trumps_were_played() -> None:
    hands = (("ore 1", "plant 0"), ("soul 7", "plant 1"), ("liquid 7", "plant 2"), ("ore 7", "plant 3"))
    state = play(laid(hands, trump="soul"), (0, "ore 1"), (1, "soul 7"), (2, "liquid 7"))

    assert (state.phase, state.turn) == ("take", 2)


def test_B8_over_15_ends_the_trick_and_the_seat_that_passed_15_takes_it() -> None:
    hands = (("ore 6", "plant 0"), ("ore 7", "plant 1"), ("ore 3", "plant 2"), ("ore 5", "plant 3"))
    state = play(laid(hands), (0, "ore 6"), (1, "ore 7"), (2, "ore 3"))

    assert state.before[2] == cards("ore 7")
    assert len(state.hands[3]) == 2
    assert state.last[-1].detail["fill"] == "over"


def test_B9_under_15_the_highest_trump_takes_the_trick() -> None:
    hands = (("ore 6", "plant 0"), ("soul 1", "plant 1"), ("soul 2", "plant 2"), ("ore 0", "plant 3"))
    state = play(laid(hands, trump="soul"), (0, "ore 6"), (1, "soul 1"), (2, "soul 2"), (3, "ore 0"))

    assert state.before == ((), (), cards("ore 0"), ())


def test_B9_without_a_trump_the_highest_of_the_led_kind_takes_it_and_other_kinds_never_do() -> None:
    hands = (("ore 2", "plant 0"), ("liquid 7", "plant 1"), ("ore 3", "plant 2"), ("ore 1", "plant 3"))
    state = play(laid(hands, trump="soul"), (0, "ore 2"), (1, "liquid 7"), (2, "ore 3"), (3, "ore 1"))

    assert state.before == ((), (), cards("ore 1"), ())


def test_B9_a_led_trump_is_beaten_only_by_a_higher_one() -> None:
    hands = (("soul 2", "plant 0"), ("liquid 6", "plant 1"), ("soul 3", "plant 2"))
    state = play(laid(hands, trump="soul"), (0, "soul 2"), (1, "liquid 6"), (2, "soul 3"))

    assert state.before == ((), (), cards("soul 2"))


def test_B10_no_two_cards_end_a_trick() -> None:
    high = sorted((it.number for it in the_box().cards), reverse=True)
    hands = (("ore 7", "plant 0"), ("plant 7", "plant 1"), ("ore 0", "plant 2"))
    state = play(laid(hands), (0, "ore 7"), (1, "plant 7"))

    assert sum(high[:2]) == 14 < the_box().limit
    assert (state.phase, state.turn) == ("play", 2)


def test_B11_under_15_the_taker_gets_the_lowest_number_whatever_its_kind() -> None:
    hands = (("ore 5", "plant 0"), ("soul 1", "plant 1"), ("liquid 0", "plant 2"))
    state = play(laid(hands, trump="soul"), (0, "ore 5"), (1, "soul 1"), (2, "liquid 0"))

    assert state.before[1] == cards("liquid 0")


def test_B11_at_15_the_taker_gets_any_card_it_likes() -> None:
    state = play(laid(FOUR), (0, "ore 3"), (1, "ore 5"), (2, "plant 7"))

    assert offered(state, 2) == {"take": {"ore 3", "ore 5", "plant 7"}}
    for text in ("ore 3", "ore 5", "plant 7"):
        assert take(state, 2, text).before[2] == cards(text)


def test_B11_the_choice_is_the_takers_alone_and_only_of_the_trick() -> None:
    state = play(laid(FOUR), (0, "ore 3"), (1, "ore 5"), (2, "plant 7"))

    refused(state, 1, Take(card("ore 5")), "B11")
    refused(state, 2, Take(card("soul 3")), "B11")
    refused(state, 2, Play(card("soul 3")), "B11")
    assert offered(state, 1) == {}


def test_B11_over_15_only_the_highest_number_may_be_taken() -> None:
    state = _two_sevens()

    refused(state, 2, Take(card("ore 2")), "B11")


def test_B12_between_equal_numbers_the_taker_chooses() -> None:
    state = _two_sevens()

    assert offered(state, 2) == {"take": {"ore 7", "liquid 7"}}
    assert take(state, 2, "liquid 7").before[2] == cards("liquid 7")


def test_B12_between_equal_lowest_numbers_the_taker_chooses_too() -> None:
    hands = (("ore 5", "plant 0"), ("soul 1", "plant 1"), ("liquid 1", "plant 2"))
    state = play(laid(hands, trump="soul"), (0, "ore 5"), (1, "soul 1"), (2, "liquid 1"))

    assert offered(state, 1) == {"take": {"soul 1", "liquid 1"}}


def test_B12_with_no_choice_the_card_is_taken_at_once() -> None:
    hands = (("ore 5", "plant 0"), ("ore 4", "plant 1"), ("ore 3", "plant 2"))
    state = play(laid(hands), (0, "ore 5"), (1, "ore 4"), (2, "ore 3"))

    assert happened(state) == ["played", "took"]
    assert state.phase == "play"
    refused(state, 0, Take(card("ore 5")), "B12")


def test_B13_the_taker_cannot_refuse_the_card() -> None:
    state = _two_sevens()

    assert set(offered(state, 2)) == {"take"}


def test_B14_the_taken_card_lies_open_and_the_others_go_to_the_discards() -> None:
    state = take(play(laid(FOUR), (0, "ore 3"), (1, "ore 5"), (2, "plant 7")), 2, "ore 3")
    seen = GAME.view(state, Seat(3))

    assert seen.before == ((), (), cards("ore 3"), ())
    assert seen.discards == cards("ore 5", "plant 7")
    assert seen.totals == (0, 0, 3, 0)


def test_B15_the_taker_leads_the_next_trick() -> None:
    state = take(play(laid(FOUR), (0, "ore 3"), (1, "ore 5"), (2, "plant 7")), 2, "ore 3")

    assert (state.starter, state.turn, state.trick) == (2, 2, ())
    assert offered(state, 2) == {"play": {"liquid 2", "soul 3"}}


def test_B15_the_next_trick_goes_on_from_uneven_hands() -> None:
    state = take(play(laid(FOUR), (0, "ore 3"), (1, "ore 5"), (2, "plant 7")), 2, "ore 3")
    state = play(state, (2, "liquid 2"), (3, "ore 2"), (0, "plant 4"), (1, "ore 1"))

    assert [len(hand) for hand in state.hands] == [1, 1, 1, 2]
    assert state.tricks == 2


@pytest.mark.parametrize("seat", range(5))
def test_B7_with_five_seats_the_third_card_may_end_it_and_two_never_play(seat: int) -> None:
    hands = tuple((f"{kind} 5", f"{kind} 0") for kind in ("ore", "plant", "organism", "liquid", "soul"))
    order = [(seat + step) % 5 for step in range(3)]
    state = laid(hands, starter=seat)
    for who in order:
        state = act(state, who, Play(state.hands[who][1]))

    assert (state.phase, state.turn) == ("take", order[-1])
    assert sum(len(hand) for hand in state.hands) == 7


def _two_sevens() -> State:
    """Seat 2 has passed 15 with two sevens in the trick."""
    hands = (("ore 7", "plant 0"), ("liquid 7", "plant 1"), ("ore 2", "plant 2"), ("ore 5", "plant 3"))
    return play(laid(hands), (0, "ore 7"), (1, "liquid 7"), (2, "ore 2"))
