"""The end of a round and of the game: K24 to K26."""

import pytest

from photofinish.engine import Millis, Seat, replace
from photofinish.games.kodiak import GAME
from tests.games.kodiak.board import CAT, MOUSE, OTHER, Board, board

LAST = {CAT: ["y7_1", "b7_1", "y3_1"], MOUSE: ["y7_2"], OTHER: ["y8_1", "energy_1", "red_king_1"]}


def escaped(**options: object) -> Board:
    """A mouse has thrown its last card."""
    it = board(rows=LAST, main=["y10_1"], **options)
    it.discard(0)
    it.own(MOUSE, "scurry", 0)
    return it


def test_K24_kodiak_may_still_grab_the_last_card_for_a_while() -> None:
    it = escaped()
    clock = it.clocks()["grab"]

    assert it.state.round == 0
    assert clock.after == Millis(1500)
    assert clock.ends_race
    assert clock.seat is None
    assert clock.key.endswith(":1")
    assert it.view(None).race.last_card
    assert "draw" not in it.clocks()
    it.refuses("K24", MOUSE, "draw")

    it.own(CAT, "grab", 1)

    assert it.state.round == 0
    assert it.cards(MOUSE)[0] is not None
    assert "grab" not in it.clocks()
    assert "draw" in it.offered(MOUSE)


def test_K24_the_round_ends_when_the_time_to_grab_is_over() -> None:
    it = escaped()
    it.run_out("grab")

    assert it.state.round == 1
    assert it.state.result.points[MOUSE] == 0


def test_K24_there_is_nobody_to_pounce_on_when_the_only_mouse_has_thrown_its_last_card() -> None:
    it = board(2, rows={CAT: ["y7_1", "b7_1", "y3_1"], MOUSE: ["y7_2"]}, main=["y10_1"])
    it.discard(0)
    it.own(MOUSE, "scurry", 0)

    assert it.offered(CAT) == {"grab"}
    assert it.offered(MOUSE) == set()


def test_K24_a_wrong_grab_does_not_stop_the_clock() -> None:
    it = escaped()
    key = it.clocks()["grab"].key
    it.own(CAT, "grab", 2)

    assert it.clocks()["grab"].key == key


def test_K24_the_round_ends_at_once_if_the_table_has_agreed_so() -> None:
    it = escaped(last_card_grab=False)

    assert it.state.round == 1
    assert "round_ended" in it.happened()


def test_K24_kodiak_ends_the_round_with_his_last_card() -> None:
    it = board(rows={CAT: ["y4_2"]})
    it.pounce(0, MOUSE, 0)

    assert it.state.round == 1
    assert it.state.result.catches == 1
    assert it.state.result.points[CAT] == -5


def test_K24_a_grab_with_his_last_card_ends_it_too_after_the_mouse_has_refilled() -> None:
    it = board(
        rows={CAT: ["b7_1"], MOUSE: ["y7_2"], OTHER: ["y7_1", "y8_1", "y9_1"]}, main=["y10_1"], turn=OTHER
    )
    it.discard(0)
    it.own(MOUSE, "scurry", 0)
    it.own(CAT, "grab", 0)

    assert it.state.round == 1
    assert len(it.state.result.left[MOUSE]) == 1
    assert it.state.result.points[CAT] == -5


def test_K25_cards_left_count_and_a_hairball_counts_ten() -> None:
    it = escaped()
    it.run_out("grab")

    assert it.state.result.points == (10 + 7 + 3, 0, 8 + 10 - 2)
    assert [face.rune for face in it.view(None).last_round.left[OTHER]] == ["8", "sun", "king"]


@pytest.mark.parametrize("counts", [0, 20])
def test_K25_a_hairball_left_counts_what_the_table_has_agreed(counts: int) -> None:
    it = escaped(hairball_left=counts)
    it.run_out("grab")

    assert it.state.result.points[OTHER] == 8 + counts - 2


