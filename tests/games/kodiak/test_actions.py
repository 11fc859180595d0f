"""Action cards and the touching of Kodiak's cards: K7 to K14, K17."""

import pytest

from photofinish.engine import Seat, replace
from tests.games.kodiak.board import CAT, MOUSE, OTHER, THIRD, Board, board


def acting(kind: str, actor: Seat, seats: int = 3, **options: bool) -> Board:
    """The actor has just exchanged its slot 0, an action card, for a 10."""
    row = {CAT: ("y2_1", "y3_1"), MOUSE: ("y5_1", "y6_1"), OTHER: ("y8_1", "y9_1")}[actor]
    it = board(seats, rows={actor: [kind, *row]}, main=["y10_1"], turn=actor, **options)
    it.discard(0)
    return it


def test_K7_an_action_card_from_the_table_acts_and_is_compulsory() -> None:
    it = acting("peek_mine_1", CAT)

    assert [(debt.seat, debt.action) for debt in it.view(None).owed] == [(CAT, "peek_mine")]
    assert it.offered(CAT) == {"peek_mine", "pounce"}
    it.refuses("K8", MOUSE, "draw")


def test_K7_a_drawn_action_card_that_stays_on_the_table_does_not_act() -> None:
    it = board(main=["swap_1"])
    it.discard(0)

    assert it.state.owed == ()


def test_K7_several_actions_are_performed_in_the_order_of_landing() -> None:
    rows = {CAT: ["swap_1", "y2_1", "y3_1"], OTHER: ["swap_2", "swap_3", "y9_1"]}
    it = board(rows=rows, main=["y10_1"])
    it.discard(0)
    it.own(OTHER, "scurry", 0)
    it.own(OTHER, "scurry", 1)

    assert [debt.seat for debt in it.state.owed] == [CAT, OTHER, OTHER]
    it.refuses("K7", OTHER, "swap", a={"seat": CAT}, b={"seat": MOUSE, "slot": 0, "mark": it.mark(MOUSE, 0)})
    it.swap(CAT, (CAT, 0), (MOUSE, 0))
    it.swap(OTHER, (MOUSE, 0), (OTHER, 2))
    it.swap(OTHER, (MOUSE, 1), (OTHER, 2))

    assert it.state.owed == ()
    assert it.offered(MOUSE) == {"draw", "scurry"}


def test_K7_caught_cards_are_not_played() -> None:
    rows = {CAT: ["swap_1", "y2_1", "y3_1"], MOUSE: ["swap_2", "y5_1", "y6_1"]}
    it = board(rows=rows)
    it.pounce(0, MOUSE, 0)

    assert it.state.owed == ()


@pytest.mark.parametrize("by", ["pounce", "grab"])
def test_K7_kodiaks_own_card_acts_if_the_table_has_agreed_so(by: str) -> None:
    rows = {CAT: ["swap_1", "y2_1", "swap_3"], MOUSE: ["swap_2", "y5_1", "y6_1"]}
    it = board(rows=rows, main=["y10_1"], pounce_actions=True)
    if by == "pounce":
        it.pounce(0, MOUSE, 0)
    else:
        it.discard(0)
        it.swap(CAT, (MOUSE, 1), (OTHER, 1))
        it.own(MOUSE, "scurry", 0)
        it.own(CAT, "grab", 2)

    assert [(debt.seat, debt.kind, debt.by) for debt in it.state.owed] == [(CAT, "swap", "pounce")]


def test_K7_the_action_of_a_card_that_emptied_its_seat_lapses() -> None:
    it = board(rows={CAT: ["swap_1", "y2_1", "y3_1"], MOUSE: ["swap_2"]}, main=["y10_1"])
    it.discard(0)
    it.own(MOUSE, "scurry", 0)

    assert [debt.seat for debt in it.state.owed] == [CAT]


def test_K8_races_go_on_while_an_action_is_pending() -> None:
    it = board(rows={CAT: ["swap_1", "y2_1", "y3_1"], MOUSE: ["swap_2", "y5_1", "y6_1"]}, main=["y10_1"])
    it.discard(0)

    assert "scurry" in it.offered(MOUSE)
    it.own(MOUSE, "scurry", 0)
    assert "scurried" in it.happened()
    it.refuses("K8", MOUSE, "draw")


