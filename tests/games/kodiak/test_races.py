"""Scurry, pounce and grab: K15, K16, K18 to K23."""

from typing import Any

import pytest

from photofinish.engine import Millis, Rng, Seat
from photofinish.engine.offers import admits
from photofinish.games.kodiak import GAME
from photofinish.games.kodiak.moves import Draw, Grab, Pounce, Scurry
from tests.games.kodiak.board import CAT, MOUSE, OTHER, Board, board, empty_piles
from tests.games.leaks import unlike

SEVENS = {CAT: ["y7_1", "b7_1", "y3_1"], MOUSE: ["y7_2", "y7_3", "y6_1"], OTHER: ["y8_1", "y8_2", "y9_1"]}
"""Kodiak and one mouse hold two sevens each."""
RIVALS = {CAT: ["y7_1", "y2_1", "y3_1"], MOUSE: ["y7_2", "y5_1", "y6_1"], OTHER: ["y7_3", "b7_1", "y9_1"]}
"""Two mice can answer Kodiak's seven."""


def landed(rows: dict[Seat, Any], **options: object) -> Board:
    """Kodiak has exchanged his slot 0 for a ten."""
    it = board(rows=rows, main=["y10_1"], **options)
    it.discard(0)
    return it


def test_K15_a_landed_card_opens_a_race_for_all_seats() -> None:
    it = board(rows=SEVENS, main=["y10_1"])
    assert GAME.race(it.state) is None
    it.refuses_own("K15", MOUSE, "scurry", 0)

    it.discard(0)
    race = GAME.race(it.state)

    assert race is not None
    assert race.seats == (CAT, MOUSE, OTHER)
    assert race.contested == (Scurry, Grab)
    assert race.opener == CAT
    assert it.view(None).race.card.rune == "7"


def test_K15_the_first_mouse_wins_and_alone_may_throw_more() -> None:
    it = landed(RIVALS)
    it.own(OTHER, "scurry", 1)
    it.own(MOUSE, "scurry", 0)

    assert it.happened() == ["too_slow"]

    it.own(OTHER, "scurry", 0)

    assert it.cards(OTHER) == [None, None, "y9_1"]
    assert it.cards(MOUSE)[0] == "y7_2"
    assert it.view(None).race.winner == OTHER
    assert it.view(None).race.thrown == 2


def test_K15_a_mouse_may_answer_its_own_discard() -> None:
    it = board(rows=SEVENS, main=["y10_1"], turn=MOUSE)
    it.discard(0)
    it.own(MOUSE, "scurry", 1)

    assert it.cards(MOUSE) == ["y10_1", None, "y6_1"]


def test_K15_pounced_cards_go_under_the_top_and_open_no_race() -> None:
    rows = {**RIVALS, CAT: ["y7_1", "y9_2", "y3_1"]}
    it = landed(rows)
    key = GAME.race(it.state).key
    it.pounce(1, OTHER, 2)

    assert it.state.discard == ("y9_1", "y9_2", "y7_1")
    assert GAME.race(it.state).key == key
    it.own(MOUSE, "scurry", 0)
    assert it.happened() == ["scurried"]


def test_K16_a_slow_card_is_seen_by_all_for_a_while_and_goes_back_unpunished() -> None:
    it = landed(RIVALS)
    it.own(OTHER, "scurry", 0)
    mark = it.mark(MOUSE, 0)
    it.own(MOUSE, "scurry", 0)

    assert it.slot(None, MOUSE, 0).face.rune == "7"
    assert it.mark(MOUSE, 0) == mark
    assert len(it.cards(MOUSE)) == 3

    it.run_out("show")

    assert it.slot(None, MOUSE, 0).face is None
    assert it.slot(MOUSE, MOUSE, 0).face is None


def test_K16_a_wrong_card_is_seen_by_all_and_costs_an_unseen_card_in_a_new_slot() -> None:
    it = landed(SEVENS)
    top = it.state.main[-1]
    it.own(MOUSE, "scurry", 2)

    assert it.happened() == ["wrong_throw", "penalty"]
    assert it.cards(MOUSE) == ["y7_2", "y7_3", "y6_1", top]
    assert it.slot(CAT, MOUSE, 2).face.rune == "6"
    assert it.slot(MOUSE, MOUSE, 3).face is None
    assert it.view(None).race.winner is None


