"""`photofinish new-game NAME`: a small complete game in a folder of its own, to be changed step by step."""

import keyword
import re
from pathlib import Path

TEMPLATE = Path(__file__).parent / "template"
NAME = re.compile(r"[a-z][a-z0-9_]{1,30}")


class BadName(ValueError):  # noqa: N818 - the author reads it as a sentence
    """Not a name that a folder of games could have."""


def write(key: str, checkout: Path) -> list[Path]:
    """Write the game `key` and its tests into a checkout of Photofinish. Returns the files, newest last."""
    if not NAME.fullmatch(key) or keyword.iskeyword(key):
        raise BadName(
            f"{key!r} is not a name for a game: use lower-case letters, digits and _, such as high_card."
        )
    game = checkout / "server" / "photofinish" / "games" / key
    tests = checkout / "tests" / "games" / key
    if not game.parent.is_dir() or not tests.parent.is_dir():
        raise BadName(
            f"{checkout} is no checkout of Photofinish: there is no server/photofinish/games in it."
        )
    for folder in (game, tests):
        if folder.exists():
            raise BadName(f"{folder} exists already; nothing was written.")
    title = key.replace("_", " ").title()
    words = {"__KEY__": key, "__TITLE__": title, "__CLASS__": title.replace(" ", "")}
    files = []
    for source in sorted(TEMPLATE.rglob("*.txt")):
        path = source.relative_to(TEMPLATE).with_suffix("")
        target = tests / path.name if path.parts[0] == "tests" else game / path
        target.parent.mkdir(parents=True, exist_ok=True)
        text = source.read_text(encoding="utf-8")
        for word, value in words.items():
            text = text.replace(word, value)
        target.write_text(text, encoding="utf-8")
        files.append(target)
    return files
