"""H32 to H39: the skills of the six characters."""

import pytest

from photofinish.engine import replace
from photofinish.games.hameln_cave import GAME
from photofinish.games.hameln_cave.chart import Place
from photofinish.games.hameln_cave.state import Apply, Extra, Play, Reveal, State, Steer, Stop
from tests.games.by_hand import happened
from tests.games.hameln_cave.table import (
    act,
    area,
    card,
    choose,
    laid,
    lying,
    offered,
    play,
    refused,
    reveal,
    trick,
)

SABERS = ("blue 5", "blue 4")
DOWN = ("brown 9", "green 7", "green 3", "brown 4")


def henry(ship: tuple[int, int] = (0, 2)) -> State:
    return trick("blue 3", "green 3", names=("henry", "aria"), ship=ship)


def test_H32_a_skill_works_for_its_owner_only() -> None:
    assert trick("blue 3", "green 3", names=("aria", "henry")).phase == "play"
    assert trick("blue 3", "green 3", names=("aria", "henry"), leader=1).phase == "steer"
    refused(henry(), 1, Steer("straight"), "H33")


def test_H32_the_choice_is_asked_before_the_ship_moves_blocked_or_not() -> None:
    state = henry(ship=(-3, 3))
    stays = act(state, 0, Steer("winner"))

    assert state.phase == "steer"
    assert state.ship == Place(-3, 3)
    assert state.surplus == ()
    assert offered(state, 0) == {"steer": ["winner", "straight"]}
    assert stays.ship == Place(-3, 3)  # a blocked direction may be chosen
    assert len(stays.surplus) == 2


def test_H32_a_skill_replaces_the_move_and_is_not_a_second_one() -> None:
    assert act(henry(), 0, Steer("straight")).ship == Place(0, 4)
    assert act(henry(), 0, Steer("winner")).ship == Place(-1, 3)


def test_H33_the_server_asks_only_when_the_skill_applies_and_everybody_sees_that_it_asks() -> None:
    state = henry()
    seen = GAME.view(state, None)

    assert "asked" in happened(state)
    assert (seen.phase, seen.awaited, seen.adds) == ("steer", (0,), 2)
    assert "asked" not in happened(trick("blue 6", "blue 3", names=("henry", "aria")))
    refused(trick("blue 8", "blue 6"), 0, Steer("winner"), "H33")
    refused(state, 0, Play(card("green 9")), "H11")


def test_H34_Henry_may_go_straight_with_two_ghosts_and_both_additions_stay() -> None:
    state = act(henry(ship=(-2, 2)), 0, Steer("straight"))

    assert state.ship == Place(-2, 4)
    assert lying(state) == ["brown 1", "brown 2"]
    assert trick("blue 6", "blue 3", names=("henry", "aria")).phase == "play"
    refused(henry(), 0, Steer("partner"), "H34")


def test_H36_Rick_may_turn_up_a_second_card_having_seen_the_first() -> None:
    first = reveal(trick(*SABERS, names=("rick", "aria"), down=DOWN), 0, 1)
    second = reveal(first, 0, 2)

    assert first.phase == "second"
    assert first.ship == Place(0, 2)
    assert set(offered(first, 0)) == {"reveal", "stop"}
    assert second.phase == "choose"
    assert offered(second, 0) == {"apply": [1, 2]}
    assert GAME.view(second, None).turned == (1, 2)
    refused(first, 0, Apply(1, first.surplus[1].mark), "H36")
    refused(second, 0, Stop(), "H36")
    refused(second, 0, Reveal(0, 500), "H23")
    refused(second, 0, Apply(0, 500), "H36")
    refused(second, 0, Apply(1, 501), "H36")  # the mark it had face down
    refused(second, 1, Apply(1, second.surplus[1].mark), "H36")


def test_H36_the_other_card_stays_face_up_without_effect_a_ghost_too() -> None:
    second = reveal(reveal(trick(*SABERS, names=("rick", "aria"), down=DOWN), 0, 1), 0, 2)
    sailed, joined = choose(second, 0, 1), choose(second, 0, 2)

    assert sailed.ship == Place(-1, 3)
    assert lying(sailed) == ["?brown 9", "green 7", "green 3", "?brown 4"]
    assert area(sailed)[-1] == "call"
    assert joined.ship == Place(0, 2)
    assert lying(joined) == ["?brown 9", "green 7", "-", "?brown 4"]


def test_H36_Rick_may_stop_at_the_first_card_and_nobody_else_is_asked() -> None:
    first = reveal(trick(*SABERS, names=("rick", "aria"), down=DOWN), 0, 1)

    assert act(first, 0, Stop()).ship == Place(-1, 3)
    assert reveal(trick(*SABERS, names=("aria", "rick"), down=DOWN), 0, 1).phase == "play"
    assert reveal(trick(*SABERS, names=("rick", "aria"), down=("green 7",)), 0, 0).phase == "play"
    refused(trick(*SABERS, names=("rick", "aria"), down=DOWN), 0, Stop(), "H36")


