"""A host's own copy of a component file, with one thing changed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from photofinish.engine.decks.components import FOLDER, BrokenComponents


def loaded(load: Any, shipped: Path, old: str, new: str, folder: Path, patch: pytest.MonkeyPatch) -> Any:
    """What a cached loader makes of the changed copy."""
    text = shipped.read_text(encoding="utf-8")
    assert old in text
    (folder / shipped.name).write_text(text.replace(old, new, 1), encoding="utf-8")
    patch.setenv(FOLDER, str(folder))
    read: Callable[[], Any] = load.__wrapped__
    return read()


def broken_key(load: Any, shipped: Path, old: str, new: str, folder: Path, patch: pytest.MonkeyPatch) -> str:
    """The key that the refusal of the changed copy names. It names the file and a reason too."""
    with pytest.raises(BrokenComponents) as broken:
        loaded(load, shipped, old, new, folder, patch)
    assert broken.value.file == folder / shipped.name
    assert broken.value.reason
    return broken.value.key
