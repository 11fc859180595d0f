"""The deal, the look and the turn: K1 to K6."""

from collections import Counter

import pytest

from photofinish.engine import IllegalMove, Rng, Seat, TableSetup
from photofinish.engine.decks.cards import the_deck
from photofinish.engine.playthrough import start
from photofinish.games.kodiak import GAME
from photofinish.games.kodiak.moves import KodiakOptions
from tests.games.kodiak.board import CAT, MOUSE, OTHER, Board, board, empty_piles


def dealt(seats: int, seed: int = 0) -> Board:
    return Board(GAME.setup(TableSetup(seats, KodiakOptions()), Rng(b"deal", seed)))


@pytest.mark.parametrize("seats", range(2, 7))
def test_K1_everybody_gets_three_of_the_76_cards_face_down(seats: int) -> None:
    state = dealt(seats).state
    on_table = [slot for row in state.table for slot in row]

    assert [len(row) for row in state.table] == [3] * seats
    assert not any(slot.up for slot in on_table)
    assert Counter([*state.main, *(slot.card for slot in on_table)]) == Counter(the_deck().ids())
    assert state.discard == ()


def test_K1_the_first_kodiak_is_drawn_at_random() -> None:
    assert {dealt(4, seed).state.kodiak for seed in range(40)} == {0, 1, 2, 3}


@pytest.mark.parametrize("seats", [1, 7])
def test_K1_one_seat_or_seven_seats_are_refused(seats: int) -> None:
    with pytest.raises(IllegalMove) as refusal:
        GAME.setup(TableSetup(seats, KodiakOptions()), Rng(b"deal", 0))

    assert refusal.value.clause == "K1"


def test_K2_each_seat_sees_its_own_top_card_alone_until_it_is_ready() -> None:
    it = dealt(3)
    for seat in it.state.seats:
        for viewer in (*it.state.seats, None):
            seen = [slot.face is not None for slot in it.view(viewer).table[seat]]
            assert seen == [viewer == seat, False, False]

    it.send(MOUSE, "ready")

    assert it.slot(MOUSE, MOUSE, 0).face is None
    assert it.slot(OTHER, OTHER, 0).face is not None
    it.refuses("K2", MOUSE, "ready")


def test_K2_the_look_ends_with_its_clock_and_the_face_is_never_repeated() -> None:
    it = dealt(3)
    it.run_out("look")

    assert it.state.phase == "draw"
    assert all(slot.face is None for seat in it.state.seats for slot in it.view(seat).table[seat])


def test_K2_nobody_plays_before_all_have_put_their_card_back() -> None:
    it = dealt(2)
    cat = it.state.kodiak
    mouse = Seat(1 - cat)
    it.refuses("K2", cat, "draw")
    it.refuses(
        "K2", cat, "pounce", slot=0, mark=it.mark(cat, 0), seat=mouse, target=0, target_mark=it.mark(mouse, 0)
    )
    it.send(cat, "ready")
    it.refuses("K2", cat, "draw")
    it.send(mouse, "ready")

    it.send(cat, "draw")


def test_K3_kodiak_begins_and_turns_go_clockwise() -> None:
    it = dealt(3)
    it.run_out("look")
    cat = it.state.kodiak
    order = []
    for _ in range(4):
        order.append(it.state.turn)
        it.send(it.state.turn, "draw")
        it.run_out("keep")
        while it.state.is_waiting:
            it.run_out("action" if not it.state.ask else "offer")

    assert order == [cat, (cat + 1) % 3, (cat + 2) % 3, cat]


def test_K4_a_turn_is_draw_look_and_exchange() -> None:
    it = board(main=["y10_1"])
    it.send(CAT, "draw")

    assert it.view(CAT).drawn is not None
    assert it.view(CAT).drawn.rune == "10"
    assert it.view(MOUSE).drawn is None
    assert it.view(None).drawn is None
    assert it.offered(CAT) == {"keep", "pounce"}

    old = it.mark(CAT, 1)
    it.own(CAT, "keep", 1)

    assert it.cards(CAT) == ["y1_1", "y10_1", "y3_1"]
    assert it.mark(CAT, 1) != old
    assert it.view(None).discard_top.rune == "2"
    assert it.slot(CAT, CAT, 1).face is None
    assert it.state.turn == MOUSE


def test_K4_there_is_no_turn_without_an_exchange_and_no_turn_of_another() -> None:
    it = board(main=["y10_1"])
    it.refuses("K4", MOUSE, "draw")
    it.refuses_own("K4", CAT, "keep", 0)
    it.send(CAT, "draw")
    it.refuses("K4", CAT, "draw")
    it.refuses_own("K4", MOUSE, "keep", 0)
    it.refuses("K4", CAT, "keep", slot=0, mark=it.mark(CAT, 0) + 1)
    it.refuses("K4", CAT, "keep", slot=7, mark=1)


def test_K5_an_empty_main_pile_is_made_of_the_discards_but_the_top() -> None:
    it = board()
    empty_piles(it, ["y10_1", "y10_2", "y10_3", "b10_1"])
    it.send(CAT, "draw")

    assert it.state.discard == ("b10_1",)
    assert len(it.state.main) == 2
    assert {*it.state.main, it.state.drawn} == {"y10_1", "y10_2", "y10_3"}
    assert "reshuffled" in it.happened()


def test_K5_with_no_card_left_the_draw_ends_the_round() -> None:
    it = board()
    empty_piles(it, ["y10_1"])
    it.send(CAT, "draw")

    assert "round_ended" in it.happened()
    assert it.state.round == 1
    assert it.state.totals[MOUSE] == 4 + 5 + 6


def test_K5_a_penalty_card_that_cannot_be_drawn_is_skipped() -> None:
    it = board(main=["y10_1"])
    it.discard(0)
    empty_piles(it, ["y1_1"])
    it.own(MOUSE, "scurry", 0)

    assert "wrong_throw" in it.happened()
    assert len(it.state.table[MOUSE]) == 3


def test_K6_both_kings_are_identical() -> None:
    it = board(
        rows={CAT: ["red_king_1", "y2_1", "y3_1"], MOUSE: ["blue_king_1", "y5_1", "y6_1"]}, main=["y10_1"]
    )
    it.discard(0)
    it.own(MOUSE, "scurry", 0)

    assert "scurried" in it.happened()


@pytest.mark.parametrize(
    ("thrown", "verdict"), [("b2_1", "scurried"), ("peek_yours_1", "wrong_throw"), ("y10_2", "wrong_throw")]
)
def test_K6_the_rune_alone_makes_cards_identical(thrown: str, verdict: str) -> None:
    """Another colour of the same number is identical; as many points, or another action, is not."""
    first = "y2_1" if thrown == "b2_1" else "peek_mine_1"
    it = board(rows={CAT: [first, "y1_2", "y3_1"], MOUSE: [thrown, "y5_1", "y6_1"]}, main=["y10_1"])
    it.discard(0)
    it.own(MOUSE, "scurry", 0)

    assert verdict in it.happened()


def test_a_table_where_nobody_ever_moves_ends_after_one_main_pile_per_round() -> None:
    """Our own ruling beside K5: what was played by clocks alone is not made anew."""
    play = start(GAME, 2, b"asleep")
    while not play.is_over:
        assert play.wait()

    assert play.state.result is not None
    assert "without a move" in play.state.result.why
