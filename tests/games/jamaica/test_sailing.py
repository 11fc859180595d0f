"""Loading, moving, paying and shortages."""

import pytest

from photofinish.games.jamaica.box import the_box
from photofinish.games.jamaica.state import Load, Pay, Sail, State
from tests.games.jamaica.table import (
    BACKWARD_FORWARD,
    FORWARD_BACKWARD,
    FORWARD_FOOD,
    FORWARD_FORWARD,
    GOLD_FORWARD,
    GOLD_GOLD,
    POWDER_FOOD,
    awaited,
    cards_of,
    cargo,
    does,
    events,
    laid,
    offered,
    played,
    refuses,
    rows,
    ship,
)

AWAY = ship(0, "gold 1", "gold 1")
"""A ship that does nothing here. With gold twice it asks where to load, so the round stops there."""


def alone(own, card: int, dice: tuple[int, int], *rolls: str, **rest: object) -> State:
    return played(laid([own, AWAY, AWAY], [card, GOLD_GOLD, GOLD_GOLD], dice=dice, **rest), *rolls)


def test_J12_the_dies_number_goes_into_one_empty_hold_of_ones_choice() -> None:
    state = alone(ship(0, "food 3", "gold 3"), GOLD_GOLD, (5, 1))

    assert rows(state, 0, "load") == [(2,), (3,), (4,)]
    refuses(state, 0, Load(1), "J12")  # never added to
    assert cargo(does(state, 0, Load(4)), 0) == ["food 3", "gold 3", "", "", "gold 5"]


def test_J12_it_is_not_for_others_to_load() -> None:
    state = alone(ship(0), GOLD_GOLD, (5, 1))

    refuses(state, 1, Load(2), "J12")


def test_J13_with_no_empty_hold_one_of_another_resource_is_emptied() -> None:
    own = ship(0, "food 3", "gold 3", "gunpowder 1", "gold 1", "gold 2")
    state = alone(own, GOLD_GOLD, (5, 1))

    assert rows(state, 0, "load") == [(0,), (2,)]
    refuses(state, 0, Load(1), "J13")
    refuses(state, 0, Load(5), "J39")
    after = does(state, 0, Load(0))
    assert cargo(after, 0)[0] == "gold 5"
    assert events(after, "emptied")[0].detail == {"ship": 0, "hold": 0, "resource": "food", "count": 3}


def test_J13_with_an_empty_hold_no_other_may_be_emptied() -> None:
    state = alone(ship(0, "food 3", "gold 3", "gunpowder 1", "", ""), GOLD_GOLD, (5, 1))

    refuses(state, 0, Load(0), "J12")
    refuses(state, 0, Load(2), "J12")


def test_J14_if_every_hold_is_full_of_the_resource_the_action_is_ignored() -> None:
    state = alone(ship(0, *("gold 2",) * 5), GOLD_GOLD, (5, 1))

    assert len(events(state, "ignored")) == 2
    assert cargo(state, 0) == ["gold 2"] * 5
    assert awaited(state) == (1,)


def test_J15_a_hold_that_is_spent_to_nothing_is_empty_again() -> None:
    state = alone(ship(0, "food 2", "gold 3"), FORWARD_FOOD, (1, 1))  # space 1 costs 2 food

    assert cargo(state, 0) == ["", "gold 3", "", "", ""]
    assert (0,) in rows(state, 0, "load")


def test_J15_a_hold_has_no_upper_limit() -> None:
    state = alone(ship(0, "food 20", "food 1"), FORWARD_FOOD, (1, 1))

    assert offered(state, 0) == ["pay"]
    assert cargo(does(state, 0, Pay({"0": 2})), 0)[0] == "food 18"


def test_J16_at_a_fork_the_seat_chooses_and_only_the_end_counts() -> None:
    state = alone(ship(5, "food 9", "gold 9"), FORWARD_FOOD, (3, 1))

    assert rows(state, 0, "move") == [(8,), (14,)]
    refuses(state, 0, Sail(9), "J16")
    refuses(state, 1, Sail(8), "J16")
    after = does(state, 0, Sail(14))
    assert after.ships[0].space == 14
    # It pays 4 food at the space it reaches, and nothing for the port on the way.
    assert cargo(after, 0) == ["food 5", "gold 9", "", "", ""]


