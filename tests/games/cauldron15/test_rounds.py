"""B16 to B22: rounds, and how two seats play."""

from itertools import pairwise

from photofinish.engine import Act, Rng, Seat
from photofinish.engine.convert import pack
from photofinish.engine.playthrough import random_steps, start
from photofinish.games.cauldron15 import GAME
from photofinish.games.cauldron15.box import the_box
from photofinish.games.cauldron15.state import KINDS, Play, State
from tests.games.by_hand import happened
from tests.games.cauldron15.table import card, cards, decline, laid, offered, play, refused, take

ENDING = (("ore 5", "plant 6"), ("ore 4", "soul 6"), ("ore 3",))
"""Seat 2 holds one card less, as after a trick that ended early."""


def test_B16_the_round_ends_when_a_trick_is_done_and_a_hand_is_empty() -> None:
    state = play(laid(ENDING), (0, "ore 5"), (1, "ore 4"))
    assert state.round == 1
    state = play(state, (2, "ore 3"))

    assert state.round == 2
    assert "round_over" in happened(state)


def test_B16_everybody_sees_the_sizes_of_the_hands_left_over() -> None:
    state = play(laid(ENDING), (0, "ore 5"), (1, "ore 4"), (2, "ore 3"))
    (event,) = (it for it in GAME.view(state, None).last if it.what == "round_over")

    assert event.detail == {"round": 1, "left": [1, 1, 0]}


def test_B16_a_hand_that_runs_empty_inside_a_trick_does_not_end_it() -> None:
    state = play(laid((("ore 5",), ("ore 4", "soul 6"), ("ore 3", "soul 5"))), (0, "ore 5"))

    assert state.hands[0] == ()
    assert (state.round, state.phase, state.turn) == (1, "play", 1)


def test_B16_nobody_sees_the_cards_left_in_another_hand() -> None:
    state = play(laid(ENDING, round_=3), (0, "ore 5"), (1, "ore 4"), (2, "ore 3"))

    assert state.phase == "over"
    assert GAME.view(state, Seat(0)).hand == cards("plant 6")
    assert GAME.view(state, Seat(2)).hand == ()
    assert GAME.view(state, None).hand is None
    assert GAME.view(state, None).hand_sizes == (1, 1, 0)
    assert b"plant" not in _sent(state, Seat(2))


def test_B17_all_but_the_taken_cards_are_dealt_again_by_the_table_of_B2() -> None:
    state = play(laid(ENDING, before=(("soul 7",), ("soul 0",))), (0, "ore 5"), (1, "ore 4"), (2, "ore 3"))
    again = [*state.deck, *(it for hand in state.hands for it in hand)]

    assert [len(hand) for hand in state.hands] == [7, 7, 7]
    assert state.before == (cards("soul 7", "ore 3"), cards("soul 0"), ())
    assert sorted(map(repr, [*again, *cards("soul 7", "ore 3", "soul 0")])) == sorted(
        map(repr, the_box().cards)
    )
    assert state.discards == ()


def test_B17_the_open_trump_goes_under_its_pile_and_no_kind_is_trump_twice() -> None:
    state = laid(ENDING)
    later = play(state, (0, "ore 5"), (1, "ore 4"), (2, "ore 3"))

    assert later.trumps == (*state.trumps[1:], state.trumps[0])
    for seed in range(12):
        trumps = [state.trump for state in _a_game(3, bytes([seed]))]
        changes = [trumps[0], *(b for a, b in pairwise(trumps) if a != b)]

        assert len(changes) == len(set(changes)) == 3


def test_B18_the_taker_of_the_last_trick_leads_the_new_round() -> None:
    hands = (("ore 3", "plant 6"), ("ore 4", "soul 6"), ("ore 5",))
    state = play(laid(hands), (0, "ore 3"), (1, "ore 4"), (2, "ore 5"))

    assert (state.round, state.starter, state.turn) == (2, 2, 2)
    assert offered(state, 2)
    assert not offered(state, 0)


def test_B18_the_cards_suffice_in_every_game() -> None:
    for seats in GAME.seats:
        for seed in range(8):
            for state in _a_game(seats, bytes([seed, seats])):
                parts = [state.deck, state.discards, *state.hands, *state.before]
                lying = [it for part in parts for it in part] + [played.card for played in state.trick]

                assert len(lying) == len(set(lying)) == 40


