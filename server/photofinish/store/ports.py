"""What rooms and the gateway may know of a store. Nothing here speaks Redis."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NewType, Protocol

RoomId = NewType("RoomId", str)
NodeId = NewType("NodeId", str)
StoreTime = NewType("StoreTime", int)
"""Microseconds by the store's own clock: the one clock all nodes can read."""

LEASE_MS = 2_000
"""How long a lease lasts unless it is renewed: after a crash a room waits this long for its next owner."""
RENEW_EVERY_MS = 500
"""How often an owner should renew: two lost renewals cost nothing."""


class LeaseLost(Exception):  # noqa: N818 - it is a fact, not an error: the writer stops (STYLE 10)
    """Somebody else owns this room now, or it is gone. The writer stops; it does not argue."""

    def __init__(self, room: RoomId, why: str) -> None:
        super().__init__(f"{room}: {why}")
        self.room, self.why = room, why


class StoreClosed(Exception):  # noqa: N818 - likewise
    """The store was closed while this was waiting, so nobody knows whether it was stored."""


class StoreAway(Exception):  # noqa: N818 - likewise
    """The store does not answer. Only `ping` and opening a store say so; everything else waits."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write one room. A later epoch fences off every earlier one."""

    room: RoomId
    epoch: int


@dataclass(frozen=True, slots=True)
class Saved:
    """What a room is loaded from."""

    room: RoomId
    epoch: int
    version: int
    state: bytes
    game: int
    summary: bytes


@dataclass(frozen=True, slots=True)
class Write:
    """One commit: the whole room after it, and what it adds to the log of the game being played."""

    lease: Lease
    version: int
    """After this commit. The store holds `version - 1`, or the commit is refused; a new room is version 0."""
    command: str
    """Names this commit and no other. Sent again it is answered as the first time and changes nothing."""
    state: bytes
    game: int
    """Which game at this table: each has a log of its own. 0 until the first one."""
    entries: tuple[bytes, ...] = ()
    summary: bytes | None = None
    """What the lobby lists from now on: `b""` takes the room off the list, None leaves it as it is."""


@dataclass(frozen=True, slots=True)
class Condition:
    """How a store is doing, for whoever looks after it."""

    waiting: int
    """Asked and not answered yet."""
    unsure: int
    """Of these: written, but too few replicas have it, so nobody has been told."""
    troubles: int
    """How often the store was found away so far."""
    why: str
    """What is wrong just now; empty if nothing is."""
    setbacks: int = 0
    """Rooms of ours that were found standing earlier than we had stored them: a failover took them back."""


class RoomStore(Protocol):
    """A place that keeps rooms.

    Every call but `ping` waits while the store is away or slow and tries again by itself, without ever
    doing a thing twice: a stalled store stalls the room, it does not end it. Put a timeout around a call that
    must not wait. `close` ends the waiting with `StoreClosed`.
    """

    async def create(self, room: RoomId, node: NodeId, state: bytes, summary: bytes) -> Lease | None:
        """A new room, version 0, owned by this node; None if that code is taken."""

    async def commit(self, write: Write) -> None:
        """Returns when it is stored. Raises `LeaseLost` if epoch or version no longer fit.

        Commits of one room are stored in the order in which they were asked for; up to `IN_FLIGHT` of them
        may wait at a time.
        """

    async def acquire(self, room: RoomId, node: NodeId) -> tuple[Lease, Saved] | None:
        """Take a free or expired lease. None if somebody holds it, or there is no such room."""

    async def renew(self, leases: Iterable[Lease]) -> frozenset[RoomId]:
        """Keep them all, in one round trip. Returns the rooms that are lost."""

    async def release(self, lease: Lease) -> None:
        """Let go at once, so that another node can take over; does nothing if it is lost already."""

    async def remove(self, lease: Lease) -> None:
        """The room is over: state, logs and listing go, archived replays stay their time."""

    async def log(self, room: RoomId, game: int, after: int = 0) -> list[tuple[int, bytes]]:
        """The entries of one game with the version each was stored in, in order, from versions past `after`."""

    async def orphans(self) -> list[RoomId]:
        """Rooms whose lease has run out. A hint: `acquire` alone decides."""

    async def owner(self, room: RoomId) -> NodeId | None:
        """Who holds the lease just now."""

    async def exists(self, room: RoomId) -> bool:
        """Whether there is such a room, owned or not."""

    async def summaries(self) -> list[tuple[RoomId, bytes]]:
        """What the lobby lists, by room."""

    async def archive(self, room: RoomId, game: int, replay: bytes, keep_seconds: int) -> None:
        """Keep the replay of a finished game for so long, and drop that game's log: the replay holds it."""

    async def replay(self, room: RoomId, game: int) -> bytes | None: ...

    async def reclaim(self, node: NodeId | None = None) -> list[RoomId]:
        """Free all leases held under this node's name (of all nodes, if none is named), and say which.

        For the embedded store at start-up: nobody else can hold a lease there.
        """

    async def ping(self) -> StoreTime:
        """The store's clock, or `StoreAway`: asked once, never again by itself."""

    @property
    def condition(self) -> Condition: ...

    async def close(self) -> None: ...


IN_FLIGHT = 64
"""So many commits of one room the store remembers by their command."""


class Mail(Protocol):
    """Letters between nodes. Each arrives once, in the order in which one node sent them to another."""

    on_unreadable: Callable[[], None]
    """Called for each envelope that this release cannot read. It is kept aside and the next one is read."""

    def post(self, to: NodeId, letter: bytes) -> None:
        """Send it. Does not wait; letters to one node share a round trip."""

    async def collect(self) -> list[tuple[NodeId, bytes]]:
        """Wait for letters to this node: who sent each, and what it says."""

    async def announce(self, address: str) -> None:
        """This node is alive, and players reach it there. Say so twice a second."""

    async def address(self, node: NodeId) -> str | None:
        """Where players reach that node; None if it has not been heard of for a while."""

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Another node that has been heard of lately."""

    node: NodeId
    beat: int
    """Counts what we heard of it: the other fields are as of then."""
    rooms: int
    is_open: bool
    """It takes rooms, and knows the same games as we."""


class Membership(Protocol):
    """Who the nodes are. What it says of others is as old as the last `call`."""

    async def call(self, rooms: int, *, is_open: bool) -> None:
        """This node is here, with so many rooms; and who else is? A few times a second."""

    def neighbours(self) -> list[Neighbour]:
        """Everybody else who was heard of within the last second or so."""

    async def dead(self) -> dict[NodeId, bool]:
        """Nodes that were found dead for certain, and whether it is ours to free their leases: one node's task.

        Never a node whose process lives, nor one on another machine: its leases have to run out.
        """

    async def leave(self) -> None:
        """This node takes no more rooms, and is not counted on any more."""
