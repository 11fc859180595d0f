"""What a room wants done. Nothing of it is done before what it tells is stored."""

from dataclasses import dataclass, field
from typing import TypeAlias

from photofinish.race.evidence import RaceRecord
from photofinish.room.facts import SessionId
from photofinish_protocol.messages import ServerMessage, View
from photofinish_protocol.reasons import Close


@dataclass(frozen=True, slots=True)
class Send:
    """This message to this session."""

    to: SessionId
    message: ServerMessage


@dataclass(frozen=True, slots=True)
class Show:
    """A view to this session. If the session cannot take it now, a newer one may replace it (`last` merges)."""

    to: SessionId
    view: View


@dataclass(frozen=True, slots=True)
class Drop:
    """This session has no more business here. With a code: close its connection."""

    session: SessionId
    code: Close | None = None


Effect: TypeAlias = Send | Show | Drop


@dataclass(slots=True)
class Batch:
    """One round of work: if `is_dirty`, store the room and these log entries first; then do the effects."""

    is_dirty: bool = False
    entries: list[bytes] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    is_listed_anew: bool = False
    """What the lobby lists has changed."""
    is_over: bool = False
    """A game has just ended: its replay can be kept."""
    races: list[RaceRecord] = field(default_factory=list)
    """Races that have just closed, for whoever counts them."""
