"""The moves of the ship, and the Ghost Area."""

import pytest

from photofinish.games.hameln_cave import GAME
from photofinish.games.hameln_cave.chart import Place
from photofinish.games.hameln_cave.state import Reveal
from tests.games.by_hand import happened
from tests.games.hameln_cave.table import AREA, area, lying, offered, refused, reveal, trick

WHEELS = ("blue 8", "blue 6")
SABERS = ("blue 5", "blue 4")
MERMAIDS = ("blue 9", "brown 9")


def test_H17_straight_is_the_space_right_ahead_and_a_side_the_one_diagonally_ahead() -> None:
    assert trick(*WHEELS, ship=(0, 2)).ship == Place(-1, 3)
    assert trick("blue 6", "blue 8", ship=(0, 2)).ship == Place(1, 3)
    assert trick(*MERMAIDS, ship=(1, 5)).ship == Place(1, 7)


def test_H17_a_straight_move_touches_nothing_between() -> None:
    reef, ghost = trick(*MERMAIDS, ship=(1, 5)), trick(*MERMAIDS, ship=(1, 3))

    assert reef.ship == Place(1, 7)  # past the reef (0, 6)
    assert ghost.ship == Place(1, 5)  # past the ghost space (0, 4)
    assert ghost.surplus == ()


@pytest.mark.parametrize(
    ("ship", "pair", "why"),
    [
        ((-3, 3), WHEELS, "the edge"),
        ((1, 5), WHEELS, "a reef"),
        ((0, 4), MERMAIDS, "a reef straight ahead"),
        ((-1, 13), MERMAIDS, "beyond the last row"),
    ],
)
def test_H18_with_no_space_or_a_reef_there_the_ship_stays(
    ship: tuple[int, int], pair: tuple[str, str], why: str
) -> None:
    state = trick(*pair, ship=ship)

    assert state.ship == Place(*ship), why
    assert "blocked" in happened(state)


def test_H18_whatever_the_trick_adds_is_still_added() -> None:
    assert lying(trick("blue 6", "blue 3", ship=(-3, 3))) == ["brown 1"]
    assert lying(trick("blue 3", "green 3", ship=(-3, 3))) == ["brown 1", "brown 2"]


def test_H19_entering_a_ghost_space_adds_one_at_once_before_the_tricks_own() -> None:
    state = trick("blue 6", "blue 3", ship=(1, 3))

    assert state.ship == Place(0, 4)
    assert happened(state)[-4:] == ["sailed", "haunted", "added", "added"]
    assert lying(state) == ["brown 1", "brown 2"]


def test_H19_a_blocked_ship_that_stands_on_a_ghost_space_enters_nothing() -> None:
    assert lying(trick(*MERMAIDS, ship=(0, 4))) == []


def test_H20_the_card_at_the_left_end_goes_face_up_to_a_new_slot() -> None:
    state = trick("blue 3", "green 3", down=("brown 5", "brown 7"))

    assert lying(state) == ["?brown 5", "?brown 7", "brown 1", "brown 2"]
    assert area(state) == list(AREA[2:])
    assert GAME.view(state, None).surplus[2].card == state.surplus[2].card


def test_H21_the_call_card_moves_the_marker_on_and_itself_to_the_right_end() -> None:
    state = trick("blue 3", "green 3", ghosts=("brown 1", "call", "blue 1", "blue 2"))

    assert state.marker == 1
    assert area(state) == ["blue 1", "blue 2", "call"]
    assert lying(state) == ["brown 1"]  # it counted as one of the two


def test_H22_what_joins_goes_behind_the_call_card_if_that_lies_there() -> None:
    state = trick("blue 4", "blue 3", ghosts=("brown 1", "call", "blue 1"))

    assert area(state) == ["brown 1", "call", "blue 1", "blue 3"]


def test_H23_the_winner_turns_up_a_card_of_its_choice() -> None:
    state = trick(*SABERS, down=("brown 9", "green 7", "green 3"))
    seen = GAME.view(state, None)

    assert (state.phase, state.turn) == ("reveal", 0)
    assert seen.awaited == (0,)
    assert [(slot.filled, slot.up, slot.card) for slot in seen.surplus] == [(True, False, None)] * 3
    assert offered(state, 0) == {"reveal": [0, 1, 2]}
    refused(state, 1, Reveal(0, 500), "H23")
    refused(state, 0, Reveal(3, 500), "H23")
    refused(state, 0, Reveal(0, 499), "H23")
    assert "changed" in refused(state, 0, Reveal(0, 499), "H23")


def test_H23_wheel_towards_the_winner_mermaid_straight_and_both_stay_face_up() -> None:
    state = trick(*SABERS, down=("brown 9", "green 7"))
    wheel, mermaid = reveal(state, 0, 1), reveal(state, 0, 0)

    assert wheel.ship == Place(-1, 3)
    assert lying(wheel) == ["?brown 9", "green 7"]
    assert mermaid.ship == Place(0, 4)
    assert lying(mermaid)[:2] == ["brown 9", "?green 7"]
    assert wheel.surplus[1].mark != state.surplus[1].mark
    assert wheel.phase == mermaid.phase == "play"


def test_H23_a_ghost_turned_up_joins_the_ghost_area_and_its_slot_stays_empty() -> None:
    state = reveal(trick(*SABERS, down=("green 3", "green 7")), 0, 0)
    seen = GAME.view(state, None).surplus[0]

    assert area(state)[-2:] == ["call", "green 3"]
    assert lying(state) == ["-", "?green 7"]
    assert (seen.filled, seen.card) == (False, None)


def test_H23_a_saber_turned_up_turns_up_another_until_something_else_comes() -> None:
    state = reveal(trick(*SABERS, down=("brown 4", "green 4", "green 7")), 0, 0)
    again = reveal(state, 0, 1)
    moved = reveal(again, 0, 2)

    assert state.phase == again.phase == "reveal"
    refused(state, 0, Reveal(0, state.surplus[0].mark), "H23")
    assert (moved.phase, moved.ship) == ("play", Place(-1, 3))


def test_H23_sabers_to_the_last_card_end_the_reveal() -> None:
    state = reveal(trick(*SABERS, down=("brown 4",)), 0, 0)

    assert state.phase == "play"
    assert lying(state) == ["brown 4"]


def test_H24_with_nothing_face_down_a_reveal_does_nothing() -> None:
    state = trick(*SABERS)

    assert state.phase == "play"
    assert state.ship == Place(0, 2)
    refused(state, 0, Reveal(0, 0), "H23")
