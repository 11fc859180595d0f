"""The house bot of The Rune Market: stays within its offers, and beats chance."""

import pytest

from photofinish.engine import Strength
from tests.games.house_bots import chosen, wins
from tests.games.rune_market.stall import GAME, RED, THIEF, E, N, market, num, own, play, red


@pytest.mark.parametrize(("strength", "least"), [(Strength.STRONG, 12), (Strength.EASY, 9)])
def test_the_house_bot_beats_random_play(strength, least):
    assert wins(GAME, 2, 15, strength) >= least


def test_the_house_bot_places_a_shelter_and_collects_its_interest():
    assert chosen(GAME, market((num(4), RED[1], THIEF[0])), N) == {"t": "shelter", "card": RED[1]}
    due = market((num(4),), holdings=[own(red=red(1))], due_red=1)
    assert chosen(GAME, due, N) == {"t": "collect", "red": 1, "blue": 0}


def test_the_house_bot_defends_with_the_lowest_card_that_will_do():
    state = play(market((num(5), num(1, 2)), (num(9), num(6), num(2))), N, "duel", card=num(5), seat=E)

    assert chosen(GAME, state, E) == {"t": "defend", "card": num(6)}
