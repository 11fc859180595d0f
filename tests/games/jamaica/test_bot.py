"""The house bot: only offered moves, always an answer, and worth sailing against."""

import pytest

from photofinish.engine import Rng, Seat, Strength, settle
from photofinish.engine.offers import admits, sample
from photofinish.engine.playthrough import Playthrough, start
from photofinish.games.jamaica import GAME
from photofinish.games.jamaica.state import JamaicaOptions


def finished(seats: int, number: int, strengths: dict[int, Strength], options: JamaicaOptions) -> Playthrough:
    """A game in which these seats are the house's; the others answer at random."""
    play = start(GAME, seats, b"house %d" % number, options)
    assert GAME.house is not None
    bots = {seat: GAME.house(Seat(seat), strength, Rng(b"bot", seat)) for seat, strength in strengths.items()}
    rng = Rng(b"others", number)
    while not play.is_over:
        seat = next(seat for seat in play.seats if GAME.offers(play.state, seat))
        offers, seen = GAME.offers(play.state, seat), GAME.view(play.state, seat)
        sent = sample(offers, rng)
        if seat in bots:
            bots[seat].see(seen)
            intent = settle(bots[seat].choose(seen, offers))
            assert intent is not None
            assert admits(offers, intent.move)
            assert settle(bots[seat].choose(seen, offers)) == intent
            assert 600 <= intent.after <= 1800
            sent = intent.move
        assert sent is not None
        play.act(seat, sent)
    return play


@pytest.mark.parametrize("strength", Strength)
@pytest.mark.parametrize("seats", range(2, 7))
def test_the_house_plays_whole_games_by_the_offers_alone(seats: int, strength: Strength) -> None:
    options = JamaicaOptions(ghost_ship="on" if seats in {3, 5} else "auto")
    play = finished(seats, seats, dict.fromkeys(range(seats), strength), options)

    assert GAME.outcome(play.state) is not None


def test_the_house_beats_three_random_captains_most_of_the_time() -> None:
    wins = 0
    for number in range(12):
        seat = number % 4
        play = finished(4, number, {seat: Strength.STRONG}, JamaicaOptions())
        outcome = GAME.outcome(play.state)
        assert outcome is not None
        wins += seat in outcome.winners

    assert wins >= 7
