"""G8 to G26: moving, gaining, placing, the effects, the refill and the end of the night."""

import pytest

from photofinish.engine import Rng, Seat
from photofinish.engine.playthrough import random_steps, start
from photofinish.games.gravekeepers import GAME
from photofinish.games.gravekeepers.state import (
    Declare,
    Decline,
    Draw,
    Final,
    Flip,
    Lying,
    MoveKeeper,
    Place,
    Relocate,
    State,
)
from tests.games.by_hand import happened
from tests.games.gravekeepers.cemetery import (
    BLANK_BLACK,
    declare,
    decline,
    draw,
    final,
    flip,
    ghost,
    ghosts,
    laid,
    lying,
    move,
    offered,
    place,
    refused,
    relocate,
)

ONE_EACH = ("white star", "black star")
TWO_WHITE = ("white star", "white circle")


def test_G8_a_keeper_walks_as_far_as_the_hand_holds_cards_of_its_colour() -> None:
    assert offered(laid(ONE_EACH, ONE_EACH, keepers=(1, 1)), 0) == {
        "declare": {("white", 0), ("white", 2), ("black", 0), ("black", 2)}
    }
    assert offered(laid(TWO_WHITE, ONE_EACH, keepers=(0, 1)), 0) == {"declare": {("white", 1), ("white", 2)}}


def test_G8_a_step_too_far_a_colour_not_held_and_another_seats_turn_are_refused() -> None:
    state = laid(TWO_WHITE, ONE_EACH)

    refused(state, 0, Declare("white", 3), "G8")
    refused(state, 0, Declare("black", 2), "G8")
    refused(state, 1, Declare("white", 1), "G8")
    assert offered(state, 1) == {}


def test_G8_white_walks_the_rows_and_black_the_columns() -> None:
    state = laid(ONE_EACH, ONE_EACH, keepers=(0, 3))

    assert declare(state, 0, "white", 1).keepers == (1, 3)
    assert declare(state, 0, "black", 2).keepers == (0, 2)


def test_G8_edges_do_not_join() -> None:
    state = laid(ONE_EACH, ONE_EACH, keepers=(0, 3))

    refused(state, 0, Declare("white", 3), "G8")
    refused(state, 0, Declare("black", 0), "G8")


def test_G9_a_keeper_may_not_stay() -> None:
    state = laid(TWO_WHITE, ONE_EACH, keepers=(1, 1))

    refused(state, 0, Declare("white", 1), "G9")
    assert ("white", 1) not in offered(state, 0)["declare"]


def test_G9_the_seat_on_turn_can_always_move() -> None:
    for seats in (2, 3, 4):
        game = start(GAME, seats, b"always")
        for _ in random_steps(game, Rng(b"always", 1 << 40)):
            if game.state.phase == "declare":
                assert offered(game.state, game.state.turn)["declare"]


def test_G10_the_line_is_the_row_of_white_or_the_column_of_black() -> None:
    state = laid(ONE_EACH, ONE_EACH, keepers=(0, 2))
    white, black = declare(state, 0, "white", 1), declare(state, 0, "black", 1)

    assert white.line is not None
    assert (white.line.colour, white.line.index, white.line.cells()) == ("white", 1, (4, 5, 6, 7))
    assert black.line is not None
    assert (black.line.colour, black.line.index) == ("black", 1)


def test_G11_every_ghost_on_the_line_is_gained_with_its_face_as_it_lies() -> None:
    state = laid(
        ONE_EACH,
        ONE_EACH,
        up={(1, 0): "white circle", (1, 2): "black square", (2, 0): "white star"},
        down={(1, 3): "black diamond"},
    )
    state = declare(state, 0, "white", 1)

    assert state.shown[0] == ghosts("white circle", "black square")
    assert state.down[0] == ghosts("black diamond")
    assert [lying(state, 1, col) for col in range(4)] == [None] * 4
    assert lying(state, 2, 0) is not None
    assert GAME.view(state, Seat(0)).face_down == (1, 0)


def test_G11_a_line_without_ghosts_gives_nothing() -> None:
    state = declare(laid(ONE_EACH, ONE_EACH), 0, "white", 1)

    assert GAME.scores(state) == (0, 0)
    assert state.phase == "place"


def test_G12_a_card_of_the_declared_colour_goes_face_down_on_the_crossing() -> None:
    state = declare(laid(TWO_WHITE, ONE_EACH), 0, "white", 1)
    assert offered(state, 0) == {"place": {"white star", "white circle"}}
    state = place(state, 0, "white star")

    assert lying(state, 1, 3) == Lying(ghost("white star"), up=False)
    assert state.hands[0] == ghosts("white circle")


