"""The house bot sees what its seat sees, and brings the ship home."""

import pytest

from photofinish.bots.arena import play_match
from photofinish.engine import Seat, Strength, settle
from photofinish.engine.rng import Rng
from photofinish.games.hameln_cave import GAME
from photofinish.games.hameln_cave.bot import HamelnCavePlayer
from photofinish.games.hameln_cave.forecast import HOME, THE_END, Position, card_of, level_map, number_of
from photofinish.games.hameln_cave.state import CARDS, Character, HamelnCaveOptions, Pass
from tests.games.hameln_cave.table import act, dealt, fresh, laid, play, reveal, trick
from tests.games.house_bots import chosen


def test_the_house_bot_follows_with_the_card_that_brings_the_ship_home() -> None:
    hands = ("blue 7", "green 9"), ("blue 4", "blue 8", "blue 9")
    state = play(laid(*hands, ship=(1, 13), round_=5, won=(3, 3)), (0, "blue 7"))

    assert chosen(GAME, state, 1) == {"t": "play", "card": {"colour": "blue", "number": 8}}


def test_the_house_bot_steers_away_from_a_reef() -> None:
    hands = ("brown 7", "green 9"), ("brown 6", "green 4")
    state = laid(*hands, names=("charlotte", "aria"), ship=(1, 5))

    assert chosen(GAME, play(state, (0, "brown 7"), (1, "brown 6")), 0) == {"t": "steer", "to": "partner"}


def test_the_house_bot_as_Rick_takes_the_card_that_wins() -> None:
    state = trick("blue 5", "blue 4", names=("rick", "aria"), down=("green 3", "green 7"), ship=(1, 13))
    state = reveal(state, 0, 0)

    assert chosen(GAME, state, 0)["t"] == "reveal"
    assert chosen(GAME, reveal(state, 0, 1), 0)["slot"] == 1


def test_the_house_bot_as_Clyde_calls_the_trick_that_may_save_the_ship() -> None:
    hands = ("blue 8", "green 8", "green 7"), ("blue 4", "green 6", "brown 6")
    state = laid(*hands, won=(3, 0), round_=5, ship=(1, 13), names=("clyde", "aria"))

    assert chosen(GAME, play(state, (0, "blue 8"), (1, "blue 4")), 0) == {"t": "extra", "take": True}


def test_the_house_bot_as_Aria_waits_for_the_card_and_stays_with_its_character() -> None:
    state = dealt("aria", "rion")
    sailor = HamelnCavePlayer(Seat(0), Strength.MEDIUM, Rng(b"sailor", 0))
    picked = act(fresh(), 0, Character("rick"))

    assert settle(sailor.choose(GAME.view(state, Seat(0)), GAME.offers(state, Seat(0)))) is None
    assert chosen(GAME, act(state, 1, Pass(state.hands[1][0])), 0)["t"] == "pass"
    assert settle(sailor.choose(GAME.view(picked, Seat(0)), GAME.offers(picked, Seat(0)))) is None
    assert chosen(GAME, picked, 1)["t"] == "character"


def test_the_house_bot_does_not_waver_because_its_partner_has_passed() -> None:
    state = dealt("henry", "rion")
    sailor = HamelnCavePlayer(Seat(0), Strength.MEDIUM, Rng(b"sailor", 0))
    intent = settle(sailor.choose(GAME.view(state, Seat(0)), GAME.offers(state, Seat(0))))
    later = act(state, 1, Pass(state.hands[1][0]))

    assert intent is not None
    assert settle(sailor.choose(GAME.view(later, Seat(0)), GAME.offers(later, Seat(0)))) == intent


def test_a_forecast_follows_the_rules_of_the_queue() -> None:
    level = level_map(1)
    at = Position(level.index[level.places[1]], 6, 6, 0)

    assert level.add(at, 6) is THE_END
    assert level.add(Position(at.space, 3, 1, 0), 3) == Position(at.space, 1, 1, 1)
    assert level.add(Position(at.space, 3, 0, 3), 1) is THE_END
    assert level.chance(HOME, 3) == 1
    assert level.chance(at, 5) == 0
    assert [card_of(number_of(it)) for it in CARDS] == list(CARDS)


@pytest.mark.parametrize("strength", list(Strength))
def test_house_bots_finish_a_voyage_without_a_refused_move(strength: Strength) -> None:
    for level in (1, 4):
        options = HamelnCaveOptions(level=level)
        result = play_match(GAME, 2, ("house", "house"), b"voyage", options=options, strength=strength)

        assert result.refused == (0, 0)
        assert result.missed == (0, 0)
        assert result.winners in {(), (0, 1)}


def test_two_house_bots_win_level_1_more_often_than_not() -> None:
    results = [play_match(GAME, 2, ("house", "house"), bytes([n]) * 32) for n in range(12)]

    assert sum(bool(result.winners) for result in results) >= 8  # about 19 in 20 on the long run


def test_a_house_bot_puts_up_with_any_partner() -> None:
    for n in range(4):
        result = play_match(GAME, 2, ("house", "random"), bytes([n]) * 32)

        assert result.refused == (0, 0)
