"""Decks and boards are data: TOML files in the games' folders. A host can replace them.

If the folder in `PHOTOFINISH_COMPONENTS` (`serve --components DIR`) has a file of the same name, that file is used.
A broken file is reported with file, key and reason when the games are loaded, before any room opens.
"""

import os
import tomllib
from pathlib import Path
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

FOLDER = "PHOTOFINISH_COMPONENTS"


class BrokenComponents(Exception):  # noqa: N818 - the operator reads it as a sentence
    """A components file that is not valid. The message says which file, which key, and why."""

    def __init__(self, file: Path, key: str, reason: str) -> None:
        super().__init__(f"{file}: {key}: {reason}" if key else f"{file}: {reason}")
        self.file, self.key, self.reason = file, key, reason


def find(shipped: Path) -> Path:
    """The host's own version of this file, if there is one, else the one we ship."""
    folder = os.environ.get(FOLDER)
    own = Path(folder) / shipped.name if folder else None
    return own if own and own.is_file() else shipped


def load(shipped: Path, kind: type[T]) -> T:
    """The file as a typed record. The game makes all checks beyond types and raises `BrokenComponents` itself."""
    file = find(shipped)
    try:
        raw: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BrokenComponents(file, "", str(error)) from error
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        reason, _, where = str(error).partition(" - at `$")
        raise BrokenComponents(file, where.rstrip("`").lstrip("."), reason) from error
