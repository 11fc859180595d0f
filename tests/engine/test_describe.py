"""The schemas that a client author gets with `games`: every option and every move has a description."""

from collections.abc import Iterator
from typing import Any

import pytest

from photofinish.engine import AnyGame
from photofinish.engine.describe import SAFE, schema
from photofinish.games import all_games

every_game = pytest.mark.parametrize("game", all_games().values(), ids=lambda it: it.key)


def numbers(value: Any) -> Iterator[int | float]:
    if isinstance(value, dict):
        for it in value.values():
            yield from numbers(it)
    elif isinstance(value, list | tuple):
        for it in value:
            yield from numbers(it)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value


@every_game
def test_every_option_says_what_it_does_its_unit_and_its_default(game: AnyGame) -> None:
    made = schema(game.options)
    fields = made["$defs"][game.options.__name__]["properties"]

    assert fields
    for name, field in fields.items():
        assert field.get("description"), f"{game.key}: {name} has no description"
        assert "default" in field, f"{game.key}: {name} has no default"
        if name.endswith(("_seconds", "_ms")):
            assert field["unit"] in {"s", "ms"}


@every_game
def test_every_move_and_each_of_its_fields_says_what_it_means(game: AnyGame) -> None:
    made = schema(game.move_type)["$defs"]
    for move in game.moves:
        described = made[move.__name__]
        assert described.get("description"), f"{game.key}: {move.__name__} has no description"
    for name, part in made.items():
        for field, described in part.get("properties", {}).items():
            if field != "t":
                assert described.get("description"), f"{game.key}: {name}.{field} has no description"


@every_game
def test_no_number_in_a_schema_is_too_large_for_a_double(game: AnyGame) -> None:
    for kind in (game.options, game.move_type):
        assert max(map(abs, numbers(schema(kind))), default=0) <= SAFE
