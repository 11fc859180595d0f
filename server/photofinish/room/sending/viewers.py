"""The viewers of a table, and whether a step changes what they see."""

from functools import cache
from typing import Any

from photofinish.engine import AnyGame, Seat, Viewer, replace


@cache
def viewers(seats: int) -> tuple[Viewer, ...]:
    """Every seat, and None for the spectators."""
    return (*(Seat(n) for n in range(seats)), None)


def is_news(game: AnyGame, before: Any, after: Any, viewer: Viewer) -> bool:
    """Does the step between these two states change anything for this viewer, or tell it something?"""
    was, now = game.view(before, viewer), game.view(after, viewer)
    return bool(now.last) or replace(was, last=()) != replace(now, last=())
