"""The house bot of Reflex presses at green after a person's reaction time, and at no other time."""

from statistics import median

import pytest

from photofinish.engine import Rng, Strength
from photofinish.games.reflex import GAME
from photofinish.games.reflex.bot import REACTION
from tests.games.reflex.lights import NORTH, game, light, lit


@pytest.mark.parametrize("strength", list(Strength))
def test_the_house_bot_reacts_as_slowly_as_a_person(strength: Strength) -> None:
    state, times = lit(game(1)), []
    for number in range(200):
        bot = GAME.house_bot(NORTH, strength, Rng(b"bot", number))  # type: ignore[misc]  # Reflex has a house bot
        intent = bot.choose(GAME.view(state, NORTH), GAME.offers(state, NORTH))
        assert intent is not None
        assert intent == bot.choose(GAME.view(state, NORTH), GAME.offers(state, NORTH))
        times.append(intent.after)

    assert min(times) >= 150
    assert 0.9 * REACTION[strength] < median(times) < 1.1 * REACTION[strength]


def test_the_house_bot_waits_in_the_dark_and_at_red() -> None:
    play = game(1, light("stop"))
    bot = GAME.house_bot(NORTH, Strength.STRONG, Rng(b"bot", 1))  # type: ignore[misc]  # Reflex has a house bot
    assert bot.choose(GAME.view(play.state, NORTH), GAME.offers(play.state, NORTH)) is None

    state = lit(play)
    assert bot.choose(GAME.view(state, NORTH), GAME.offers(state, NORTH)) is None