def test_J16_exactly_the_dies_number_and_the_server_moves_if_there_is_no_choice() -> None:
    state = alone(ship(1, "food 9"), FORWARD_FOOD, (3, 1))

    assert state.ships[0].space == 4
    assert events(state, "sailed")[0].detail["direction"] == "forward"


def test_J16_backward_follows_prev_and_forks_too() -> None:
    state = alone(ship(16, "food 9"), BACKWARD_FORWARD, (3, 1))

    assert rows(state, 0, "move") == [(11,), (13,)]


def test_J17_leaving_port_royal_backward_is_a_lap_less() -> None:
    reach = the_box().chart.reach

    assert reach(0, 0, 1, "backward") == {49: -1}
    assert reach(2, 0, 4, "backward") == {48: -1}
    assert reach(2, 0, 2, "backward") == {0: 0}


def test_J17_a_ship_that_only_comes_back_to_lap_0_sails_on_through_or_lies_there() -> None:
    through = alone(ship(48, "food 9", lap=-1), FORWARD_FOOD, (4, 1))
    there = alone(ship(48, "food 9", lap=-1), FORWARD_FOOD, (2, 1))

    assert (through.ships[0].space, through.ships[0].lap) == (2, 0)
    assert (there.ships[0].space, there.ships[0].lap) == (0, 0)
    assert not events(there, "finished")
    assert offered(there, 0) == ["load"]


def test_J17_a_ship_that_comes_to_lap_1_stops_in_port_royal_whatever_steps_are_left() -> None:
    state = alone(ship(48, "food 9"), FORWARD_FOOD, (6, 1))

    assert (state.ships[0].space, state.ships[0].lap) == (0, 1)
    assert events(state, "finished")


def test_J19_a_port_costs_doubloons_and_the_sea_food() -> None:
    port = alone(ship(4, "gold 4", "food 9"), FORWARD_FOOD, (1, 1))
    sea = alone(ship(0, "gold 4", "food 9"), FORWARD_FOOD, (1, 1))

    assert cargo(port, 0)[:2] == ["gold 1", "food 9"]
    assert cargo(sea, 0)[:2] == ["gold 4", "food 7"]


def test_J19_the_seat_chooses_the_holds_and_may_not_refuse() -> None:
    state = alone(ship(5, "gold 3", "food 1", "gold 4"), FORWARD_FOOD, (1, 1))  # port 6 costs 5

    assert offered(state, 0) == ["pay"]
    refuses(state, 0, Pay({}), "J19")
    refuses(state, 0, Pay({"0": 3, "2": 3}), "J19")
    refuses(state, 0, Pay({"0": 4, "2": 1}), "J19")
    refuses(state, 0, Pay({"0": 3, "1": 1, "2": 1}), "J19")
    refuses(state, 1, Pay({"0": 3, "2": 2}), "J19")
    assert cargo(does(state, 0, Pay({"0": 1, "2": 4})), 0) == ["gold 2", "food 1", "", "", ""]


def test_J19_standing_on_a_space_costs_nothing() -> None:
    state = alone(ship(3, "food 9"), GOLD_GOLD, (1, 1))

    assert cargo(state, 0)[0] == "food 9"
    assert not events(state, "paid")


def test_J20_a_lair_is_free_and_its_token_brings_the_top_treasure() -> None:
    state = alone(ship(3), FORWARD_FOOD, (1, 1), pile=["t7a"])

    assert cards_of(state, 0) == ["t7a"]
    assert 4 not in state.tokens
    assert len(state.pile) == 8
    assert not events(state, "paid")


def test_J20_without_a_token_there_is_nothing_to_find() -> None:
    state = alone(ship(3), FORWARD_FOOD, (1, 1), taken=[4])

    assert cards_of(state, 0) == []
    assert len(state.pile) == 8


def test_J21_port_royal_costs_nothing_and_sees_no_battle() -> None:
    state = played(
        laid([ship(2), ship(0), ship(0)], [BACKWARD_FORWARD, GOLD_GOLD, GOLD_GOLD], dice=(2, 1)), "stay"
    )

    assert not events(state, "attacked")
    assert events(state, "sailed")[0].detail["to"] == 0
    assert len(events(state, "shortage")) == 1  # only that of the evening, on space 1