def test_G12_only_a_held_card_of_that_colour_by_that_seat_now() -> None:
    first = laid(ONE_EACH, ONE_EACH)
    state = declare(first, 0, "white", 1)

    refused(first, 0, Place(ghost("white star")), "G12")
    refused(state, 0, Place(ghost("black star")), "G12")
    refused(state, 0, Place(ghost("white circle")), "G12")
    refused(state, 1, Place(ghost("white star")), "G12")


def test_G12_the_crossing_was_just_emptied_so_no_card_holds_two_ghosts() -> None:
    state = laid(ONE_EACH, ONE_EACH, up={(1, 3): "black square"})
    state = place(declare(state, 0, "white", 1), 0, "white star")

    assert state.shown[0] == ghosts("black square")
    assert lying(state, 1, 3) == Lying(ghost("white star"), up=False)


def test_G13_a_row_is_visited_from_left_to_right() -> None:
    state = placed_white(row=(3, 5, 1, 8), white=("white circle", "white triangle", "white star"))

    assert [(it.detail["col"], it.detail["card"]["symbol"]) for it in state.last if it.what == "added"] == [
        (0, "circle"),
        (1, "square"),
        (2, "triangle"),
    ]


def test_G13_a_column_is_visited_from_bottom_to_top() -> None:
    state = placed_black(col=(2, 4, 6, 7), black=("black diamond", "black square", "black star"))

    assert [(it.detail["row"], it.detail["card"]["symbol"]) for it in state.last if it.what == "added"] == [
        (3, "diamond"),
        (2, "square"),
        (1, "circle"),
    ]


def test_G13_the_effect_is_that_of_the_declared_colours_keeper_and_a_blank_does_nothing() -> None:
    assert "added" in happened(placed_white(row=(1, 8, 14, 16)))  # add_white under white
    assert "added" not in happened(placed_black(col=(1, *BLANK_BLACK)))  # move_white under black
    assert placed_black(col=(1, *BLANK_BLACK)).phase == "effect"
    assert placed_white(row=(8, 14, 16, 3)).phase == "draw"


def test_G14_the_crossing_is_skipped() -> None:
    state = placed_white(row=(8, 14, 16, 1))

    assert "added" not in happened(state)
    assert state.phase == "draw"


def test_G14_but_not_if_an_earlier_effect_moved_its_ghost_away() -> None:
    state = placed_white(row=(7, 8, 14, 1), white=("white triangle",))
    assert state.phase == "effect"
    state = relocate(state, 0, 1, 3)

    assert lying(state, 1, 0) == Lying(ghost("white star"), up=False)
    assert lying(state, 1, 3) == Lying(ghost("white triangle"), up=True)


def test_G13_a_card_already_visited_is_not_visited_again() -> None:
    """The first card gets a ghost; the second takes it away again; the first is not asked twice."""
    state = placed_white(row=(1, 7, 8, 14), white=("white triangle", "white circle"))
    state = relocate(state, 0, 1, 0)

    assert lying(state, 1, 0) is None
    assert len(state.piles[0]) == 1
    assert state.phase == "draw"


def test_G15_the_line_stays_even_if_an_effect_moves_the_keeper() -> None:
    state = placed_white(row=(15, 1, 8, 14), white=("white triangle",))
    assert offered(state, 0) == {"move": {0, 2, 3}, "decline": set()}
    state = move(state, 0, 3)

    assert state.keepers == (3, 3)
    assert lying(state, 1, 1) == Lying(ghost("white triangle"), up=True)


def test_G16_an_optional_effect_may_be_declined() -> None:
    state = decline(placed_white(row=(15, 8, 14, 16)), 0)

    assert state.keepers == (1, 3)
    assert state.phase == "draw"
    refused(state, 0, Decline(), "G16")


def test_G16_an_effect_with_no_target_lapses_unasked() -> None:
    assert placed_white(row=(13, 8, 14, 16)).phase == "draw"  # flip_black, and no black card face down
    assert placed_white(row=(11, 8, 14, 16)).phase == "draw"  # relocate_black, and no black ghost


def test_G16_other_seats_and_other_answers_are_refused() -> None:
    state = placed_white(row=(15, 8, 14, 16))

    refused(state, 1, MoveKeeper(0), "G18")
    refused(state, 1, Decline(), "G16")
    refused(state, 0, Relocate(1, 3), "G19")
    refused(state, 0, Flip(1, 3), "G20")
    refused(state, 0, Draw("white"), "G21")


def test_G17_an_add_puts_the_top_card_of_its_pile_face_up_on_the_card() -> None:
    state = placed_white(row=(5, 8, 14, 16), black=("black diamond", "black square"))

    assert lying(state, 1, 0) == Lying(ghost("black diamond"), up=True)
    assert state.piles[1] == ghosts("black square")


