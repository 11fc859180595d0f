"""The games. Every folder here with a `GAME` is a game; there is no list to edit."""

import importlib
import pkgutil
from functools import cache

from photofinish.engine import AnyGame


@cache
def all_games() -> dict[str, AnyGame]:
    """All games by key, in the order of their folders. Raises `BrokenComponents` for a bad deck or board."""
    found: dict[str, AnyGame] = {}
    for folder in pkgutil.iter_modules(__path__):
        if folder.ispkg:
            game: AnyGame = importlib.import_module(f"{__name__}.{folder.name}").GAME
            assert game.key == folder.name, f"{folder.name} calls itself {game.key}"
            found[game.key] = game
    return found