def test_J33_a_seat_that_cannot_pay_pays_all_it_has_and_drifts_back() -> None:
    state = alone(ship(7, "food 1", "gold 9"), FORWARD_FOOD, (1, 1), "port")

    assert cargo(state, 0) == ["", "gold 9", "", "", ""]
    assert events(state, "shortage")[0].detail == {
        "ship": 0,
        "resource": "food",
        "count": 1,
        "cost": 3,
        "rolled": "back_to_port",
    }
    assert state.ships[0].space == 6


@pytest.mark.parametrize(("roll", "space"), [("port", 21), ("sea", 20), ("lair", 22), ("stay", 23)])
def test_J33_the_die_decides_where_the_ship_drifts(roll: str, space: int) -> None:
    state = alone(ship(22), FORWARD_FOOD, (1, 1), roll)

    assert events(state, "sailed")[0].detail["to"] == 23
    assert state.ships[0].space == space


def test_J33_at_a_fork_backward_the_seat_chooses_the_route() -> None:
    """From 41 back there are three nearest lairs: 37, 25, and 19 by both short branches."""
    state = alone(ship(38), FORWARD_FOOD, (1, 1), "lair")

    assert state.ships[0].space == 41
    assert rows(state, 0, "move") == [(19,), (25,), (37,)]
    refuses(state, 0, Sail(33), "J33")
    assert does(state, 0, Sail(25)).ships[0].space == 25


def test_J34_no_such_space_and_the_ship_stops_in_port_royal() -> None:
    state = alone(ship(1), FORWARD_FOOD, (1, 1), "lair")

    assert (state.ships[0].space, state.ships[0].lap) == (0, 0)


def test_J34_a_ship_behind_port_royal_stays_where_it_is() -> None:
    state = alone(ship(48, lap=-1), FORWARD_FOOD, (1, 1), "lair")

    assert events(state, "shortage")
    assert (state.ships[0].space, state.ships[0].lap) == (49, -1)


def test_J35_nothing_is_paid_where_one_drifts_to_but_a_lairs_treasure_is_taken() -> None:
    sea = alone(ship(7, "food 1", "gold 9"), FORWARD_FOOD, (1, 1), "port")
    lair = alone(ship(4, "food 4"), FORWARD_FOOD, (1, 1), "lair", pile=["c3"])

    assert cargo(sea, 0)[1] == "gold 9"  # port 6 would cost 5
    assert lair.ships[0].space == 4
    assert cards_of(lair, 0) == ["c3"]


def test_J36_a_ship_that_stays_fights_and_pays_only_once() -> None:
    other = ship(8, "food 9")
    state = played(laid([ship(7), other, AWAY], [FORWARD_FOOD, GOLD_GOLD, GOLD_GOLD]), "4", "4", "stay")

    assert len(events(state, "attacked")) == 1
    assert len(events(state, "shortage")) == 1
    assert state.ships[0].space == 8
    assert offered(state, 0) == ["load"]


def test_J10_a_loading_morning_can_pay_for_the_evening() -> None:
    state = alone(ship(4, "food 1"), GOLD_FORWARD, (3, 1))
    state = does(state, 0, Load(1))

    assert state.ships[0].space == 5
    assert cargo(state, 0) == ["food 1", "", "", "", ""]


def test_J16_never_turning_on_the_way_but_forward_and_backward_are_two_movements() -> None:
    state = alone(ship(3, "food 9", "gold 9"), FORWARD_BACKWARD, (1, 2))

    assert [it.detail["to"] for it in events(state, "sailed")] == [4, 2]
    assert cards_of(state, 0) != []


def test_J39_the_6th_hold_is_a_hold_like_the_others() -> None:
    own = ship(0, "gold 1", "gold 1", "gold 1", "gold 1", "gold 1", "food 2", treasures=["sixth_hold"])
    pays = alone(own, FORWARD_FORWARD, (1, 1), "stay")
    loads = alone(ship(0, *("gold 1",) * 5, treasures=["sixth_hold"]), POWDER_FOOD, (4, 1))

    assert cargo(pays, 0) == [*("gold 1",) * 5, ""]
    assert cargo(loads, 0)[5] == "gunpowder 4"