def test_K16_guessing_is_free_if_the_table_has_agreed_so() -> None:
    it = landed(SEVENS, wrong_throw_penalty=False)
    it.own(MOUSE, "scurry", 2)

    assert it.happened() == ["wrong_throw"]
    assert len(it.cards(MOUSE)) == 3


def test_K18_an_identical_pounce_discards_both_and_the_mouse_refills_unseen() -> None:
    it = board(rows=SEVENS)
    top, marks = it.state.main[-1], (it.mark(CAT, 0), it.mark(MOUSE, 1))
    it.pounce(0, MOUSE, 1)

    assert it.cards(CAT) == [None, "b7_1", "y3_1"]
    assert it.cards(MOUSE) == ["y7_2", top, "y6_1"]
    assert set(it.state.discard) == {"y7_1", "y7_3"}
    assert it.view(None).catches == 1
    assert it.slot(MOUSE, MOUSE, 1).face is None
    assert marks[0] != it.mark(CAT, 0)
    assert marks[1] != it.mark(MOUSE, 1)
    assert [(card.face.rune, card.caught) for card in it.view(None).shown] == [("7", True), ("7", True)]


def test_K18_what_was_caught_is_shown_though_the_refill_shuffles_it_into_a_new_main_pile() -> None:
    it = board(rows=SEVENS)
    empty_piles(it, ["y10_1"])
    it.pounce(0, MOUSE, 1)

    assert "reshuffled" in it.happened()
    assert [(card.face.rune, card.caught) for card in it.view(OTHER).shown] == [("7", True), ("7", True)]
    for viewer in (CAT, MOUSE, OTHER, None):
        assert unlike(GAME, viewer, it.state, GAME.resample(it.state, viewer, Rng(b"other", 0))) is None


def test_K18_a_missed_pounce_shows_both_and_costs_kodiak_a_card() -> None:
    it = board(rows=SEVENS)
    it.pounce(0, MOUSE, 2)

    assert it.happened() == ["missed_pounce", "penalty"]
    assert it.slot(None, CAT, 0).face.rune == "7"
    assert it.slot(None, MOUSE, 2).face.rune == "6"
    assert len(it.cards(CAT)) == 4
    assert it.view(None).catches == 0

    it.run_out("show")
    it.run_out("show")

    assert it.slot(None, CAT, 0).face is None
    assert it.slot(None, MOUSE, 2).face is None


def test_K18_a_missed_pounce_is_free_if_the_table_has_agreed_so() -> None:
    it = board(rows=SEVENS, wrong_throw_penalty=False)
    it.pounce(0, MOUSE, 2)

    assert len(it.cards(CAT)) == 3


def test_K18_only_kodiak_pounces_and_only_on_unchanged_cards_of_mice() -> None:
    it = board(rows=SEVENS)
    own, prey = it.mark(CAT, 0), it.mark(MOUSE, 0)
    it.refuses("K18", MOUSE, "pounce", slot=0, mark=prey, seat=OTHER, target=0, target_mark=it.mark(OTHER, 0))
    it.refuses("K18", CAT, "pounce", slot=0, mark=own, seat=CAT, target=1, target_mark=it.mark(CAT, 1))
    it.refuses("K18", CAT, "pounce", slot=0, mark=own, seat=MOUSE, target=0, target_mark=prey + 1)
    it.refuses("K18", CAT, "pounce", slot=0, mark=own + 1, seat=MOUSE, target=0, target_mark=prey)
    it.refuses("K18", CAT, "pounce", slot=0, mark=own, seat=5, target=0, target_mark=prey)


def test_K18_a_pounce_is_possible_at_any_moment_of_the_round() -> None:
    it = board(rows=SEVENS, main=["y10_1", "y10_2"])
    it.pounce(0, MOUSE, 0)
    it.send(CAT, "draw")
    it.pounce(1, MOUSE, 1)

    assert it.view(None).catches == 2
    assert it.state.phase == "exchange"


