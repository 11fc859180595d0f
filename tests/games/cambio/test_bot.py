"""The house bot remembers, follows cards, throws what it knows and plays whole games."""

import pytest

from photofinish.engine import Rng, Seat, Strength, TableSetup
from photofinish.engine.offers import admits
from photofinish.engine.playthrough import Playthrough
from photofinish.games.cambio import GAME
from photofinish.games.cambio.state import CambioOptions
from tests.games.cambio.boards import (
    board,
    discard,
    do,
    draw,
    giving,
    keep,
    peeking_mine,
    peeking_yours,
    run_out,
    slap,
    swapping,
)


def player(seat, strength=Strength.STRONG):
    assert GAME.house_bot is not None
    return GAME.house_bot(Seat(seat), strength, Rng(b"player", seat))


def shown(bot, state, seat):
    view = GAME.view(state, Seat(seat))
    bot.see(view)
    return bot.choose(view, GAME.offers(state, Seat(seat)))


def test_the_house_bot_throws_a_card_it_was_shown_and_no_other():
    state = discard(draw(board("y7_1 y1_1", "y7_2 y2_1 y9_1", main="peek_mine_1 b7_1"), 0), 0)
    bot = player(0)
    shown(bot, state, 0)
    state = do(state, 0, peeking_mine(state, 0, 0))
    shown(bot, state, 0)
    state = run_out(state, "show")
    shown(bot, state, 0)
    state = draw(state, 1)
    shown(bot, state, 0)
    intent = shown(bot, discard(state, 1), 0)

    assert intent.move["t"] == "slap"
    assert (intent.move["seat"], intent.move["slot"]) == (0, 0)
    assert 180 <= intent.after <= 1500


def test_the_house_bot_follows_a_card_it_knows_through_a_swap():
    state = discard(draw(board("y7_1 y1_1", "y9_1 y2_1", "y3_1 y4_1", main="red_king_1 b9_1"), 0), 0)
    bot = player(0)
    state = do(state, 0, peeking_yours(state, 1, 0))
    shown(bot, state, 0)
    state = do(state, 0, swapping(state, (1, 0), (2, 1)))
    shown(bot, state, 0)
    state = draw(state, 1)
    shown(bot, state, 0)
    intent = shown(bot, discard(state, 1), 0)

    assert (intent.move["t"], intent.move["seat"], intent.move["slot"]) == ("slap", 2, 1)


def test_the_house_bot_follows_a_card_it_knows_into_a_gift():
    state = discard(draw(board("y7_1 y1_1", "y9_1 y2_1", main="peek_yours_1 b1_1 b9_1"), 0), 0)
    bot = player(0)
    state = do(state, 0, peeking_yours(state, 1, 0))
    shown(bot, state, 0)
    state = discard(draw(state, 1), 1)
    shown(bot, state, 0)
    state = slap(state, 1, 0, 1)
    shown(bot, state, 0)
    state = do(state, 1, giving(state, 1, 0, state.gifts[0].to))
    shown(bot, state, 0)
    state = draw(state, 0)
    shown(bot, state, 0)
    intent = shown(bot, discard(state, 0), 0)

    assert (intent.move["t"], intent.move["seat"], intent.move["slot"]) == ("slap", 0, 1)


def test_the_house_bot_remembers_the_card_it_kept():
    state = draw(board("y7_1 y1_1", "y9_1 y2_1", main="y3_1 b3_1"), 0)
    bot = player(0)
    shown(bot, state, 0)
    state = keep(state, 0, 0)
    shown(bot, state, 0)
    state = draw(state, 1)
    shown(bot, state, 0)
    intent = shown(bot, discard(state, 1), 0)

    assert (intent.move["t"], intent.move["slot"]) == ("slap", 0)


def test_the_house_bot_does_not_slap_cards_it_has_not_seen():
    state = discard(draw(board("b7_1 y1_1", "y7_1 y7_2 y9_1", main="y7_3"), 0), 0)

    assert shown(player(1), state, 1).move["t"] != "slap"
    assert shown(player(0), state, 0) is None


def test_the_house_bot_gives_the_same_answer_to_the_same_view():
    state = board("y7_1 y1_1", "y9_1 y2_1")
    bot = player(0)
    first = shown(bot, state, 0)

    assert bot.choose(GAME.view(state, Seat(0)), GAME.offers(state, Seat(0))) == first


@pytest.mark.parametrize("strength", list(Strength))
def test_the_house_bot_plays_to_the_end_and_never_outside_the_offers(strength):
    play = Playthrough(GAME, TableSetup(4, CambioOptions(target_points=40)), b"house game")
    bots = [player(seat, strength) for seat in play.seats]
    while not play.is_over:
        wishes = [(seat, shown(bots[seat], play.state, seat)) for seat in play.seats]
        wishes = [(seat, wish) for seat, wish in wishes if wish is not None]
        assert all(admits(GAME.offers(play.state, seat), wish.move) for seat, wish in wishes)
        if wishes:
            seat, wish = min(wishes, key=lambda it: it[1].after)
            play.act(seat, wish.move)
        else:
            assert play.wait()

    assert GAME.outcome(play.state) is not None
