"""A room of an event: its seats are bound to keys, its seed is given, nobody is host (T1, T75)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from photofinish.engine import AnyGame
from photofinish.room.record import Chair, RoomRecord


class BoundSeat(NamedTuple):
    """Who sits in a seat. A bot has no key."""

    key: str
    name: str
    is_bot: bool = False


def event_record(
    code: str,
    game: AnyGame,
    event: str,
    seats: Sequence[BoundSeat],
    options: dict[str, Any],
    seed: bytes,
    *,
    is_duplicate: bool,
    races: dict[str, int],
    spectator_delay: int,
    max_ping_ms: int,
) -> RoomRecord:
    """A room in the lobby that waits for its players."""
    chairs = [
        Chair(key=number, kind="bot", name=it.name)
        if it.is_bot
        else Chair(key=number, bound_key=it.key, bound_name=it.name)
        for number, it in enumerate(seats)
    ]
    return RoomRecord(
        code=code,
        game=game.key,
        rules=game.version,
        options=options,
        capacity=len(chairs),
        host=-1,
        seed=seed,
        chairs=chairs,
        private=True,
        spectator_delay=spectator_delay,
        max_ping_ms=max_ping_ms,
        next_key=len(chairs),
        event=event,
        is_duplicate=is_duplicate,
        races=races,
    )
