"""How a leak is planted, and the short hunts that must catch it."""

from collections.abc import Callable
from typing import Any

import pytest

from photofinish.games import all_games
from photofinish.room.play.match import Match
from tests.hunt.hidden import Leak
from tests.hunt.lines import kept
from tests.hunt.room_driver import RoomDriver

Plant = pytest.MonkeyPatch
STEPS = 200


def around(monkeypatch: Plant, owner: Any, name: str, change: Callable[..., Any]) -> None:
    """Plant a fault: `change` replaces the function and gets the original as its first argument."""
    honest = getattr(owner, name)
    monkeypatch.setattr(owner, name, lambda *args, **more: change(honest, *args, **more))


def secret(it: Match | None) -> bool:
    """A fact that no viewer can know, about the bottom card of Cambio's main stock."""
    return it is not None and bool(it.state.main) and bool(sum(it.state.main[0].encode()) & 1)


def hunted(game: str = "cambio", seats: int = 3, delay: int = 0, rooms: int = 5) -> str | None:
    """A short hunt with one world per viewer and the same acts in all. Returns the first leak."""
    return _hunted(game, seats, rooms, delay=delay, twins=seats + 1, hidden=0)


def hunted_hidden(game: str, seats: int = 3, rooms: int = 12) -> str | None:
    """A short hunt only with worlds that lack one act or have another choice. Returns the first leak."""
    return _hunted(game, seats, rooms, twins=0, hidden=1)


def _hunted(game: str, seats: int, rooms: int, **worlds: int) -> str | None:
    it = all_games()[game]
    with kept() as lines:
        for room in range(rooms):
            driver = RoomDriver(it, seats, it.options(), f"planted {room}", lines, **worlds)
            try:
                driver.open()
                driver.run(STEPS)
            except Leak as leak:
                return str(leak)
    return None
