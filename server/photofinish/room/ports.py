"""What the handlers of requests, joins and leaves may use of their room, and no more."""

from collections.abc import Callable
from typing import Protocol

from photofinish.engine import AnyGame, Micros, Seat
from photofinish.room.facts import SessionId
from photofinish.room.play.match import Match
from photofinish.room.record import Chair, RoomRecord
from photofinish.room.seats.presence import Presence
from photofinish.room.sending.out import Out
from photofinish.room.sending.watcher_limits import WatcherLimits


class RequestRoom(Protocol):
    """A room as `requests` sees it."""

    record: RoomRecord
    game: AnyGame
    presence: Presence
    out: Out
    may_seat_bot: Callable[[], bool]
    """Whether the node has a place for one more house bot in this room."""

    def check_open(self) -> None:
        """Raises `RequestRefusal` if the room is quarantined."""

    def muted(self) -> str:
        """The clause that forbids talk now, or an empty string."""

    def note(self, *, is_dirty: bool = True) -> None:
        """The room's description has changed: send it to everybody."""

    def note_watcher(self, now: Micros) -> None:
        """A watcher came or left."""

    def unseat(self, session: SessionId, now: Micros) -> None:
        """Take the session out of its chair. The chair stays its player's."""

    def give_up(self, chair: Chair, now: Micros, *, is_kicked: bool = False) -> None:
        """The player of this chair leaves the room."""

    def set_autopilot(self, seat: Seat, on: bool, now: Micros) -> None:
        """Turn the autopilot of a seat on or off, if a game is on the table."""

    def call_deal(self, now: Micros) -> None:
        """Fix the table for a new game. Raises `RequestRefusal`."""

    def clear(self) -> None:
        """Return to the lobby after a game."""


class DispatchRoom(RequestRoom, Protocol):
    """A room as `dispatch` sees it."""

    match: Match | None
    watcher_limits: WatcherLimits


class EntryRoom(RequestRoom, Protocol):
    """A room as `join_leave` sees it."""

    watcher_limits: WatcherLimits

    def arrive(self, session: SessionId, chair: Chair, now: Micros, node: str = "") -> None:
        """Put the session into the chair."""

    def returned(self, chair: Chair, now: Micros) -> None:
        """The player of this chair is back: a race that waits for it may open."""

    def new_token(self, chair: Chair) -> str:
        """A new token for this chair."""

    def show(self, session: SessionId, chair: Chair, seq: int, now: Micros) -> None:
        """Send the seat's view, with what happened after view `seq`."""

    def show_public(self, session: SessionId, now: Micros) -> None:
        """Send the spectators' view."""

    def describe_if_postponed(self, session: SessionId, now: Micros) -> None:
        """Send the room's description, unless everybody gets it in this batch."""