def test_G17_an_empty_pile_adds_nothing() -> None:
    state = placed_white(row=(1, 8, 14, 16), white=(), dawns=(True, False))

    assert lying(state, 1, 0) is None
    assert state.phase == "draw"


def test_G18_a_moved_keeper_gains_nothing_and_triggers_nothing() -> None:
    state = placed_white(row=(12, 8, 14, 16), up={(0, 0): "black square"})
    assert offered(state, 0)["move"] == {0, 1, 2}
    state = move(state, 0, 0)

    assert state.keepers == (1, 0)
    assert lying(state, 0, 0) is not None
    assert state.shown[0] == ()
    refused(placed_white(row=(12, 8, 14, 16)), 0, MoveKeeper(3), "G18")


def test_G19_a_ghost_of_that_colour_on_any_other_card_moves_here_with_its_face() -> None:
    state = placed_white(
        row=(11, 8, 14, 16), up={(0, 0): "black square", (3, 3): "white circle"}, down={(2, 2): "black star"}
    )
    assert offered(state, 0) == {"relocate": {(0, 0), (2, 2)}, "decline": set()}
    refused(state, 0, Relocate(3, 3), "G19")
    refused(state, 0, Relocate(3, 0), "G19")
    state = relocate(state, 0, 2, 2)

    assert lying(state, 1, 0) == Lying(ghost("black star"), up=False)
    assert lying(state, 2, 2) is None


def test_G20_a_face_down_ghost_of_that_colour_is_turned_up() -> None:
    state = placed_white(
        row=(10, 8, 14, 16),
        up={(0, 0): "white circle"},
        down={(2, 2): "black star", (3, 3): "white triangle"},
    )
    assert offered(state, 0) == {"flip": {(3, 3), (1, 3)}, "decline": set()}
    refused(state, 0, Flip(2, 2), "G20")
    refused(state, 0, Flip(0, 0), "G20")
    state = flip(state, 0, 3, 3)

    assert lying(state, 3, 3) == Lying(ghost("white triangle"), up=True)
    assert GAME.view(state, None).board[3][3].ghost == ghost("white triangle")


def test_G21_the_seat_draws_from_either_pile_that_is_not_empty_and_the_turn_ends() -> None:
    state = placed_white()
    assert offered(state, 0) == {"draw": {"white", "black"}}
    drawn = draw(state, 0, "black")

    assert drawn.hands[0] == ghosts("black square", "black star")
    assert (drawn.turn, drawn.phase, drawn.turns, drawn.line) == (1, "declare", 1, None)
    refused(state, 1, Draw("white"), "G21")


def test_G21_an_empty_pile_cannot_be_drawn_from() -> None:
    state = placed_white(white=(), dawns=(True, False))

    assert offered(state, 0) == {"draw": {"black"}}
    refused(state, 0, Draw("white"), "G21")


def test_G21_with_both_piles_empty_there_is_no_refill() -> None:
    state = placed_white(white=(), black=(), dawns=(True, True))

    assert state.hands[0] == ghosts("black star")
    assert state.turn == 1


def test_G22_a_dawn_card_is_shown_and_the_draw_is_repeated() -> None:
    state = draw(placed_white(white=("dawn", "white triangle", "white circle")), 0, "white")
    pile = GAME.view(state, None).piles[0]

    assert state.hands[0] == ghosts("white triangle", "black star")
    assert (pile.size, pile.dawn is not None) == (1, True)
    assert happened(state) == ["dawn", "drew"]


def test_G22_a_dawn_card_turned_up_by_an_add_is_laid_aside_and_the_next_card_placed() -> None:
    state = placed_white(row=(1, 8, 14, 16), white=("dawn", "white triangle"))

    assert lying(state, 1, 0) == Lying(ghost("white triangle"), up=True)
    assert state.dawns == (True, False)


def test_G22_if_the_dawn_card_was_the_last_the_refill_comes_from_the_other_pile() -> None:
    state = draw(placed_white(white=("dawn",), black=("black diamond",)), 0, "white")

    assert state.hands[0] == ghosts("black diamond", "black star")
    assert state.dawns == (True, False)


def test_G22_if_both_dawn_cards_were_the_last_there_is_no_refill() -> None:
    state = draw(placed_white(white=("dawn",), black=("dawn",)), 0, "white")

    assert state.hands[0] == ghosts("black star")
    assert state.dawns == (True, True)
    assert state.turn == 1


def test_G22_if_the_dawn_card_was_the_last_an_add_lapses() -> None:
    state = placed_white(row=(1, 8, 14, 16), white=("dawn",))

    assert lying(state, 1, 0) is None
    assert state.dawns == (True, False)