def test_K8_a_target_that_is_gone_is_refused_and_chosen_anew() -> None:
    it = board(rows={CAT: ["swap_1", "y2_1", "y5_2"]}, main=["y10_1"])
    it.discard(0)
    stale = {"seat": MOUSE, "slot": 1, "mark": it.mark(MOUSE, 1)}
    it.pounce(2, MOUSE, 1)
    own = {"seat": CAT, "slot": 0, "mark": it.mark(CAT, 0)}
    it.refuses("K11", CAT, "swap", a=own, b=stale)
    it.swap(CAT, (CAT, 0), (MOUSE, 1))

    assert it.state.owed == ()


def test_K8_a_swap_asked_for_a_card_that_is_pounced_away_is_chosen_anew() -> None:
    it = board(
        rows={CAT: ["y1_1", "y5_2", "y3_1"], MOUSE: ["swap_1", "y5_1", "y6_1"]}, main=["y10_1"], turn=MOUSE
    )
    it.discard(0)
    it.swap(MOUSE, (MOUSE, 1), CAT)
    it.pounce(1, MOUSE, 1)

    assert it.view(None).ask is None
    assert "swap" in it.offered(MOUSE)
    it.refuses_own("K11", CAT, "offer", 0)


def test_K9_peek_mine_shows_one_own_card_to_its_owner_for_a_while() -> None:
    it = acting("peek_mine_1", MOUSE)
    it.own(MOUSE, "peek_mine", 1)

    assert it.slot(MOUSE, MOUSE, 1).face.rune == "5"
    assert it.slot(CAT, MOUSE, 1).face is None
    assert it.slot(None, MOUSE, 1).face is None
    assert [(look.by, look.seat, look.slot) for look in it.view(None).peeks] == [(MOUSE, MOUSE, 1)]
    assert it.state.owed == ()

    it.run_out("peek")

    assert it.slot(MOUSE, MOUSE, 1).face is None


def test_K9_a_card_that_leaves_its_slot_is_no_longer_looked_at() -> None:
    it = acting("peek_mine_1", MOUSE)
    it.own(MOUSE, "peek_mine", 1)
    it.state = replace(it.state, turn=MOUSE)
    it.discard(1)

    assert it.view(None).peeks == ()


def test_K9_another_action_than_the_cards_own_is_refused() -> None:
    it = acting("peek_mine_1", CAT)
    it.refuses("K9", CAT, "expose", seat=MOUSE, slot=0, mark=it.mark(MOUSE, 0))
    it.refuses("K9", CAT, "peek_mine", slot=0, mark=it.mark(CAT, 0) - 1)


def test_K10_an_exposed_card_stays_face_up_for_all_until_traded_away() -> None:
    it = acting("peek_yours_1", CAT)
    it.at(CAT, "expose", MOUSE, 1)

    for viewer in (CAT, MOUSE, OTHER, None):
        assert it.slot(viewer, MOUSE, 1).up
        assert it.slot(viewer, MOUSE, 1).face.rune == "5"


def test_K10_an_exposed_card_that_is_exchanged_is_replaced_face_down() -> None:
    it = acting("peek_yours_1", CAT)
    it.at(CAT, "expose", MOUSE, 1)
    it.discard(1)

    assert not it.state.table[MOUSE][1].up
    assert it.slot(CAT, MOUSE, 1).face is None


def test_K10_the_only_mouse_has_nobody_to_expose_and_the_action_lapses() -> None:
    it = acting("peek_yours_1", MOUSE, seats=2)

    assert it.state.owed == ()
    assert "lapsed" in it.happened()


def test_K10_one_does_not_expose_ones_own_card() -> None:
    it = acting("peek_yours_1", MOUSE)
    it.refuses("K10", MOUSE, "expose", seat=MOUSE, slot=1, mark=it.mark(MOUSE, 1))


def test_K11_a_swap_moves_two_cards_and_turns_them_face_down() -> None:
    it = acting("swap_1", MOUSE, seats=4)
    row = it.state.table[OTHER]
    it.state = replace(
        it.state, table=(*it.state.table[:2], (replace(row[0], up=True), *row[1:]), *it.state.table[3:])
    )
    before = (it.mark(OTHER, 0), it.mark(THIRD, 2))
    it.swap(MOUSE, (OTHER, 0), (THIRD, 2))

    assert (it.cards(OTHER)[0], it.cards(THIRD)[2]) == ("b3_1", "y7_1")
    assert not it.state.table[THIRD][2].up
    assert not it.state.table[OTHER][0].up
    assert before != (it.mark(OTHER, 0), it.mark(THIRD, 2))
    assert it.state.owed == ()