def test_K19_with_a_hairball_any_pounce_is_identical_but_not_on_a_hairball() -> None:
    rows = {CAT: ["energy_1", "y2_1", "y3_1"], MOUSE: ["y4_1", "energy_2", "y6_1"]}
    it = board(rows=rows)
    it.pounce(1, MOUSE, 1)
    assert "missed_pounce" in it.happened()

    it.pounce(0, MOUSE, 0)

    assert "pounced" in it.happened()
    assert it.view(None).catches == 1
    assert it.view(None).hairballs == (0, 0, 0)


def test_K20_a_grab_undoes_the_escape() -> None:
    it = landed(SEVENS)
    it.own(MOUSE, "scurry", 0)
    it.own(MOUSE, "scurry", 1)
    unseen = it.state.main[-2:]
    it.own(CAT, "grab", 1)

    assert it.cards(CAT) == ["y10_1", None, "y3_1"]
    assert it.cards(MOUSE) == [unseen[1], unseen[0], "y6_1"]
    assert it.view(None).catches == 1
    assert it.slot(MOUSE, MOUSE, 0).face is None
    it.refuses_own("K20", MOUSE, "scurry", 2)
    it.refuses_own("K20", CAT, "grab", 0)
    assert it.offered(OTHER) == set()
    assert it.offered(MOUSE) == {"draw"}


def test_K20_a_hairball_grabs_too() -> None:
    it = landed({**SEVENS, CAT: ["y7_1", "energy_1", "y3_1"]})
    it.own(MOUSE, "scurry", 0)
    it.own(CAT, "grab", 1)

    assert "grabbed" in it.happened()
    assert it.view(None).hairballs == (0, 0, 0)


def test_K20_a_grab_with_another_rune_is_shown_and_costs_a_card() -> None:
    it = landed(SEVENS)
    it.own(MOUSE, "scurry", 0)
    it.own(CAT, "grab", 2)

    assert it.happened() == ["missed_grab", "penalty"]
    assert it.slot(None, CAT, 2).face.rune == "3"
    assert len(it.cards(CAT)) == 4
    it.own(CAT, "grab", 1)
    assert "grabbed" in it.happened()


def test_K20_only_kodiak_grabs_and_only_in_a_race() -> None:
    it = board(rows=RIVALS, main=["y10_1"])
    it.refuses_own("K20", CAT, "grab", 0)
    it.discard(0)
    it.own(MOUSE, "scurry", 0)
    it.refuses_own("K20", OTHER, "grab", 0)


def test_K21_kodiak_never_scurries_nor_grabs_what_no_mouse_has_answered() -> None:
    it = landed(SEVENS)

    it.refuses_own("K21", CAT, "scurry", 1)
    it.refuses_own("K21", CAT, "grab", 1)
    assert it.offered(CAT) == {"pounce"}


def test_K22_pounces_and_the_draw_are_ordered_with_the_race() -> None:
    it = landed(SEVENS)
    race = GAME.race(it.state)

    assert race.anytime == (Pounce,)
    assert race.closers == (Draw,)
    assert race.not_before == Millis(1500)
    assert race.throws == 0

    it.own(MOUSE, "scurry", 0)

    assert GAME.race(it.state).throws == 1
    assert GAME.race(it.state).key == race.key


def test_K22_the_draw_closes_the_race_and_what_comes_later_is_refused_unseen() -> None:
    it = landed(SEVENS)
    it.send(MOUSE, "draw")

    assert GAME.race(it.state) is None
    it.refuses_own("K15", MOUSE, "scurry", 0)
    it.refuses_own("K20", CAT, "grab", 1)
    assert it.view(None).shown == ()


def test_K22_an_empty_slot_or_a_changed_card_cannot_be_thrown() -> None:
    it = landed(SEVENS)
    it.refuses("K15", MOUSE, "scurry", slot=0, mark=it.mark(MOUSE, 0) + 1)
    it.refuses("K15", MOUSE, "scurry", slot=3, mark=1)
    it.own(MOUSE, "scurry", 0)
    it.refuses_own("K15", MOUSE, "scurry", 0)