def test_H36_reveals_that_follow_from_a_saber_are_single() -> None:
    second = reveal(reveal(trick(*SABERS, names=("rick", "aria"), down=DOWN), 0, 3), 0, 2)
    again = choose(second, 0, 3)
    stopped = act(reveal(trick(*SABERS, names=("rick", "aria"), down=DOWN), 0, 3), 0, Stop())

    assert again.phase == stopped.phase == "reveal"
    assert reveal(again, 0, 1).phase == "play"
    assert reveal(stopped, 0, 1).phase == "play"
    assert reveal(stopped, 0, 1).ship == Place(-1, 3)


def test_H36_Rick_is_asked_again_in_the_next_trick_of_sabers() -> None:
    hands = ("blue 5", "green 5"), ("blue 4", "green 4")
    state = laid(*hands, names=("rick", "aria"), down=("brown 4", "brown 7", "brown 8"))
    state = act(reveal(play(state, (0, "blue 5"), (1, "blue 4")), 0, 1), 0, Stop())
    state = reveal(play(state, (0, "green 5"), (1, "green 4")), 0, 0)

    assert state.phase == "second"


@pytest.mark.parametrize(
    ("left", "right", "asked"),
    [
        ("brown 8", "brown 6", True),
        ("blue 6", "brown 7", True),
        ("brown 6", "blue 3", True),
        ("blue 8", "blue 6", False),
        ("blue 6", "brown 3", False),
        ("brown 9", "brown 7", False),
        ("blue 6", "blue 8", False),
    ],
)
def test_H37_Charlotte_may_go_towards_her_partner_with_a_brown_wheel_in_the_pair(
    left: str, right: str, asked: bool
) -> None:
    state = play(laid((left,), (right,), names=("charlotte", "aria")), (0, left), (1, right))

    assert (state.phase == "steer") is asked
    if asked:
        assert offered(state, 0) == {"steer": ["winner", "partner"]}
        assert act(state, 0, Steer("partner")).ship == Place(1, 3)
        assert act(state, 0, Steer("winner")).ship == Place(-1, 3)
        refused(state, 0, Steer("straight"), "H37")


def test_H37_a_brown_wheel_turned_up_by_her_reveal_counts_as_well() -> None:
    state = trick(*SABERS, names=("charlotte", "aria"), down=("brown 7", "green 7"))
    brown, green = reveal(state, 0, 0), reveal(state, 0, 1)

    assert brown.phase == "steer"
    assert act(brown, 0, Steer("partner")).ship == Place(1, 3)
    assert act(brown, 0, Steer("partner")).surplus[1:] == state.surplus[1:]
    assert green.phase == "play"


def test_H37_the_trick_still_adds_after_she_has_steered() -> None:
    state = trick("brown 6", "brown 3", names=("charlotte", "aria"), leader=1)

    assert lying(state) == []
    assert lying(act(state, 0, Steer("partner"))) == ["brown 1"]


def clyde(won: tuple[int, int] = (3, 2), leader: int = 0) -> State:
    hands = ("blue 8", "green 9", "green 7"), ("blue 4", "brown 9", "brown 8")
    state = laid(*hands, names=("clyde", "aria"), won=won, leader=leader)
    return play(state, (0, "blue 8"), (1, "blue 4"))


def test_H38_Clyde_may_call_an_extra_trick_after_his_fourth_and_leads_it() -> None:
    state = clyde()
    called = act(state, 0, Extra(take=True))

    assert (state.phase, state.turn) == ("extra", 0)
    assert (called.phase, called.turn, called.is_extra) == ("play", 0, True)
    assert act(state, 0, Extra(take=False)).phase == "pause"
    refused(state, 1, Extra(take=True), "H38")
    refused(called, 0, Extra(take=True), "H38")


def test_H38_the_extra_trick_has_its_effect_and_then_the_tricks_end_whoever_won_it() -> None:
    called = act(clyde(), 0, Extra(take=True))
    won = play(called, (0, "green 9"), (1, "brown 9"))
    lost = play(replace(called, hands=laid(("green 7",), ("green 8",)).hands), (0, "green 7"), (1, "green 8"))

    assert (won.phase, won.ship) == ("pause", Place(0, 4))
    assert won.won == (5, 2)
    assert (lost.phase, lost.ship) == ("pause", Place(1, 3))
    assert lost.won == (4, 3)


def test_H38_not_before_the_fourth_and_not_on_the_partners() -> None:
    hands = ("blue 4", "green 9"), ("blue 8", "brown 9")
    partners = play(laid(*hands, names=("clyde", "aria"), won=(3, 3)), (0, "blue 4"), (1, "blue 8"))

    assert partners.phase == "pause"
    assert clyde(won=(2, 3)).phase == "play"
    refused(clyde(won=(2, 3)), 0, Extra(take=True), "H38")


def test_H39_Rion_may_go_straight_with_two_wheels_of_one_number() -> None:
    state = trick("blue 7", "green 7", names=("rion", "aria"), ship=(-2, 2))

    assert offered(state, 0) == {"steer": ["winner", "straight"]}
    assert act(state, 0, Steer("straight")).ship == Place(-2, 4)
    assert act(state, 0, Steer("winner")).ship == Place(-3, 3)
    refused(state, 0, Steer("partner"), "H39")
    assert trick("blue 7", "green 6", names=("rion", "aria")).phase == "play"
    assert trick("blue 7", "green 7", names=("aria", "rion")).phase == "play"
    assert trick("blue 3", "green 3", names=("rion", "aria")).phase == "play"
