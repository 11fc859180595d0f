"""The rules of a game: the file `RULES.md` in the game's folder."""

from functools import cache
from importlib.resources import files

from photofinish.engine import AnyGame


def rules_of(game: AnyGame) -> bytes | None:
    """Markdown, or None for a game without that file."""
    return _read(game.setup.__module__)


@cache
def _read(module: str) -> bytes | None:
    """`setup` may be in a folder below the game's own: the nearest `RULES.md` upwards counts."""
    package = module.rpartition(".")[0]
    if not package:
        return None
    page = files(package) / "RULES.md"
    return page.read_bytes() if page.is_file() else _read(package)
