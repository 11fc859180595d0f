"""The house bot of Alaska: stays within its offers, and beats chance."""

import pytest

from photofinish.engine import Rng, Strength
from photofinish.games.alaska import GAME
from tests.games.alaska.bank import BEAR, SALMON, TOURIST, E, N, cast, caught_by_north, river
from tests.games.house_bots import wins


@pytest.mark.parametrize(("strength", "least"), [(Strength.STRONG, 30), (Strength.EASY, 18)])
def test_the_house_bot_beats_random_play(strength, least):
    assert wins(GAME, 2, 40, strength) >= least


def chosen(state, seat):
    assert GAME.house_bot is not None
    player = GAME.house_bot(seat, Strength.STRONG, Rng(b"one", 0))
    return player.choose(GAME.view(state, seat), GAME.offers(state, seat))


def test_the_house_bot_snatches_with_a_humans_delay():
    intent = chosen(caught_by_north((BEAR[0], cast(6), cast(7), cast(8))), E)

    assert intent.move == {"t": "snatch", "card": BEAR[0]}
    assert 150 <= intent.after <= 1500


def test_the_house_bot_fishes_and_keeps_clear_of_tourists():
    fish = river((cast(1), cast(2), cast(3)), gaps={5: SALMON[:1]}, anglers={3: TOURIST[0]})

    assert sorted(chosen(fish, N).move["cards"]) != [cast(3)]
    assert sorted(chosen(river((cast(2), cast(3)), gaps={5: SALMON[:1]}), N).move["cards"]) == [
        cast(2),
        cast(3),
    ]