def test_G23_when_both_dawn_cards_are_out_the_lap_is_played_to_the_seat_before_the_start() -> None:
    state = draw(
        placed_white(white=("dawn", "white circle", "white circle"), dawns=(False, True)), 0, "white"
    )
    assert (state.phase, state.turn) == ("declare", 1)
    assert GAME.view(state, None).last_lap
    state = place(declare(state, 1, "white", 0), 1, "white star")
    while state.phase == "effect":
        state = decline(state, 1)
    state = draw(state, 1, "black")

    assert state.phase == "final"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_G23_all_have_equally_many_turns(seats: int) -> None:
    for seed in range(6):
        game = start(GAME, seats, bytes([seed]))
        laps = set()
        for _ in random_steps(game, Rng(bytes([seed]), 1 << 40)):
            if game.state.phase == "declare" and all(game.state.dawns):
                laps.add(game.state.turns // seats)

        assert len(laps) <= 1  # the lap in which the second one came out is the last
        assert game.state.turns % seats == 0


def test_G24_a_pile_is_used_after_its_dawn_card_and_every_turn_before_the_end_takes_a_card() -> None:
    game = start(GAME, 3, b"onwards")
    sizes: dict[int, int] = {}
    for _ in random_steps(game, Rng(b"onwards", 1 << 40)):
        if game.state.phase == "declare" and not all(game.state.dawns):
            sizes[game.state.turns] = sum(map(len, game.state.piles))
    state = draw(placed_white(white=("white circle",), dawns=(True, False)), 0, "white")

    assert list(sizes.values()) == sorted(set(sizes.values()), reverse=True)
    assert state.hands[0] == ghosts("white circle", "black star")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_G25_an_empty_pile_has_shown_its_dawn_card_and_every_hand_ends_with_one_or_two_cards(
    seats: int,
) -> None:
    for seed in range(12):
        game = start(GAME, seats, bytes([seed, 25]))
        for _ in random_steps(game, Rng(bytes([seed]), 1 << 40)):
            state = game.state
            assert all(pile or out for pile, out in zip(state.piles, state.dawns, strict=True))
            if state.phase == "final":
                assert all(len(hand) in {1, 2} for hand in state.hands)


def dawned(**options: object) -> State:
    """The lap is over; both seats choose a final card."""
    state = placed_white(("white triangle", "black square"), dawns=(True, True), **options)
    state = draw(state, 0, "black")
    state = place(declare(state, 1, "white", 0), 1, "white triangle")
    while state.phase == "effect":
        state = decline(state, 1)
    return draw(state, 1, "black")


def test_G26_the_final_card_is_chosen_hidden_from_the_hand() -> None:
    state = dawned()
    assert GAME.view(state, None).awaited == (0, 1)
    assert offered(state, 0) == {"final": {"black square", "black star"}}
    refused(state, 0, Final(ghost("white circle")), "G26")
    one, other = final(state, 0, "black square"), final(state, 0, "black star")

    for viewer in (Seat(1), None):
        assert GAME.view(one, viewer) == GAME.view(other, viewer)
        assert GAME.view(one, viewer).chosen == (True, False)
    assert GAME.view(one, Seat(0)).final == ghost("black square")
    refused(one, 0, Final(ghost("black star")), "G26")


def test_G26_when_all_have_chosen_the_cards_are_turned_up_together() -> None:
    state = final(final(dawned(), 0, "black star"), 1, "black square")

    assert ghost("black star") in state.shown[0]
    assert ghost("black square") in state.shown[1]
    assert [it.what for it in state.last][:3] == ["chose", "final", "final"]


def test_G26_a_card_left_in_hand_is_out_unseen_and_uncounted() -> None:
    state = final(final(dawned(), 0, "black star"), 1, "black square")

    assert state.hands == ((), ())
    assert sorted(it.symbol for it in state.out) == ["square", "square"]
    assert GAME.scores(state)[0] == 1
    assert GAME.view(state, Seat(0)).hand == ()


def test_G26_final_card_down_adds_it_face_down() -> None:
    state = final(final(dawned(final_card="down"), 0, "black star"), 1, "black square")

    assert state.shown[0] == ()
    assert state.down[0] == ghosts("black star")
    assert all("card" not in it.detail for it in state.last if it.what == "final")


def test_G26_no_final_card_before_the_lap_is_over() -> None:
    refused(laid(ONE_EACH, ONE_EACH), 0, Final(ghost("white star")), "G26")


def placed_white(second: tuple[str, ...] = ONE_EACH, **layout: object) -> State:
    """Seat 0 has walked white to row 1 and placed its white star at column 3."""
    return place(declare(laid(ONE_EACH, second, **layout), 0, "white", 1), 0, "white star")


def placed_black(**layout: object) -> State:
    """Seat 0 has walked black to column 1 and placed its black star at row 0."""
    state = laid(ONE_EACH, ONE_EACH, keepers=(0, 2), **layout)
    return place(declare(state, 0, "black", 1), 0, "black star")
