"""House bots at work, for the tests of every game: one decision, whole games, and games against chance."""

from typing import Any

from photofinish.engine import AnyGame, Options, Rng, Seat, Strength, settle
from photofinish.engine.offers import admits, sample
from photofinish.engine.playthrough import Playthrough, start

QUICKEST, IN_RACES, SLOWEST = 600, 150, 1_800
"""Milliseconds that a bot takes for a move, as a person would."""


def decided(game: AnyGame, bot: Any, state: Any, seat: Seat) -> dict[str, Any]:
    """The move that a bot chooses. It is offered, takes a person's time, and is the same if it is asked again."""
    view, offers = game.view(state, seat), game.offers(state, seat)
    bot.see(view)
    intent = settle(bot.choose(view, offers))
    assert intent is not None
    assert admits(offers, intent.move)
    assert (QUICKEST if game.race is None else IN_RACES) <= intent.after <= SLOWEST
    assert settle(bot.choose(view, offers)) == intent
    move: dict[str, Any] = intent.move
    return move


def chosen(game: AnyGame, state: Any, seat: int, strength: Strength = Strength.STRONG) -> dict[str, Any]:
    """The move of a bot that has seen nothing but this state."""
    assert game.house_bot is not None
    return decided(game, game.house_bot(Seat(seat), strength, Rng(b"house", 0)), state, Seat(seat))


def finished(
    game: AnyGame, seats: int, key: bytes, bots: dict[int, Strength], options: Options | None = None
) -> Playthrough:
    """A whole game in which these seats are bots. The others play random offered moves."""
    assert game.house_bot is not None
    play = start(game, seats, key, options)
    house = {seat: game.house_bot(Seat(seat), strength, Rng(key, seat)) for seat, strength in bots.items()}
    chance = Rng(key, seats)
    while not play.is_over:
        seat = next(it for it in play.seats if game.offers(play.state, it))
        if seat in house:
            move = decided(game, house[seat], play.state, seat)
        else:
            drawn = sample(game.offers(play.state, seat), chance)
            assert drawn is not None
            move = drawn
        play.act(seat, move)
    assert game.outcome(play.state) is not None
    return play


def wins(game: AnyGame, seats: int, games: int, strength: Strength = Strength.STRONG) -> int:
    """How many games one bot wins against random players, in each seat in turn."""
    won = 0
    for number in range(games):
        seat = number % seats
        outcome = game.outcome(finished(game, seats, b"wins%d" % number, {seat: strength}).state)
        assert outcome is not None
        won += seat in outcome.winners
    return won
