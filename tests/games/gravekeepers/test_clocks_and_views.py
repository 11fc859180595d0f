"""Clocks, options and who sees what."""

from photofinish.engine import Rng, Seat, replace
from photofinish.engine.convert import pack
from photofinish.games.gravekeepers import GAME
from photofinish.games.gravekeepers.state import Lying
from tests.games.by_hand import happened
from tests.games.gravekeepers.cemetery import (
    at_scoring,
    declare,
    draw,
    final,
    flip,
    fresh,
    ghost,
    ghosts,
    laid,
    lying,
    place,
    scored,
    wait,
)

ONE_EACH = ("white star", "black star")


def test_a_late_turn_is_played_whole_white_up_if_it_can_first_card_effects_declined() -> None:
    state = wait(laid(("white star", "white circle"), ONE_EACH, keepers=(2, 3), row=(15, 8, 14, 16)))

    assert state.keepers == (1, 3)
    assert lying(state, 1, 3) == Lying(ghost("white circle"), up=False)
    assert happened(state) == ["declared", "gained", "placed", "declined", "drew"]
    assert (state.phase, state.turn) == ("declare", 1)


def test_a_late_keeper_at_the_edge_goes_down_or_left_and_black_walks_right() -> None:
    black = ("black star", "black star")

    assert wait(laid(ONE_EACH, ONE_EACH, keepers=(0, 3))).keepers == (1, 3)
    assert wait(laid(black, ONE_EACH, keepers=(0, 1))).keepers == (0, 2)
    assert wait(laid(black, ONE_EACH, keepers=(0, 3))).keepers == (0, 2)


def test_a_late_draw_is_from_the_larger_pile_white_if_equal() -> None:
    def drawn(white: int, black: int) -> str:
        state = laid(ONE_EACH, ONE_EACH, white=("white circle",) * white, black=("black square",) * black)
        after = wait(place(declare(state, 0, "white", 1), 0, "white star"))
        return str(after.last[-1].detail["colour"])

    assert (drawn(4, 3), drawn(3, 4), drawn(3, 3)) == ("white", "black", "white")


def test_one_clock_runs_for_the_whole_turn() -> None:
    state = laid(ONE_EACH, ONE_EACH, turn_seconds=20)
    (first,) = GAME.timers(state)
    (second,) = GAME.timers(declare(state, 0, "white", 1))
    (other,) = GAME.timers(wait(state))

    assert first == second
    assert (first.after, first.seat) == (20_000, 0)
    assert (other.key != first.key, other.seat) == (True, 1)


def test_turn_seconds_0_means_no_turn_clock_but_final_cards_have_theirs() -> None:
    assert [it.after for it in GAME.timers(fresh(3, turn_seconds=0))] == [None]
    assert len(GAME.timers(at_scoring((("white star",), 0), (("white star",), 0), turn_seconds=0))) == 1


def test_a_late_final_card_is_the_first_white_before_black() -> None:
    state = at_scoring((("white star", "black star"), 0), (("white star",), 0), final_seconds=12)
    (clock,) = GAME.timers(state)
    after = wait(state)

    assert (clock.after, clock.seat) == (12_000, 0)
    assert ghost("black star") in after.shown[0]


def test_each_seat_has_its_own_clock_for_the_final_card() -> None:

    state = at_scoring((("white star",), 0), (("black star",), 0), (("black star",), 0))
    state = replace(
        state, finals=(None, None, None), hands=(ghosts("white star", "black square"), *state.hands[1:])
    )
    keys = [timer.key for timer in GAME.timers(state)]
    after = final(state, 1, "black star")

    assert [timer.seat for timer in GAME.timers(state)] == [0, 1, 2]
    assert [timer.key for timer in GAME.timers(after)] == [keys[0], keys[2]]
    assert wait(after).finals[0] == ghost("white star")


def test_a_late_scoring_effect_is_declined() -> None:
    state = scored((("white circle", "white triangle"), 0), (("black square",), 0), final_seconds=9)
    (clock,) = GAME.timers(state)
    after = wait(state)

    assert (clock.after, clock.seat) == (9_000, 0)
    assert "declined" in happened(after)
    assert ghost("white triangle") in after.shown[0]


def test_of_another_hand_only_the_colours_are_seen() -> None:
    state = laid(("white star", "white circle"), ONE_EACH)
    view = GAME.view(state, Seat(1))

    assert view.hand == ghosts("white star", "black star")
    assert [(it.white, it.black) for it in view.hand_counts] == [(2, 0), (1, 1)]
    assert GAME.view(state, None).hand is None