def test_K11_kodiak_chooses_which_of_his_cards_goes() -> None:
    it = acting("swap_1", MOUSE)
    it.swap(MOUSE, (MOUSE, 1), CAT)

    assert it.view(None).ask is not None
    assert "offer" in it.offered(CAT)
    assert it.offered(MOUSE) == {"scurry"}
    own = {"seat": MOUSE, "slot": 2, "mark": it.mark(MOUSE, 2)}
    it.refuses("K11", MOUSE, "swap", a=own, b={"seat": CAT})
    it.refuses_own("K11", OTHER, "offer", 0)

    it.own(CAT, "offer", 2)

    assert it.cards(CAT) == ["y1_1", "y2_1", "y5_1"]
    assert it.cards(MOUSE)[1] == "y3_1"
    assert not it.state.is_waiting


def test_K11_a_mouse_may_ask_kodiak_for_a_third_seat_and_kodiak_names_his_own_slot() -> None:
    it = acting("swap_1", MOUSE)
    it.swap(MOUSE, CAT, (OTHER, 0))
    it.own(CAT, "offer", 0)
    assert it.cards(OTHER)[0] == "y1_1"

    it = acting("swap_1", CAT)
    it.swap(CAT, (CAT, 1), (OTHER, 0))
    assert it.cards(OTHER)[0] == "y2_1"


def test_K11_a_swap_is_between_two_seats_and_says_which_cards() -> None:
    it = acting("swap_1", MOUSE)
    one, two = ({"seat": MOUSE, "slot": n, "mark": it.mark(MOUSE, n)} for n in (1, 2))
    it.refuses("K11", MOUSE, "swap", a=one, b=two)
    it.refuses("K11", MOUSE, "swap", a=one, b={"seat": OTHER})
    it.refuses("K11", MOUSE, "swap", a=one, b={"seat": CAT, "mark": 3})
    it.refuses("K11", MOUSE, "swap", a=one, b={"seat": 5})
    it.refuses("K11", MOUSE, "swap", a=one, b={"seat": OTHER, "slot": 0})

    it = acting("swap_1", CAT)
    mouse = {"seat": MOUSE, "slot": 0, "mark": it.mark(MOUSE, 0)}
    it.refuses("K11", CAT, "swap", a=mouse, b={"seat": CAT})


def test_K12_the_red_king_gives_two_of_three_in_any_mix() -> None:
    it = acting("red_king_1", MOUSE)

    assert it.offered(MOUSE) == {"peek_mine", "look", "swap", "scurry"}

    it.at(MOUSE, "look", OTHER, 0)
    assert it.slot(MOUSE, OTHER, 0).face.rune == "7"
    assert it.slot(OTHER, OTHER, 0).face is None
    assert not it.state.table[OTHER][0].up

    it.own(MOUSE, "peek_mine", 1)
    assert it.state.owed == ()


def test_K12_the_red_king_may_do_the_same_thing_twice_but_nothing_else() -> None:
    it = acting("red_king_1", MOUSE)
    it.refuses("K12", MOUSE, "expose", seat=OTHER, slot=0, mark=it.mark(OTHER, 0))
    it.swap(MOUSE, (MOUSE, 1), (OTHER, 0))
    it.swap(MOUSE, (MOUSE, 1), CAT)
    it.own(CAT, "offer", 0)

    assert it.state.owed == ()
    it.refuses_own("K7", MOUSE, "peek_mine", 1)


def test_K12_kodiaks_cards_are_not_offered_for_a_look() -> None:
    it = acting("red_king_1", MOUSE, seats=2)

    assert it.offered(MOUSE) == {"peek_mine", "swap", "scurry"}


def test_K13_the_blue_king_turns_one_card_of_every_other_mouse_up_together() -> None:
    it = acting("blue_king_1", MOUSE, seats=4)
    it.at(MOUSE, "pick", OTHER, 1)

    assert not it.state.table[OTHER][1].up
    it.refuses("K13", MOUSE, "pick", seat=OTHER, slot=0, mark=it.mark(OTHER, 0))
    it.refuses("K13", MOUSE, "pick", seat=MOUSE, slot=1, mark=it.mark(MOUSE, 1))

    it.at(MOUSE, "pick", THIRD, 2)

    assert it.state.table[OTHER][1].up
    assert it.state.table[THIRD][2].up
    assert not any(slot.up for slot in it.state.table[CAT])
    assert it.state.owed == ()


