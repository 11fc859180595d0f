"""The rooms of one node, counted by who opened them; and how long a room that nobody is connected to is kept."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from photofinish.engine import Micros
from photofinish.node.actor import RoomActor
from photofinish.room.record import RoomRecord
from photofinish.room.seats.lobby import RequestRefusal
from photofinish.store.ports import RoomId
from photofinish_protocol.reasons import Reason

MOST_ROOMS = 20_000
RESERVE = 2_000
"""Of these, reserved for openers with fewer than `FEW` rooms, so that one opener cannot use up all rooms."""
FEW = 4
CROWDED = 0.75
"""From this share of `MOST_ROOMS` on, abandoned games are kept for a shorter time."""

SECOND = 1_000_000
LEFT = Micros(30 * SECOND)
UNTOUCHED = Micros(600 * SECOND)
ABANDONED = Micros(24 * 3600 * SECOND)
ABANDONED_CROWDED = Micros(3600 * SECOND)


@dataclass(frozen=True, slots=True)
class Opener:
    """Who opens a room: the hash of an address. Empty: unknown, and not counted."""

    mark: bytes = b""
    most: int = 0
    """Most rooms that it may have open per node; 0: no own limit."""


ANONYMOUS = Opener()


class RoomTable:
    """Rooms by their code."""

    def __init__(self, most: int = MOST_ROOMS, reserve: int = RESERVE, most_bots: int = 0) -> None:
        """`most_bots`: house bots in all rooms of one opener; 0: no limit."""
        self._most, self._reserve, self._most_bots = most, reserve, most_bots
        self._rooms: dict[RoomId, RoomActor] = {}
        self._opened: defaultdict[bytes, dict[RoomId, RoomActor]] = defaultdict(dict)
        self._opening: Counter[bytes] = Counter()
        """Rooms that are being created, counted before they are stored."""

    def __len__(self) -> int:
        return len(self._rooms)

    def __iter__(self) -> Iterator[RoomId]:
        return iter(list(self._rooms))

    def get(self, room: RoomId) -> RoomActor | None:
        return self._rooms.get(room)

    def actors(self) -> list[RoomActor]:
        return list(self._rooms.values())

    def put(self, actor: RoomActor) -> None:
        self.pop(actor.code)
        self._rooms[actor.code] = actor
        opener = actor.room.record.opener
        self._opened[opener][actor.code] = actor
        if opener and self._most_bots:
            actor.room.may_seat_bot = lambda: self._bots(opener) < self._most_bots

    def pop(self, room: RoomId) -> RoomActor | None:
        actor = self._rooms.pop(room, None)
        if actor is not None:
            opener = actor.room.record.opener
            del self._opened[opener][room]
            if not self._opened[opener]:
                del self._opened[opener]
        return actor

    def _bots(self, opener: bytes) -> int:
        """House bots in all rooms of this opener."""
        chairs = (chair for actor in self._opened[opener].values() for chair in actor.room.record.chairs)
        return sum(chair.kind == "bot" for chair in chairs)

    def clear(self) -> None:
        self._rooms.clear()
        self._opened.clear()

    @property
    def is_crowded(self) -> bool:
        return len(self) >= CROWDED * self._most

    def begin(self, opener: Opener) -> None:
        """A room is about to be opened; `end` follows. Raises `RequestRefusal`."""
        total = len(self) + self._opening.total()
        mine = len(self._opened.get(opener.mark, ())) + self._opening[opener.mark]
        if opener.mark and opener.most and mine >= opener.most:
            raise RequestRefusal(
                Reason.TOO_MANY_ROOMS, f"Your address has {mine} rooms open. Leave one of them first."
            )
        left = self._most - total - (self._reserve if opener.mark and mine >= FEW else 0)
        if left <= 0:
            raise RequestRefusal(Reason.TOO_MANY_ROOMS)
        self._opening[opener.mark] += 1

    def end(self, opener: Opener) -> None:
        _less(self._opening, opener.mark)


def patience(record: RoomRecord, *, is_crowded: bool) -> Micros:
    """How long the room is kept while nobody is connected to it."""
    if record.event:  # its players may all be bots, or come late: its director knows how long it is needed
        return UNTOUCHED if record.phase == "over" else ABANDONED
    if all(chair.kind != "player" or chair.is_vacant for chair in record.chairs):
        return LEFT
    if record.phase != "playing" or not record.is_touched:
        return UNTOUCHED
    return ABANDONED_CROWDED if is_crowded else ABANDONED


def _less(counts: Counter[bytes], key: bytes) -> None:
    counts[key] -= 1
    if counts[key] <= 0:
        del counts[key]
