"""The effects that a room asks for. They are done after the commit of their batch."""

from typing import TypeAlias

import msgspec

from photofinish.race.evidence import RaceRecord
from photofinish.room.facts import SessionId
from photofinish_protocol.messages import ServerMessage, View
from photofinish_protocol.reasons import Close


class Send(msgspec.Struct, frozen=True):
    """This message to this session."""

    to: SessionId
    message: ServerMessage


class Show(msgspec.Struct, frozen=True):
    """A view to this session. If the session cannot take it now, a newer one may replace it (`last` merges)."""

    to: SessionId
    view: View


class Drop(msgspec.Struct, frozen=True):
    """Remove this session from the room. With a code: close its connection."""

    session: SessionId
    code: Close | None = None


Effect: TypeAlias = Send | Show | Drop


class Batch(msgspec.Struct):
    """One round of work: if `is_dirty`, store the room and these log entries first; then do the effects."""

    is_dirty: bool = False
    entries: list[bytes] = []
    effects: list[Effect] = []
    is_listed_again: bool = False
    """The room's line in the list of rooms has changed."""
    is_over: bool = False
    """A game has just ended: its replay can be stored."""
    races: list[RaceRecord] = []
    """Races that have just closed, for the metrics."""
