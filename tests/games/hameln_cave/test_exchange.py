"""The exchange of one card each, before the tricks (H9)."""

from photofinish.engine import Seat
from photofinish.games.hameln_cave import GAME
from photofinish.games.hameln_cave.state import Pass, Play
from tests.games.by_hand import happened
from tests.games.hameln_cave.table import act, dealt, offered, refused


def test_H9_each_passes_without_waiting_and_the_cards_change_hands_when_both_are_in() -> None:
    state = dealt("henry", "rion")
    mine, yours = state.hands[0][0], state.hands[1][3]
    one = act(state, 1, Pass(yours))
    both = act(one, 0, Pass(mine))

    assert one.phase == "exchange"
    assert GAME.view(one, None).has_passed == (False, True)
    assert both.phase == "play"
    assert set(both.hands[0]) == {*state.hands[0], yours} - {mine}
    assert set(both.hands[1]) == {*state.hands[1], mine} - {yours}
    assert happened(both) == ["passed", "exchanged"]


def test_H9_a_pass_is_final_and_comes_from_the_hand() -> None:
    state = dealt("henry", "rion")
    one = act(state, 0, Pass(state.hands[0][0]))

    refused(one, 0, Pass(state.hands[0][1]), "H9")
    refused(state, 0, Pass(state.hands[1][0]), "H9")
    refused(state, 0, Play(state.hands[0][0]), "H11")
    assert offered(one, 0) == {}
    assert len(offered(one, 1)["pass"]) == 9


def test_H9_a_pass_is_seen_by_its_owner_alone_until_both_are_in_and_by_the_two_afterwards() -> None:
    state = dealt("henry", "rion")
    mine, yours = state.hands[0][2], state.hands[1][2]
    one = act(state, 0, Pass(mine))
    both = act(one, 1, Pass(yours))
    views = [GAME.view(both, viewer) for viewer in (Seat(0), Seat(1), None)]

    assert [GAME.view(one, viewer).my_pass for viewer in (Seat(0), Seat(1), None)] == [mine, None, None]
    assert [GAME.view(one, viewer).shown_pass for viewer in (Seat(0), Seat(1), None)] == [None] * 3
    assert [(seen.gave, seen.got) for seen in views] == [(mine, yours), (yours, mine), (None, None)]


def test_H35_Aria_is_shown_the_card_her_partner_passed_before_she_chooses() -> None:
    state = dealt("aria", "rion")
    theirs = state.hands[1][4]
    shown = act(state, 1, Pass(theirs))

    assert GAME.view(state, Seat(0)).shown_pass is None
    assert GAME.view(shown, Seat(0)).shown_pass == theirs
    assert GAME.view(shown, Seat(1)).shown_pass is None
    assert GAME.view(shown, None).shown_pass is None
    assert happened(shown) == ["passed", "shown"]
    assert all("card" not in it.detail for it in shown.last)


def test_H35_Aria_passes_a_card_of_her_nine_and_never_the_one_shown() -> None:
    state = dealt("aria", "rion")
    theirs = state.hands[1][4]
    shown = act(state, 1, Pass(theirs))

    refused(shown, 0, Pass(theirs), "H35")
    assert {"colour": theirs.colour, "number": theirs.number} not in offered(shown, 0)["pass"]
    assert len(offered(shown, 0)["pass"]) == 9


def test_H35_if_Aria_passes_first_she_is_shown_nothing() -> None:
    state = dealt("aria", "rion")
    first = act(state, 0, Pass(state.hands[0][0]))
    both = act(first, 1, Pass(state.hands[1][0]))

    assert happened(first) == ["passed"]
    assert happened(both) == ["passed", "exchanged"]


def test_H35_the_partner_of_Aria_is_shown_nothing() -> None:
    state = dealt("aria", "rion")
    first = act(state, 0, Pass(state.hands[0][0]))

    assert GAME.view(first, Seat(1)).shown_pass is None
