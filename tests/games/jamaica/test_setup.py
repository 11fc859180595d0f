"""Setup, clause by clause."""

import pytest

from photofinish.engine import IllegalMove, Rng, Seat, TableSetup
from photofinish.games.jamaica import GAME
from photofinish.games.jamaica.box import the_box
from photofinish.games.jamaica.state import JamaicaOptions
from tests.games.jamaica.table import cargo, fresh


def test_J1_the_board_is_a_ring_that_splits_and_joins_again() -> None:
    board = GAME.view(fresh(3), None).board

    assert [space.id for space in board] == list(range(50))
    assert [len([space for space in board if space.kind == kind]) for kind in ("sea", "port", "lair")] == [
        29,
        11,
        9,
    ]
    assert [space.id for space in board if len(space.next) > 1] == [6, 19, 32]
    assert [space.id for space in board if len(space.prev) > 1] == [15, 28, 41]
    assert all(space.id in board[after].prev for space in board for after in space.next)


def test_J1_a_client_can_draw_every_space_in_a_place_of_its_own() -> None:
    board = GAME.view(fresh(3), None).board
    spots = {(space.x, space.y) for space in board}

    assert len(spots) == 50
    assert all(0 <= x <= 1000 and 0 <= y <= 670 for x, y in spots)
    assert board[0].x > 500
    assert board[0].y < 335  # Port Royal is at the top right


@pytest.mark.parametrize("seats", range(2, 7))
def test_J2_every_seat_starts_in_port_royal_with_eleven_cards_three_of_them_in_hand(seats: int) -> None:
    state = fresh(seats)

    for seat in range(seats):
        deck = state.decks[seat]
        assert state.ships[seat].space == 0
        assert len(state.ships[seat].holds) == 5
        assert (len(deck.hand), len(deck.pile), deck.discard) == (3, 8, ())
        assert sorted((*deck.hand, *deck.pile)) == [card.id for card in the_box().actions]
    assert len({(deck.hand, deck.pile) for deck in state.decks}) == seats  # shuffled each on its own


def test_J3_three_food_and_three_doubloons_unless_the_host_says_otherwise() -> None:
    assert cargo(fresh(3), 1) == ["food 3", "gold 3", "", "", ""]
    assert cargo(fresh(3, start_food=5, start_gold=0), 1) == ["food 5", "", "", "", ""]


def test_J4_a_token_on_each_lair_and_nine_of_the_twelve_treasures_in_the_pile() -> None:
    state = fresh(3)
    board = GAME.view(state, None).board

    assert state.tokens == tuple(space.id for space in board if space.kind == "lair")
    assert (len(state.pile), len(state.left_out)) == (9, 3)
    assert sorted((*state.pile, *state.left_out)) == sorted(card.id for card in the_box().treasures)
    assert len({fresh(3, key=bytes([key])).pile for key in range(20)}) == 20


def test_J4_with_the_ghost_they_are_nine_of_eleven() -> None:
    state = fresh(2)

    assert (len(state.pile), len(state.left_out)) == (9, 2)
    assert "lady_beth" not in (*state.pile, *state.left_out)


def test_J6_the_first_captain_is_drawn_at_random() -> None:
    captains = {fresh(4, key=bytes([key])).captain for key in range(60)}

    assert captains == {0, 1, 2, 3}


def test_J44_the_ghost_sails_with_two_seats_and_where_the_host_wants_it_but_never_with_six() -> None:
    with_ghost = [seats for seats in range(2, 7) if fresh(seats).ghost is not None]

    assert with_ghost == [2]
    assert [fresh(seats, ghost_ship="on").ghost for seats in range(2, 6)] == [2, 3, 4, 5]
    with pytest.raises(IllegalMove) as refusal:
        GAME.setup(TableSetup(6, JamaicaOptions(ghost_ship="on")), Rng(b"six", 0))
    assert refusal.value.clause == "J44"


def test_J44_the_ghost_starts_in_port_royal_with_its_doubloons_and_lady_beth_and_is_black() -> None:
    state = fresh(5, ghost_ship="on")
    seen = GAME.view(state, Seat(0)).ships

    assert cargo(state, 5) == ["gold 5", "gold 3", "", "", ""]
    assert seen[5].ship == "ghost"
    assert seen[5].space == 0
    assert [it.card.id for it in seen[5].treasures if it.card] == ["lady_beth"]
    assert [it.colour == "black" for it in seen] == [False] * 5 + [True]
