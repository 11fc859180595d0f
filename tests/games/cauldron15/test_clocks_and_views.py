"""Clocks, options and who sees what."""

from photofinish.engine import Rng, Seat
from photofinish.games.cauldron15 import GAME
from tests.games.cauldron15.table import bonus, card, cards, fresh, laid, play, spend, take, wait
from tests.games.cauldron15.test_bonus import kept_by_two, set_done

HANDS = (
    ("ore 7", "plant 7", "soul 7"),
    ("liquid 7", "ore 4", "ore 1"),
    ("ore 2", "liquid 1", "plant 1"),
    ("ore 0", "soul 0"),
)


def test_a_late_seat_plays_its_lowest_legal_card_ties_in_the_order_of_B1() -> None:
    assert wait(laid(HANDS)).trick[0].card == card("ore 7")
    assert wait(play(laid(HANDS), (0, "ore 7"))).trick[1].card == card("ore 1")
    assert wait(laid(HANDS, starter=2)).trick[0].card == card("plant 1")


def test_a_late_taker_takes_the_lowest_number_allowed() -> None:
    hands = (("ore 7", "plant 0"), ("liquid 7", "plant 1"), ("ore 1", "plant 2"))
    exact = play(laid(hands), (0, "ore 7"), (1, "liquid 7"), (2, "ore 1"))
    over = play(laid((*hands[:2], ("ore 2", "plant 2"))), (0, "ore 7"), (1, "liquid 7"), (2, "ore 2"))

    assert wait(exact).before[2] == cards("ore 1")
    assert wait(over).before[2] == cards("ore 7")


def test_a_late_bonus_is_declined_and_with_keep_bonus_kept() -> None:
    assert wait(set_done()).phase == "play"
    assert wait(set_done()).used == (0, 0, 0)
    assert wait(set_done(keep_bonus=True)).kept == (1, 0, 0)


def test_a_late_spend_spends_nothing_and_each_seat_has_its_own_clock() -> None:
    state = kept_by_two()
    keys = [(timer.key, timer.seat) for timer in GAME.timers(state)]
    after = wait(state)

    assert [seat for _, seat in keys] == [0, 1]
    assert after.spends == ((), None, None)
    assert [(timer.key, timer.seat) for timer in GAME.timers(after)] == keys[1:]
    assert wait(after).phase == "over"


def test_every_answer_has_a_clock_of_its_own_for_turn_seconds() -> None:
    state = fresh(3, turn_seconds=12)
    (first,) = GAME.timers(state)
    (second,) = GAME.timers(wait(state))

    assert (first.after, first.seat) == (12_000, state.turn)
    assert first.key != second.key


def test_turn_seconds_0_means_no_clock() -> None:
    assert [it.after for it in GAME.timers(fresh(4, turn_seconds=0))] == [None]
    assert GAME.timers(kept_by_two())
    assert [it.after for it in GAME.timers(set_done(turn_seconds=0))] == [None]


def test_open_discards_shows_the_pile_of_the_round_or_the_last_trick_only() -> None:
    hands = (("ore 5", "plant 6", "soul 6"), ("ore 4", "plant 3", "soul 5"), ("ore 3", "plant 2", "soul 4"))
    plays = ((0, "ore 5"), (1, "ore 4"), (2, "ore 3"), (0, "plant 6"), (1, "plant 3"), (2, "plant 2"))
    shown = GAME.view(play(laid(hands), *plays), None)
    hidden = GAME.view(play(laid(hands, open_discards=False), *plays), None)

    assert shown.discards == cards("ore 5", "ore 4", "plant 6", "plant 3")
    assert hidden.discards == cards("plant 6", "plant 3")
    assert hidden.discards_size == shown.discards_size == 4


def test_with_closed_discards_the_card_a_bonus_gave_up_is_seen_until_the_next_trick_ends() -> None:
    state = bonus(set_done(open_discards=False), 0, "plant 7")

    assert GAME.view(state, None).discards == cards("ore 5", "ore 4", "plant 7")


def test_a_seat_sees_its_own_hand_and_of_the_others_only_the_size() -> None:
    state = laid(HANDS)

    assert GAME.view(state, Seat(1)).hand == cards("ore 1", "ore 4", "liquid 7")
    assert GAME.view(state, Seat(1)).hand_sizes == (3, 3, 3, 2)
    assert GAME.view(state, None).hand is None


def test_the_trick_is_seen_with_who_played_what_in_order() -> None:
    view = GAME.view(play(laid(HANDS), (0, "ore 7"), (1, "ore 4")), None)

    assert [(it.seat, it.card) for it in view.trick] == [(0, card("ore 7")), (1, card("ore 4"))]
    assert (view.led, view.sum, view.starter, view.awaited) == ("ore", 11, 0, (2,))


def test_the_last_trick_stays_in_view_with_its_taker() -> None:
    state = play(laid(HANDS), (0, "ore 7"), (1, "ore 4"), (2, "ore 2"), (3, "ore 0"))
    trick = GAME.view(state, None).last_trick

    assert trick is not None
    assert (trick.sum, trick.taker, trick.taken) == (13, 0, card("ore 0"))
    assert len(trick.cards) == 4


def test_what_a_viewer_cannot_see_is_drawn_anew_and_what_it_sees_is_not() -> None:
    state = play(laid(HANDS), (0, "ore 7"))
    for viewer in (Seat(0), Seat(2), None):
        others = [GAME.resample(state, viewer, Rng(b"again", n)) for n in range(12)]

        assert all(GAME.view(it, viewer) == GAME.view(state, viewer) for it in others)
        assert len({it.hands[1] for it in others}) > 6
        assert len({it.deck for it in others}) > 6
        assert len({it.trumps for it in others}) > 6


def test_hidden_answers_and_buried_discards_are_drawn_anew_too() -> None:
    answered = spend(kept_by_two(), 1, "plant 6")
    buried = play(laid(HANDS, open_discards=False), (0, "ore 7"), (1, "ore 4"), (2, "ore 2"), (3, "ore 0"))
    buried = play(buried, (0, "soul 7"), (1, "liquid 7"), (2, "plant 1"))
    buried = take(buried, 2, "plant 1")

    assert len({GAME.resample(answered, Seat(0), Rng(b"again", n)).spends[1] for n in range(30)}) > 3
    assert {GAME.resample(answered, Seat(1), Rng(b"again", n)).spends[1] for n in range(9)} == {
        cards("plant 6")
    }
    assert len({GAME.resample(buried, Seat(0), Rng(b"again", n)).discards[:3] for n in range(12)}) > 6
