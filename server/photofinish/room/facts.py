"""All that can happen to a room. Facts are plain values, so that another node can send them too."""

from dataclasses import dataclass
from typing import NewType, TypeAlias

from photofinish.engine import Micros, Move
from photofinish.race.params import Path
from photofinish_protocol.messages import ClientMessage

SessionId = NewType("SessionId", str)
"""One connection, on whichever node: a reconnected player is a new session."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody wants a seat: that one, or the first free one."""

    session: SessionId
    ask: int
    name: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Resumed:
    """Somebody comes back to a seat with a token, having seen view `seq`."""

    session: SessionId
    ask: int
    token: str
    seq: int


@dataclass(frozen=True, slots=True)
class BotSat:
    """A player of the house takes up its chair: the room has asked for it."""

    session: SessionId
    chair: int


@dataclass(frozen=True, slots=True)
class Looked:
    """Somebody wants to watch. `referee` is the word for those who see every race's record."""

    session: SessionId
    ask: int
    name: str
    referee: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """A session in this room sent a message. `arrived` is the moment its frame came in, by its node's clock."""

    session: SessionId
    message: ClientMessage
    arrived: Micros
    move: Move | None = None
    """The typed move of a `play`, parsed at the edge."""
    loop_lag: Micros = Micros(0)
    """How late the node's event loop was when it came in."""


@dataclass(frozen=True, slots=True)
class Handed:
    """The first view that shows this race was put on a session's wire at that moment of its node's clock.

    None: it could not be, because the session's buffer is full.
    """

    session: SessionId
    race: str
    at: Micros | None


@dataclass(frozen=True, slots=True)
class Measured:
    """What the node knows of the way to this session."""

    session: SessionId
    path: Path


@dataclass(frozen=True, slots=True)
class Cut:
    """A session is gone."""

    session: SessionId


Fact: TypeAlias = Joined | Resumed | BotSat | Looked | Asked | Handed | Measured | Cut
