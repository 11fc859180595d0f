"""B1 to B4: the box and the deal; and the file a host may replace."""

from pathlib import Path

import pytest

from photofinish.engine import Rng, TableSetup
from photofinish.games.cauldron15 import GAME
from photofinish.games.cauldron15.box import SHIPPED, the_box
from photofinish.games.cauldron15.state import KINDS, Card, Cauldron15Options
from tests.games.cauldron15.table import fresh
from tests.games.own_files import broken_key


def test_B1_there_are_five_kinds_with_the_numbers_0_to_7_each_once() -> None:
    assert KINDS == ("ore", "plant", "organism", "liquid", "soul")
    assert len(the_box().cards) == 40
    assert set(the_box().cards) == {Card(kind, number) for kind in KINDS for number in range(8)}


@pytest.mark.parametrize(("seats", "size"), [(2, 8), (3, 7), (4, 6), (5, 5)])
def test_B2_every_seat_gets_its_hand_and_the_rest_is_the_deck(seats: int, size: int) -> None:
    state = fresh(seats)
    lying = [
        *state.deck,
        *(played.card for played in state.trick),
        *(it for hand in state.hands for it in hand),
    ]

    assert [len(hand) for hand in state.hands] == [size] * seats
    assert sorted(map(repr, lying)) == sorted(map(repr, the_box().cards))


def test_B2_two_deals_differ() -> None:
    assert fresh(3, b"one").hands != fresh(3, b"two").hands


def test_B3_one_trump_card_per_kind_is_shuffled_and_the_top_one_is_open() -> None:
    opened = {fresh(3, bytes([n])).trump for n in range(60)}
    state = fresh(3)

    assert opened == set(KINDS)
    assert sorted(state.trumps) == sorted(KINDS)
    assert GAME.view(state, None).trump.kind == state.trumps[0]
    assert GAME.view(state, None).trumps_closed == 4


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_B4_the_first_starting_seat_is_drawn_by_lot(seats: int) -> None:
    first = {fresh(seats, bytes([n])).starter for n in range(60)}

    assert first == set(range(seats))


def test_B4_the_game_has_three_rounds() -> None:
    assert the_box().rounds == 3
    assert GAME.view(fresh(4), None).rounds == 3


def test_the_table_seats_two_to_five() -> None:
    assert list(GAME.seats) == [2, 3, 4, 5]


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('type = "soul"', 'type = "ore"', "colours"),
        ('type = "soul"', 'type = "ghost"', "colours[4].type"),
        ("numbers = [0, 1,", "numbers = [1, 1,", "deck.numbers"),
        ("6, 7]", "6, 9]", "deck.numbers"),
        ("material_cards = 40", "material_cards = 41", "deck.material_cards"),
        ("trump_cards = 5", "trump_cards = 4", "deck.trump_cards"),
        ("rounds = 3", "rounds = 6", "deck.rounds"),
        ("limit = 15", "limit = 31", "deck.limit"),
        ("limit = 15", "limit = 14", "deck.numbers"),
        ("limit = 15", 'limit = "x"', "deck.limit"),
        ("5 = 5", "6 = 5", "deal"),
        ("5 = 5", "5 = 0", "deal.5"),
        ("2 = 8", "2 = 9", "deal.2"),
    ],
)
def test_a_broken_card_file_of_the_host_is_refused_with_its_key(
    old: str, new: str, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert broken_key(the_box, SHIPPED, old, new, tmp_path, monkeypatch) == key


def test_B18_the_shipped_cards_suffice_for_the_last_deal_at_every_table() -> None:
    for seats in GAME.seats:
        hand = the_box().hand(seats)
        left = len(the_box().cards) - 2 * hand  # every trick of two rounds kept a card out

        assert left >= hand * seats + (hand if seats == 2 else 0)
        assert GAME.setup(TableSetup(seats, Cauldron15Options()), Rng(b"x", 0)).seats == seats