def test_B19_with_two_seats_the_top_card_of_the_deck_leads_every_trick() -> None:
    for state in _a_game(2, b"deck"):
        if state.phase == "play":
            assert state.trick[0].seat is None
    state = laid((("ore 5", "plant 1"), ("soul 2", "plant 2")), lead="ore 2")

    assert GAME.view(state, None).sum == 2
    assert GAME.view(state, None).led == "ore"
    assert offered(state, 0) == {"play": {"ore 5"}}
    refused(state, 0, Play(card("plant 1")), "B5")


def test_B19_the_next_lead_is_the_decks_next_card() -> None:
    state = laid((("ore 5", "plant 1"), ("ore 3", "plant 2")), lead="ore 2")
    later = play(state, (0, "ore 5"), (1, "ore 3"))

    assert later.trick[0].card == state.deck[0]
    assert later.deck == state.deck[1:]


def test_B20_the_first_play_goes_by_turns_through_all_rounds() -> None:
    starters: dict[int, Seat] = {}
    for state in _a_game(2, b"turns"):
        if state.phase == "play":
            starters.setdefault(state.tricks, state.starter)

    assert len(starters) == 24
    assert [starters[trick] for trick in range(24)] == [starters[0], 1 - starters[0]] * 12


def test_B20_the_taker_of_a_trick_does_not_go_first_for_that() -> None:
    state = laid((("ore 5", "plant 1"), ("ore 3", "plant 2")), lead="ore 2", starter=0)
    state = play(state, (0, "ore 5"), (1, "ore 3"))

    assert state.before[0] == cards("ore 2")
    assert (state.starter, state.turn) == (1, 1)


def test_B21_a_trick_the_decks_card_takes_goes_to_nobody() -> None:
    state = laid((("ore 3", "plant 1"), ("liquid 4", "plant 2")), lead="ore 6", trump="soul")
    state = play(state, (0, "ore 3"), (1, "liquid 4"))

    assert state.before == ((), ())
    assert state.discards == cards("ore 6", "ore 3", "liquid 4")
    assert "nobody_took" in happened(state)
    assert (state.tricks, state.starter) == (1, 1)


def test_B21_a_trump_the_deck_led_takes_it_too() -> None:
    state = laid((("ore 3", "plant 1"), ("liquid 4", "plant 2")), lead="soul 0", trump="soul")

    assert play(state, (0, "ore 3"), (1, "liquid 4")).before == ((), ())


def test_B21_at_or_over_15_it_is_always_the_second_seat_to_play_that_takes() -> None:
    exact = laid((("ore 3", "plant 1"), ("liquid 5", "plant 2")), lead="ore 7")
    over = laid((("ore 3", "plant 1"), ("liquid 6", "plant 2")), lead="ore 7")

    assert play(exact, (0, "ore 3"), (1, "liquid 5")).phase == "take"
    assert take(play(exact, (0, "ore 3"), (1, "liquid 5")), 1, "ore 7").before[1] == cards("ore 7")
    assert play(over, (0, "ore 3"), (1, "liquid 6")).before[1] == cards("ore 7")


def test_B22_a_round_of_two_has_eight_tricks_and_leaves_both_hands_empty() -> None:
    for seed in range(6):
        first: dict[int, int] = {}
        for state in _a_game(2, bytes([seed, 22])):
            first.setdefault(state.round, state.tricks)
            if state.phase == "play" and state.turn == state.starter:
                assert len(state.hands[0]) == len(state.hands[1])

        assert first == {1: 0, 2: 8, 3: 16}
        assert (state.tricks, state.hands) == (24, ((), ()))


def test_B16_the_round_waits_for_the_bonus_of_its_last_trick() -> None:
    before = (("plant 0", "organism 0", "liquid 0", "soul 0"),)
    state = play(laid(ENDING, before=before), (0, "ore 5"), (1, "ore 4"), (2, "ore 3"))
    assert (state.phase, state.round) == ("bonus", 1)
    state = decline(state, 0)

    assert (state.phase, state.round) == ("play", 2)


def _a_game(seats: int, key: bytes) -> list[State]:
    """Every state of a random game."""
    game = start(GAME, seats, key)
    states = [game.state]
    for event in random_steps(game, Rng(key, 1 << 40)):
        assert isinstance(event, Act) or event.timer
        states.append(game.state)
    assert set(states[0].trumps) == set(KINDS)
    return states


def _sent(state: State, viewer: Seat) -> bytes:
    view = GAME.view(state, viewer)
    return pack((view.hand, view.discards, view.before, view.trick, view.last))
