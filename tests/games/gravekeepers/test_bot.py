"""The house bot sees what its seat sees, and plays better than chance."""

import pytest

from photofinish.engine import Strength
from photofinish.games.gravekeepers import GAME
from tests.games.gravekeepers.cemetery import laid, scored
from tests.games.house_bots import chosen, finished, wins


def test_the_house_bot_walks_round_a_row_full_of_face_down_ghosts() -> None:
    down = {(0, col): "white star" for col in range(3)}
    hand = ("white star", "white circle")
    state = laid(hand, ("black star", "black star"), keepers=(1, 3), down=down)

    assert chosen(GAME, state, 0)["to"] != 0


def test_the_house_bot_turns_down_the_ghost_that_would_cost_it() -> None:
    state = scored(
        (("white circle", "white circle", "white triangle", "white triangle"), 0),
        (("white triangle", "black square"), 2),
    )

    assert chosen(GAME, state, 0) == {"t": "turn_down", "card": {"colour": "white", "symbol": "triangle"}}


@pytest.mark.parametrize("strength", list(Strength))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_house_bots_finish_a_game_among_themselves(seats: int, strength: Strength) -> None:
    finished(GAME, seats, b"among guides", dict.fromkeys(range(seats), strength))


def test_the_strong_house_bot_beats_chance() -> None:
    assert wins(GAME, 2, 30) >= 25  # nearly all of them on the long run