def test_the_symbol_of_a_card_placed_face_down_is_sent_to_nobody_again() -> None:
    layout = {"up": {}, "row": (8, 14, 16, 1)}
    one = laid(("white circle", "black star"), ONE_EACH, **layout)
    other = laid(("white triangle", "black star"), ONE_EACH, **layout)
    one = place(declare(one, 0, "white", 1), 0, "white circle")
    other = place(declare(other, 0, "white", 1), 0, "white triangle")

    for viewer in (Seat(0), Seat(1), None):
        assert pack(GAME.view(one, viewer)) == pack(GAME.view(other, viewer))
    assert GAME.view(one, Seat(0)).board[1][3].back == "white"


def test_a_drawn_card_is_seen_by_its_seat_and_its_colour_by_all() -> None:
    def drawn(symbol: str) -> tuple[bytes, bytes]:
        state = laid(ONE_EACH, ONE_EACH, white=(f"white {symbol}", "white star"))
        state = draw(place(declare(state, 0, "white", 1), 0, "white star"), 0, "white")
        return pack(GAME.view(state, Seat(1))), pack(GAME.view(state, Seat(0)))

    circle, triangle = drawn("circle"), drawn("triangle")
    assert circle[0] == triangle[0]
    assert circle[1] != triangle[1]


def test_a_face_down_ghost_gained_is_a_number_and_not_even_a_colour() -> None:
    def gained(text: str) -> bytes:
        state = laid(ONE_EACH, ONE_EACH, down={(1, 0): text})
        return pack(GAME.view(declare(state, 0, "white", 1), Seat(0)))

    assert gained("white circle") == gained("black square")


def test_the_client_sees_the_line_and_what_is_asked_where() -> None:
    state = laid(ONE_EACH, ONE_EACH, row=(10, 8, 14, 16), down={(3, 3): "white triangle"})
    state = place(declare(state, 0, "white", 1), 0, "white star")
    view = GAME.view(state, None)

    assert (view.white_row, view.black_col, view.asked) == (1, 3, "flip_white")
    assert view.visiting is not None
    assert (view.visiting.row, view.visiting.col) == (1, 0)
    assert (view.crossing.row, view.crossing.col) == (1, 3)
    assert view.line is not None
    assert (view.line.colour, view.line.index) == ("white", 1)
    assert GAME.view(flip(state, 0, 3, 3), None).asked is None


def test_what_a_viewer_cannot_see_is_drawn_anew_in_its_colour() -> None:
    state = laid(
        ("white star", "white circle"),
        ONE_EACH,
        down={(3, 3): "white triangle", (2, 2): "black diamond"},
        white=("white circle", "white star", "white triangle", "dawn", "white circle"),
    )
    others = [GAME.resample(state, Seat(1), Rng(b"again", n)) for n in range(40)]

    assert all(GAME.view(it, Seat(1)) == GAME.view(state, Seat(1)) for it in others)
    assert len({it.hands[0] for it in others}) > 3
    assert {it.hands[1] for it in others} == {state.hands[1]}
    assert len({lying(it, 3, 3) for it in others}) == 3
    assert {it.piles[0].index(None) for it in others} == {0, 1, 2, 3, 4}


def test_hidden_final_cards_and_face_down_ghosts_are_drawn_anew_too() -> None:
    state = at_scoring((("white star",), 2), (("black star",), 1))

    state = replace(
        state, hands=(state.hands[0], ghosts("white triangle", "black star")), out=ghosts("black square")
    )
    others = [GAME.resample(state, Seat(0), Rng(b"again", n)) for n in range(60)]

    assert len({it.finals[1] for it in others}) > 1
    assert {it.finals[0] for it in others} == {None}
    assert len({tuple(sorted(map(repr, it.down[0]))) for it in others}) > 1
    assert all(it.finals[1] in it.hands[1] for it in others)


def test_even_the_colours_of_face_down_ghosts_before_the_seats_are_drawn_anew() -> None:
    state = at_scoring((("white star",), 0), (("black star",), 0))
    state = replace(state, down=(ghosts("white circle", "white star"), ghosts("black square", "black star")))
    others = [GAME.resample(state, Seat(0), Rng(b"again", n)) for n in range(40)]

    assert len({tuple(it.colour for it in other.down[0]) for other in others}) == 4
