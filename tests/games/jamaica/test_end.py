"""The effects of treasures, the last round, the score and the winner."""

import pytest

from photofinish.engine import Seat, replace
from photofinish.games.jamaica import GAME
from photofinish.games.jamaica.box import the_box
from photofinish.games.jamaica.state import Choose, Load, State
from tests.games.jamaica.table import (
    FOOD_FORWARD,
    FORWARD_FOOD,
    GOLD_GOLD,
    POWERS,
    cargo,
    does,
    events,
    laid,
    offered,
    played,
    refuses,
    rings,
    ship,
)


def over(*ships: object, **rest: object) -> State:
    """A finished game with the ships where they are: the last of them has just come home."""
    return replace(laid(ships, [GOLD_GOLD] * len(ships), **rest), phase="over")


@pytest.mark.parametrize("card", POWERS)
def test_J37_a_power_lies_face_up_for_everybody(card: str) -> None:
    state = played(laid([ship(3)] + [ship(0)] * 2, [FORWARD_FOOD, GOLD_GOLD, GOLD_GOLD], pile=[card]))

    lying = GAME.view(state, None).ships[0].treasures
    assert [(it.up, it.card.id) for it in lying if it.card] == [(True, card)]
    assert events(state, "treasure")[0].detail["card"] == card


@pytest.mark.parametrize("card", ["t3a", "t7b", "c4"])
def test_J37_a_points_card_lies_face_down_and_only_its_owner_may_look(card: str) -> None:
    state = played(laid([ship(3)] + [ship(0)] * 2, [FORWARD_FOOD, GOLD_GOLD, GOLD_GOLD], pile=[card]))
    state = does(state, 0, Load(0))  # as often as he likes: later too

    own = GAME.view(state, Seat(0)).ships[0].treasures
    assert [it.card.id for it in own if it.card] == [card]
    for viewer in (Seat(1), Seat(2), None):
        assert [(it.up, it.curse, it.card) for it in GAME.view(state, viewer).ships[0].treasures] == [
            (False, False, None)
        ]


def test_J37_only_the_owner_sees_the_value_of_a_treasure() -> None:
    found = {
        card: played(laid([ship(3)] + [ship(0)] * 2, [FORWARD_FOOD, GOLD_GOLD, GOLD_GOLD], pile=[card]))
        for card in ("t7a", "c4")
    }

    assert events(found["t7a"], "treasure_worth", 0)[0].detail["points"] == 7
    for viewer in (Seat(1), None):
        assert GAME.view(found["t7a"], viewer).last == GAME.view(found["c4"], viewer).last


def test_J37_a_seat_may_hold_any_number() -> None:
    own = ship(3, treasures=["t3a", "t3b", "t5", "c2", "morgans_map"])
    state = played(laid([own] + [ship(0)] * 2, [FORWARD_FOOD, GOLD_GOLD, GOLD_GOLD]))

    assert [it.place for it in state.ships[0].treasures] == [0, 1, 2, 3, 4, 5]


def test_J41_the_round_is_completed_and_the_finishers_evening_is_dropped() -> None:
    ships = [ship(48, "food 9"), ship(20), ship(20)]
    state = played(laid(ships, [FORWARD_FOOD, FOOD_FORWARD, GOLD_GOLD], dice=(3, 1)))

    assert state.ships[0].has_finished
    assert events(state, "dropped")
    assert cargo(state, 0) == ["food 9", "", "", "", ""]
    assert offered(state, 1) == ["load"]  # the others still act
    while state.phase != "over":
        state = rings(state, "stay")
    assert GAME.outcome(state) is not None
    assert state.round == 1


def test_J41_after_the_end_every_move_is_refused_and_nothing_is_asked() -> None:
    state = over(ship(0, lap=1), ship(20), ship(20))

    refuses(state, 0, Load(0), "J41")
    refuses(state, 1, Choose(1), "J41")
    assert [offered(state, seat) for seat in range(3)] == [[], [], []]
    assert GAME.timers(state) == ()


def test_J42_space_doubloons_treasures_less_curses() -> None:
    home = ship(0, "gold 6", "food 4", "gold 2", lap=1, treasures=["t7a", "c3", "lady_beth"])
    late = ship(44, "gunpowder 5", treasures=["t3a"])
    state = over(home, late, ship(48))

    assert GAME.scores(state) == (15 + 8 + 7 - 3, 5 + 3, 9)


def test_J42_every_space_up_to_the_line_costs_five_and_so_does_being_behind_port_royal() -> None:
    for space, lap, score in (
        (38, 0, -5),
        (1, 0, -5),
        (41, 0, 2),
        (49, 0, 10),
        (49, -1, -5),
        (0, 0, -5),
        (0, 1, 15),
    ):
        assert GAME.scores(over(ship(space, lap=lap), ship(20), ship(20)))[0] == score


def test_J43_the_highest_score_wins_and_a_tie_goes_to_the_ship_nearest_home() -> None:
    clear = GAME.outcome(over(ship(0, lap=1), ship(41, "gold 20"), ship(20)))
    tied = GAME.outcome(over(ship(44, "gold 10"), ship(0, lap=1), ship(20)))
    shared = GAME.outcome(over(ship(0, lap=1), ship(0, lap=1), ship(20)))

    assert clear is not None
    assert tied is not None
    assert shared is not None
    assert clear.winners == (1,)
    assert tied.winners == (1,)  # 15 each
    assert "nearest home" in tied.why
    assert shared.winners == (0, 1)


def test_J43_spaces_still_to_sail_go_by_the_shortest_branch_and_laps_count() -> None:
    to_go = the_box().chart.to_go

    assert (to_go(0, 1), to_go(0, 0), to_go(0, -1)) == (0, 32, 64)
    assert (to_go(49, 0), to_go(49, -1)) == (1, 33)
    assert to_go(6, 0) == 1 + to_go(13, 0) == 3 + to_go(15, 0)
    assert to_go(7, 0) == 6 + to_go(15, 0)


def test_J43_two_ships_as_near_by_other_branches_share() -> None:
    outcome = GAME.outcome(over(ship(12, "gold 30"), ship(14, "gold 30"), ship(20)))

    assert outcome is not None
    assert outcome.winners == (0, 1)


def test_J42_hidden_points_are_in_no_view_before_the_end() -> None:
    running = laid([ship(20, treasures=["t7a"]), ship(20), ship(20)], [GOLD_GOLD] * 3)
    ended = replace(running, phase="over")

    for viewer in (Seat(0), Seat(1), None):
        seen = GAME.view(running, viewer)
        assert (seen.scores, seen.hands, seen.left_out_cards) == (None, None, None)
    seen = GAME.view(ended, None)
    assert seen.scores == GAME.scores(ended)
    assert seen.ships[0].treasures[0].card is not None
    assert seen.hands is not None
    assert [len(hand) for hand in seen.hands] == [3, 3, 3]
    assert seen.left_out_cards is not None
    assert len(seen.left_out_cards) == len(ended.left_out)
