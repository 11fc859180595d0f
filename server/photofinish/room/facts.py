"""The inputs of a room. They are plain values, so that another node can send them to it."""

from typing import NewType, TypeAlias

import msgspec

from photofinish.engine import Micros
from photofinish.race.params import Path
from photofinish_protocol.messages import ClientMessage

SessionId = NewType("SessionId", str)
"""One connection, on any node. A player who reconnects has a new session."""


class Joined(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """A request for a seat: this one, or the first free one."""

    session: SessionId
    request_id: int
    name: str
    seat: int | None = None
    node: str = ""
    """The node that holds the socket. Empty: the node that owns the room."""
    address: str = ""
    """The address of the connection, if it is known."""
    key: str = ""
    """The public key that this connection has proved."""
    claim: str = ""
    """Identifies this request of this client. Sent again, it gets the same seat."""
    is_again: bool = False
    """This request has opened the room before: it gets its own seat or none."""
    standing: bytes = b""
    """What is kept of the races of this key (`kept_standing.py`). Empty: nothing."""


class Resumed(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """A player returns to a seat with a token. `seq`: the last view that it has."""

    session: SessionId
    request_id: int
    token: str
    seq: int
    node: str = ""
    address: str = ""


class BotSat(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """A house bot takes its chair. The room has asked for it."""

    session: SessionId
    chair: int


class Looked(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """A request to watch. `referee`: the password that shows the record of every race."""

    session: SessionId
    request_id: int
    name: str
    referee: str = ""
    node: str = ""
    address: str = ""
    is_official: bool = False
    """The connection has proved the key of an official of the room's event: a referee without a password."""
    seat: int | None = None
    """T4: the hands of this table are opened to this referee, who sees what this seat sees."""
    key: str = ""


class Requested(msgspec.Struct, frozen=True, tag="Asked", array_like=True):
    """A message from a session in this room. `arrived`: when its frame was received, by the clock of its node."""

    session: SessionId
    message: ClientMessage
    arrived: Micros
    unused: None = None
    """Always None. Keeps the position of the fields after it: facts from a node of an older release contain it."""
    loop_lag: Micros = Micros(0)
    """How late the node's event loop was when it read the frame."""
    retransmits: int = 0
    """Packets that the kernel has retransmitted to this session so far."""


class Handed(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """When the first view that shows this race was written to the session's socket, by the clock of its node.

    None: it was not written, because the session's buffer is full.
    """

    session: SessionId
    race: str
    at: Micros | None


class Measured(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """The round-trip times that the node has measured for this session."""

    session: SessionId
    path: Path


class Ticked(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """The clock of the session's node has reached `at`. Everything that it received before has been sent."""

    session: SessionId
    at: Micros


class Cut(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """The connection of a session has ended."""

    session: SessionId


class Directed(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """The event's director starts the game with these chairs. The others get bots or are removed (T23)."""

    event: str
    chairs: tuple[int, ...]
    bots: bool = False
    session: SessionId = SessionId("")


class Rekeyed(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """An organiser has bound an entrant of the event to another key (T8): its seat goes with it."""

    event: str
    old: str
    new: str
    session: SessionId = SessionId("")


Fact: TypeAlias = (
    Joined | Resumed | BotSat | Looked | Requested | Handed | Measured | Ticked | Cut | Directed | Rekeyed
)
