"""The games on the shelf as clients see them."""

from collections.abc import Mapping
from typing import Any

import msgspec

from photofinish.engine import AnyGame
from photofinish_protocol import messages

_lists: dict[int, messages.GameList] = {}


def game_list(games: Mapping[str, AnyGame]) -> messages.GameList:
    """Made once: the schemas do not change while the server runs."""
    if id(games) not in _lists:
        _lists[id(games)] = messages.GameList(games=tuple(map(_info, games.values())))
    return _lists[id(games)]


def _info(game: AnyGame) -> messages.GameInfo:
    return messages.GameInfo(
        key=game.key,
        title=game.title,
        blurb=game.blurb,
        least=game.seats.start,
        most=game.seats.stop - 1,
        house=game.house is not None,
        options=_schema(game.options),
        moves=_schema(game.move_type),
    )


def _schema(kind: Any) -> dict[str, Any]:
    return msgspec.json.schema(kind)
