"""All that a layout needs to draw one view."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from photofinish_client.terminal.words import seat_name
from photofinish_protocol.messages import Place, Room, View

Keys: TypeAlias = Mapping[tuple[int, int], str]
"""The key that slaps (or takes, or names) the card in this seat and slot."""


def names_of(room: Room | None, seats: int) -> tuple[str, ...]:
    found = {place.seat: place.name for place in room.seats} if room else {}
    return tuple(found.get(seat) or f"seat {seat}" for seat in range(max(seats, len(found))))


@dataclass(frozen=True, slots=True)
class Scene:
    """A view, the names by seat, the available space, and the keys that are shown on cards."""

    view: View
    room: Room | None
    width: int = 76
    height: int = 12
    keys: Keys = field(default_factory=dict)

    @property
    def seen(self) -> Mapping[str, Any]:
        return self.view.view if isinstance(self.view.view, Mapping) else {"table": self.view.view}

    @property
    def you(self) -> int | None:
        return self.view.you

    @property
    def seats(self) -> range:
        return range(len(self.room.seats) if self.room else len(self.view.scores))

    @property
    def names(self) -> tuple[str, ...]:
        return names_of(self.room, len(self.view.scores))

    def name(self, seat: object) -> str:
        return "you" if seat is not None and seat == self.you else seat_name(self.names, seat)

    def place(self, seat: int) -> Place | None:
        return next((it for it in self.room.seats if it.seat == seat), None) if self.room else None

    @property
    def awaited(self) -> Sequence[int]:
        """The seats whose answer the game waits for."""
        for key in ("awaited", "placer", "turn"):
            value = self.seen.get(key)
            if isinstance(value, int):
                return (value,)
            if isinstance(value, list | tuple) and value:
                return tuple(value)
        return tuple(it.seat for it in self.view.clocks if it.seat is not None and it.running)
