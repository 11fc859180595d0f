"""The house bot: it makes only offered moves, always answers, and beats random players."""

import pytest

from photofinish.engine import Strength
from photofinish.games.jamaica import GAME
from photofinish.games.jamaica.state import JamaicaOptions
from tests.games.house_bots import finished, wins


@pytest.mark.parametrize("strength", Strength)
@pytest.mark.parametrize("seats", range(2, 7))
def test_the_house_bot_plays_whole_games_within_its_offers(seats: int, strength: Strength) -> None:
    options = JamaicaOptions(ghost_ship="on" if seats in {3, 5} else "auto")
    finished(GAME, seats, b"captains", dict.fromkeys(range(seats), strength), options)


def test_the_house_bot_beats_three_random_captains_most_of_the_time() -> None:
    assert wins(GAME, 4, 12) >= 7
