"""`resample` redraws everything that is hidden from its viewer, also what no view of any seat has."""

from collections.abc import Callable
from dataclasses import replace as with_field
from typing import Any

import pytest

from photofinish.engine import AnyGame, replace
from photofinish.games import all_games
from tests.games.resample.hidden_places import HiddenPlaces
from tests.games.sample.game import MAGPIES
from tests.games.tables import options_for, sizes

TABLES = [
    (game, seats, number)
    for game in (MAGPIES, *all_games().values())
    for number, seats in enumerate(sizes(game))
]
STEPS = 600


def faults(game: AnyGame, seats: int, number: int = 0) -> list[str]:
    """What a `resample` forgets at this table. `number`: which options, as in `tables.py`."""
    places = HiddenPlaces(game, seats, options_for(game, seats, number))
    found = list(places.faults_at_the_deal())
    for play in range(4):
        places.play(b"game %d" % play, STEPS // 4)
    return [*found, *places.faults()]


@pytest.mark.parametrize(
    ("game", "seats", "number"), TABLES, ids=lambda value: getattr(value, "key", str(value))
)
def test_resample_varies_everything_that_its_viewer_is_not_shown(
    game: AnyGame, seats: int, number: int
) -> None:
    found = faults(game, seats, number)

    assert not found, "\n".join(found)


def forgetting(game: AnyGame, field: str, kept: Callable[[Any, Any], Any]) -> AnyGame:
    """The game with a `resample` that keeps a part of this field."""

    def resample(state: Any, viewer: Any, rng: Any) -> Any:
        again = game.resample(state, viewer, rng)
        return replace(again, **{field: kept(getattr(state, field), getattr(again, field))})

    return with_field(game, resample=resample)


def test_a_resample_that_forgets_the_cards_that_were_not_dealt_is_noticed() -> None:
    found = faults(forgetting(MAGPIES, "pile", lambda old, _: old), 3)

    assert any("vary pile.* at the deal" in it for it in found)


def test_a_resample_that_forgets_only_the_last_card_of_the_pile_is_noticed() -> None:
    found = faults(forgetting(MAGPIES, "pile", lambda old, new: (*new[:-1], old[-1])), 3)

    assert found == ["resample does not vary pile.* at the deal (4 values)"]


def test_a_resample_that_forgets_cards_which_were_put_away_later_is_noticed() -> None:
    found = faults(forgetting(all_games()["cambio"], "discard", lambda old, _: old), 4)

    assert any("vary discard.* for" in it for it in found)
