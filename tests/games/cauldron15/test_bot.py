"""The house bot sees what its seat sees, and plays better than chance."""

import pytest

from photofinish.engine import Strength
from photofinish.games.cauldron15 import GAME
from photofinish.games.cauldron15.state import Cauldron15Options
from tests.games.cauldron15.table import laid, play
from tests.games.cauldron15.test_bonus import kept_by_two
from tests.games.house_bots import chosen, finished, wins


def test_the_house_bot_keeps_out_of_a_seven_that_would_ruin_it() -> None:
    hands = (("ore 0", "ore 5"), ("ore 6", "ore 1"))
    before = (("plant 5",), ("plant 6", "soul 7"))
    state = play(laid(hands, before=before, lead="ore 7", round_=3), (0, "ore 5"))

    assert chosen(GAME, state, 1) == {"t": "play", "card": {"kind": "ore", "number": 1}}


def test_the_house_bot_makes_15_and_takes_what_brings_it_there() -> None:
    hands = (("ore 7",), ("plant 7",), ("ore 1",))
    state = play(laid(hands, before=((), (), ("soul 7", "liquid 1")), round_=3), (0, "ore 7"), (1, "plant 7"))
    state = play(state, (2, "ore 1"))
    card = chosen(GAME, state, 2)["card"]

    assert isinstance(card, dict)
    assert card["number"] == 7


def test_the_house_bot_spends_a_kept_bonus_only_where_it_helps() -> None:
    state = kept_by_two()

    assert chosen(GAME, state, 0) == {"t": "spend", "cards": []}  # it stands at 14


@pytest.mark.parametrize("strength", list(Strength))
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_house_bots_finish_a_game_among_themselves(seats: int, strength: Strength) -> None:
    options = Cauldron15Options(keep_bonus=True, open_discards=False)
    finished(GAME, seats, b"among witches", dict.fromkeys(range(seats), strength), options)


def test_the_strong_house_bot_beats_chance() -> None:
    assert wins(GAME, 2, 60) >= 40  # about three games in four on the long run