@pytest.mark.parametrize("performed", [False, True])
def test_K23_what_a_grabbed_escape_has_not_yet_done_lapses(performed: bool) -> None:
    rows = {CAT: ["peek_mine_1", "peek_mine_2", "y3_1"], MOUSE: ["peek_mine_3", "peek_mine_4", "y6_1"]}
    it = board(rows=rows, main=["y10_1"])
    it.discard(0)
    it.own(CAT, "peek_mine", 2)
    it.own(MOUSE, "scurry", 0)
    it.own(MOUSE, "scurry", 1)
    if performed:
        it.own(MOUSE, "peek_mine", 2)
    it.own(CAT, "grab", 1)

    assert it.state.owed == ()
    assert (it.slot(MOUSE, MOUSE, 2).face is not None) == performed
    assert "draw" in it.offered(MOUSE)


def test_K23_the_action_of_the_discard_that_opened_the_race_stays_owed() -> None:
    rows = {CAT: ["peek_mine_1", "peek_mine_2", "y3_1"], MOUSE: ["peek_mine_3", "y5_1", "y6_1"]}
    it = board(rows=rows, main=["y10_1"])
    it.discard(0)
    it.own(MOUSE, "scurry", 0)
    it.own(CAT, "grab", 1)

    assert [debt.seat for debt in it.state.owed] == [CAT]


def test_K23_a_swap_that_kodiak_was_asked_for_lapses_with_its_escape() -> None:
    rows = {CAT: ["swap_1", "swap_2", "y3_1"], MOUSE: ["swap_3", "y5_1", "y6_1"]}
    it = board(rows=rows, main=["y10_1"])
    it.discard(0)
    it.swap(CAT, (MOUSE, 1), (OTHER, 0))
    it.own(MOUSE, "scurry", 0)
    it.swap(MOUSE, (MOUSE, 1), CAT)
    it.own(CAT, "grab", 1)

    assert not it.state.is_waiting
    it.refuses_own("K11", CAT, "offer", 0)


def test_K16_a_double_click_costs_one_penalty_card() -> None:
    it = landed(SEVENS)
    it.own(OTHER, "scurry", 0)
    cards = it.cards(OTHER)

    it.refuses_own("K16", OTHER, "scurry", 0)
    assert it.cards(OTHER) == cards
    assert (0, it.mark(OTHER, 0)) not in rows_of(it, OTHER, "scurry")
    it.own(OTHER, "scurry", 1)  # another card is another throw
    assert len(it.cards(OTHER)) == len(cards) + 1


def test_K16_a_card_thrown_too_late_is_not_shown_again_for_a_second_click() -> None:
    it = landed(RIVALS)
    it.own(MOUSE, "scurry", 0)
    it.own(OTHER, "scurry", 0)

    it.refuses_own("K16", OTHER, "scurry", 0)


def test_K20_a_second_click_of_a_wrong_grab_costs_nothing_more() -> None:
    it = landed(RIVALS)
    it.own(MOUSE, "scurry", 0)
    it.own(CAT, "grab", 1)
    cards = it.cards(CAT)

    it.refuses_own("K20", CAT, "grab", 1)
    assert it.cards(CAT) == cards
    assert (1, it.mark(CAT, 1)) not in rows_of(it, CAT, "grab")


def test_K18_a_second_click_of_a_missed_pounce_costs_nothing_while_both_cards_lie_open() -> None:
    it = board(rows=SEVENS)
    it.pounce(0, MOUSE, 2)
    cards = it.cards(CAT)
    again = {"slot": 0, "mark": it.mark(CAT, 0), "seat": MOUSE, "target": 2, "target_mark": it.mark(MOUSE, 2)}

    it.refuses("K18", CAT, "pounce", **again)
    assert it.cards(CAT) == cards
    assert not admits(GAME.offers(it.state, CAT), {"t": "pounce", **again})
    it.pounce(0, MOUSE, 0)  # the seven that lies open on another seven
    assert "pounced" in it.happened()


def test_K18_when_the_cards_are_put_back_the_same_pounce_is_a_new_one() -> None:
    it = board(rows=SEVENS)
    it.pounce(0, MOUSE, 2)
    it.run_out("show")
    it.run_out("show")
    it.pounce(0, MOUSE, 2)

    assert it.happened() == ["missed_pounce", "penalty"]


def rows_of(it: Board, seat: int, name: str) -> list[tuple[int, ...]]:
    """The slots and marks this seat is offered for that move."""
    choices = [made.choices[0] for made in GAME.offers(it.state, seat) if made.move == name]
    return [row for choice in choices for row in choice.rows]
