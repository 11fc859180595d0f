"""The house bot of The Rune Market: stays within its offers, and beats chance."""

import pytest

from photofinish.engine import Rng, Strength
from photofinish.engine.offers import admits, sample
from photofinish.engine.playthrough import start
from tests.games.rune_market.stall import GAME, RED, THIEF, E, N, market, num, own, play, red

assert GAME.house is not None
house = GAME.house


def wins(strength, games):
    won = 0
    for game in range(games):
        table = start(GAME, 2, b"bot%d" % game)
        bot, chance = house(N, strength, Rng(b"house%d" % game, 0)), Rng(b"chance%d" % game, 0)
        while not table.is_over:
            offers = GAME.offers(table.state, N)
            if offers:
                view = GAME.view(table.state, N)
                bot.see(view)
                intent = bot.choose(view, offers)
                assert admits(offers, intent.move)
                assert bot.choose(view, offers) == intent
                assert 600 <= intent.after <= 1800
                table.act(N, intent.move)
            else:
                table.act(E, sample(GAME.offers(table.state, E), chance))
        won += GAME.outcome(table.state).winners == (N,)
    return won


@pytest.mark.parametrize(("strength", "least"), [(Strength.STRONG, 12), (Strength.EASY, 9)])
def test_the_house_player_beats_random_play(strength, least):
    assert wins(strength, 15) >= least


def chosen(state, seat):
    player = house(seat, Strength.STRONG, Rng(b"one", 0))
    return player.choose(GAME.view(state, seat), GAME.offers(state, seat)).move


def test_the_house_player_places_a_shelter_and_collects_its_interest():
    assert chosen(market((num(4), RED[1], THIEF[0])), N) == {"t": "shelter", "card": RED[1]}
    due = market((num(4),), holdings=[own(red=red(1))], due_red=1)
    assert chosen(due, N) == {"t": "collect", "red": 1, "blue": 0}


def test_the_house_player_defends_with_the_lowest_card_that_will_do():
    state = play(market((num(5), num(1, 2)), (num(9), num(6), num(2))), N, "duel", card=num(5), seat=E)

    assert chosen(state, E) == {"t": "defend", "card": num(6)}
