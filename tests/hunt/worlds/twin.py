"""Another world beside the real one, with a state resampled for one viewer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from photofinish.engine import Viewer
from tests.hunt.worlds.world import World

LONG = 48
"""Steps after which a world is replaced by one for another viewer."""


@dataclass
class Twin:
    world: World
    viewer: Viewer
    left: int = LONG
    is_behind: bool = True
    was: tuple[Any, Any] = (None, None)
    """The states before the step, in the real world and in this one,"""
    entries: tuple[Sequence[bytes], Sequence[bytes]] = ((), ())
    """and what was logged in it."""
    parts_at: int | None = None
    """The tables lawfully differ, but the viewer may not see the difference before this moment."""