def test_K13_a_picked_card_that_is_pounced_away_is_not_replaced() -> None:
    it = board(
        4,
        rows={CAT: ["y1_1", "y8_2", "y3_1"], MOUSE: ["blue_king_1", "y5_1", "y6_1"]},
        main=["y10_1"],
        turn=MOUSE,
    )
    it.discard(0)
    it.at(MOUSE, "pick", OTHER, 1)
    it.pounce(1, OTHER, 1)
    it.at(MOUSE, "pick", THIRD, 0)

    assert not any(slot.up for slot in it.state.table[OTHER])
    assert it.state.table[THIRD][0].up


def test_K13_the_blue_king_hits_kodiak_only_if_the_table_has_agreed_so() -> None:
    it = acting("blue_king_1", MOUSE, seats=2)
    assert it.state.owed == ()

    it = acting("blue_king_1", MOUSE, seats=2, blue_king_hits_kodiak=True)
    it.at(MOUSE, "pick", CAT, 0)

    assert it.state.table[CAT][0].up
    assert it.view(None).touched == ()


@pytest.mark.parametrize("card", ["energy_1", "y7_2", "b10_1"])
def test_K14_hairballs_and_numbers_have_no_action(card: str) -> None:
    it = acting(card, CAT)

    assert it.state.owed == ()
    assert "draw" in it.offered(MOUSE)


@pytest.mark.parametrize(
    ("kind", "name"), [("peek_yours_1", "expose"), ("red_king_1", "look"), ("blue_king_1", "pick")]
)
def test_K17_a_mouse_that_names_kodiaks_card_turns_one_of_its_own(kind: str, name: str) -> None:
    it = acting(kind, MOUSE)
    it.at(MOUSE, name, CAT, 0)

    assert it.happened() == ["touched"]
    assert it.view(None).touched == (MOUSE,)
    assert not it.state.table[CAT][0].up
    assert it.slot(MOUSE, CAT, 0).face is None
    assert it.offered(MOUSE) == {"touch_penalty", "scurry"}
    it.refuses("K17", MOUSE, name, seat=OTHER, slot=0, mark=it.mark(OTHER, 0))
    it.refuses_own("K17", OTHER, "touch_penalty", 0)

    it.own(MOUSE, "touch_penalty", 2)

    assert it.slot(None, MOUSE, 2).face.rune == "6"
    assert it.state.owed[0].left == (2 if kind == "red_king_1" else 1)
    assert name in it.offered(MOUSE)
    it.at(MOUSE, name, OTHER, 0)
    assert not it.state.touched


def test_K17_naming_kodiaks_slot_in_a_swap_is_touching_it() -> None:
    it = acting("swap_1", MOUSE)
    it.swap(MOUSE, (MOUSE, 1), (CAT, 0))

    assert it.view(None).touched == (MOUSE,)
    assert it.cards(CAT) == ["y1_1", "y2_1", "y3_1"]
    it.refuses("K8", OTHER, "draw")


def test_K17_a_stale_mark_touches_nothing_and_a_face_up_card_does_not_pay() -> None:
    it = acting("peek_yours_1", MOUSE)
    it.refuses("K10", MOUSE, "expose", seat=CAT, slot=0, mark=it.mark(CAT, 0) + 5)
    it.at(MOUSE, "expose", CAT, 0)
    it.own(MOUSE, "touch_penalty", 1)
    it.at(MOUSE, "expose", CAT, 1)
    it.refuses_own("K17", MOUSE, "touch_penalty", 1)


def test_K17_a_mouse_with_no_card_face_down_has_nothing_to_turn() -> None:
    it = acting("peek_yours_1", MOUSE)
    for slot in (0, 1, 2):
        it.at(MOUSE, "expose", CAT, 0)
        it.own(MOUSE, "touch_penalty", slot)
    it.at(MOUSE, "expose", CAT, 0)

    assert it.view(None).touched == ()
    assert "expose" in it.offered(MOUSE)


def test_K17_the_penalty_stays_due_when_the_action_lapses() -> None:
    rows = {CAT: ["peek_yours_1", "peek_yours_3", "y3_1"], MOUSE: ["peek_yours_2", "y5_1", "y6_1"]}
    it = board(rows=rows, main=["y10_1"])
    it.discard(0)
    it.own(MOUSE, "scurry", 0)
    it.at(CAT, "expose", OTHER, 0)
    it.at(MOUSE, "expose", CAT, 0)
    it.own(CAT, "grab", 1)

    assert it.state.owed == ()
    it.refuses("K8", MOUSE, "draw")
    it.own(MOUSE, "touch_penalty", 1)
    assert "draw" in it.offered(MOUSE)
