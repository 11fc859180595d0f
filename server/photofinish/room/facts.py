"""All that can happen to a room. Facts are plain values, so that another node can send them too."""

from typing import NewType, TypeAlias

import msgspec

from photofinish.engine import Micros
from photofinish.race.params import Path
from photofinish_protocol.messages import ClientMessage

SessionId = NewType("SessionId", str)
"""One connection, on whichever node: a reconnected player is a new session."""


class Joined(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """Somebody wants a seat: that one, or the first free one."""

    session: SessionId
    ask: int
    name: str
    seat: int | None = None
    node: str = ""
    """The node that holds the socket; empty for the room's own."""
    address: str = ""
    """Where the connection comes from, if that is known."""
    key: str = ""
    """The public key that this connection has proved, for rooms of an event."""
    claim: str = ""
    """Names this ask of this client: sent again, it gets the seat that it got before."""
    is_again: bool = False
    """This very ask has opened the room: it gets its own seat or none."""


class Resumed(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """Somebody comes back to a seat with a token, having seen view `seq`."""

    session: SessionId
    ask: int
    token: str
    seq: int
    node: str = ""
    address: str = ""


class BotSat(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """A player of the house takes up its chair: the room has asked for it."""

    session: SessionId
    chair: int


class Looked(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """Somebody wants to watch. `referee` is the word for those who see every race's record."""

    session: SessionId
    ask: int
    name: str
    referee: str = ""
    node: str = ""
    address: str = ""


class Asked(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """A session in this room sent a message. `arrived` is the moment its frame came in, by its node's clock."""

    session: SessionId
    message: ClientMessage
    arrived: Micros
    unused: None = None
    """Always None. Keeps the fields after it in place: nodes of an older release send letters with it."""
    loop_lag: Micros = Micros(0)
    """How late the node's event loop was when the frame came in."""
    retransmits: int = 0
    """Packets that the kernel has sent again to this session so far."""


class Handed(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """The first view that shows this race was put on a session's wire at that moment of its node's clock.

    None: it could not be, because the session's buffer is full.
    """

    session: SessionId
    race: str
    at: Micros | None


class Measured(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """What the node knows of the way to this session."""

    session: SessionId
    path: Path


class Ticked(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """The clock of the node that holds this session has come so far; all it received before has been sent."""

    session: SessionId
    at: Micros


class Cut(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """A session is gone."""

    session: SessionId


class Directed(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """The director of the room's event says: deal now, to these chairs; bots take the others or they go (T23)."""

    event: str
    chairs: tuple[int, ...]
    bots: bool = False
    session: SessionId = SessionId("")


Fact: TypeAlias = Joined | Resumed | BotSat | Looked | Asked | Handed | Measured | Ticked | Cut | Directed