def test_K25_a_hairball_put_on_the_pile_costs_five_by_exchange_or_scurry() -> None:
    rows = {CAT: ["energy_1", "y2_1", "y3_1"], MOUSE: ["energy_2", "energy_3"]}
    it = board(rows=rows, main=["y10_1"], last_card_grab=False)
    it.discard(0)
    assert it.view(None).hairballs == (1, 0, 0)
    it.own(MOUSE, "scurry", 0)
    it.own(MOUSE, "scurry", 1)

    assert it.state.result.hairballs == (1, 2, 0)
    assert it.state.result.points[:2] == (10 + 2 + 3 + 5, 10)


def test_K25_each_pounce_or_grab_is_five_less_for_kodiak() -> None:
    rows = {CAT: ["y4_2", "y5_2", "y7_2"]}
    it = board(rows=rows, main=["y10_1"], turn=OTHER)
    it.pounce(0, MOUSE, 0)
    it.pounce(1, MOUSE, 1)
    it.pounce(2, OTHER, 0)

    assert it.state.result.points[CAT] == -15


def test_K26_kodiak_passes_to_the_left_with_a_new_deal() -> None:
    it = escaped()
    it.run_out("grab")

    assert it.state.kodiak == MOUSE
    assert it.state.turn == MOUSE
    assert it.state.phase == "look"
    assert [len(row) for row in it.state.table] == [3, 3, 3]
    assert it.state.hairballs == (0, 0, 0)
    assert it.state.catches == 0
    assert it.state.discard == ()


@pytest.mark.parametrize(("seats", "each"), [(2, 1), (2, 3), (3, 2)])
def test_K26_the_game_ends_when_everybody_was_kodiak_equally_often(seats: int, each: int) -> None:
    it = board(seats, rounds_each=each)
    cats = []
    while GAME.outcome(it.state) is None:
        cats.append(it.state.kodiak)
        if it.state.phase == "look":
            it.run_out("look")
        it.state = replace(it.state, main=(), discard=())
        it.send(it.state.turn, "draw")

    assert sorted(cats) == sorted([*range(seats)] * each)


def finished(totals: tuple[int, ...]) -> Board:
    """The last round has just ended by its last card; nobody scores in it but by what is left."""
    it = board(
        3, rows={CAT: ["y7_1", "y1_1"], MOUSE: ["y7_2"], OTHER: ["b1_1"]}, main=["y1_2"], last_card_grab=False
    )
    it.state = replace(it.state, round=2, totals=totals)
    it.discard(0)
    it.own(MOUSE, "scurry", 0)
    return it


def test_K26_fewest_points_win_and_equal_totals_share_the_win() -> None:
    assert GAME.outcome(finished((0, 9, 9)).state).winners == (CAT,)
    assert GAME.outcome(finished((9, 5, 4)).state).winners == (MOUSE, OTHER)
    assert GAME.scores(finished((9, 5, 4)).state) == (11, 5, 5)


def test_K26_after_the_end_nobody_can_do_anything_and_all_cards_are_seen() -> None:
    it = finished((0, 0, 0))

    assert GAME.timers(it.state) == ()
    assert GAME.race(it.state) is None
    for seat in it.state.seats:
        assert GAME.offers(it.state, seat) == ()
        it.refuses("K26", seat, "ready")
        it.refuses("K26", seat, "draw")
    assert it.slot(None, CAT, 1).face is not None


def test_K26_a_card_drawn_but_not_exchanged_when_the_game_ends_belongs_to_nobody() -> None:
    it = board(2, rows={CAT: ["y4_2"]})
    it.state = replace(it.state, round=1)
    it.send(CAT, "draw")
    it.pounce(0, MOUSE, 0)

    assert it.state.phase == "over"
    assert it.state.drawn is None
    assert len(it.state.main) + len(it.state.discard) + sum(c is not None for c in it.cards(Seat(1))) == 76
