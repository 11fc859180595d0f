"""The interfaces of the store for rooms and the gateway. Nothing here depends on Redis."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import NewType, Protocol

import msgspec

RoomId = NewType("RoomId", str)
NodeId = NewType("NodeId", str)
StoreTime = NewType("StoreTime", int)
"""Microseconds by the store's own clock, which all nodes share."""

LEASE_MS = 2_000
"""How long a lease lasts without renewal. After a crash a room waits at most this long for its next owner."""
RENEW_EVERY_MS = 500
"""How often an owner renews. A lease survives two lost renewals."""


class LeaseLost(Exception):  # noqa: N818 - it is a fact, not an error: the writer stops (STYLE 10)
    """Another node owns this room now, or the room does not exist. The writer must stop."""

    def __init__(self, room: RoomId, why: str) -> None:
        super().__init__(f"{room}: {why}")
        self.room, self.why = room, why


class StoreClosed(Exception):  # noqa: N818 - likewise
    """The store was closed while this request was open. It may or may not have been stored."""


class StoreAway(Exception):  # noqa: N818 - likewise
    """The store does not answer. Only `ping` and opening a store raise it; every other call waits."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write one room. A later epoch fences off every earlier one."""

    room: RoomId
    epoch: int


@dataclass(frozen=True, slots=True)
class Saved:
    """A room as stored."""

    room: RoomId
    epoch: int
    version: int
    state: bytes
    game: int
    summary: bytes


class Write(msgspec.Struct, frozen=True):
    """One commit: the whole state of the room after it, and the new entries in the log of the current game."""

    lease: Lease
    version: int
    """The version after this commit. If the store does not hold `version - 1`, it refuses. A new room is version 0."""
    command: str
    """A unique id of this commit. A retry with the same id gets the same answer and changes nothing."""
    state: bytes
    game: int
    """Number of the game at this table; each game has its own log. 0 before the first game."""
    entries: tuple[bytes, ...] = ()
    summary: bytes | None = None
    """The new entry in the lobby: `b""` removes the room from the list, None changes nothing."""


@dataclass(frozen=True, slots=True)
class Condition:
    """The health of a store, for the operator."""

    waiting: int
    """Requests without an answer."""
    unsure: int
    """Of these: written, but not confirmed by enough replicas, so the answer is held back."""
    troubles: int
    """How often the store was unavailable so far."""
    why: str
    """The current problem; empty if there is none."""
    setbacks: int = 0
    """Rooms of this node that a failover has set back to an earlier version than was stored."""


class RoomStore(Protocol):
    """Stores rooms.

    Every call except `ping` waits while the store is slow or unavailable. It retries by itself and takes effect
    once, so an outage delays a room but does not end it. Put a timeout around a call that must not wait. `close`
    ends open calls with `StoreClosed`.
    """

    async def create(self, room: RoomId, node: NodeId, state: bytes, summary: bytes) -> Lease | None:
        """Create a room with version 0, owned by this node. None if the code is taken."""

    def commit(self, write: Write) -> Awaitable[None]:
        """Done when it is stored. Raises `LeaseLost` if the epoch or the version does not match.

        Commits of one room are stored in the order of the calls; up to `IN_FLIGHT` of them may be open at a time.
        """

    def commit_then(self, write: Write, done: Callable[[Exception | None], None]) -> None:
        """As `commit`, for a writer that has no other commit of this room open: calls `done` with None or the error.

        A future and its callback would cost as much as the rest of the request.
        """

    async def acquire(self, room: RoomId, node: NodeId) -> tuple[Lease, Saved] | None:
        """Take a free or expired lease. None if a node holds it, or if there is no such room."""

    async def renew(self, leases: Iterable[Lease]) -> frozenset[RoomId]:
        """Renew all these leases, in one round trip. Returns the rooms whose lease is lost."""

    async def release(self, lease: Lease) -> None:
        """End the lease at once, so that another node can take over. Does nothing if it is lost already."""

    async def remove(self, lease: Lease) -> None:
        """Delete the room: its state, logs and lobby entry. Archived replays stay until they expire."""

    async def log(self, room: RoomId, game: int, after: int = 0) -> list[tuple[int, bytes]]:
        """The entries of one game, in order, each with its version. Only versions greater than `after`."""

    async def orphans(self) -> list[RoomId]:
        """Rooms whose lease has expired. Only a hint: `acquire` decides."""

    async def owner(self, room: RoomId) -> NodeId | None:
        """The node that holds the lease now; None if no node does."""

    async def claim(self, claim: str, room: RoomId, keep_seconds: int) -> RoomId | None:
        """Note that this claim has opened that room. The room of an earlier note stays, and is returned."""

    async def claimed(self, claim: str) -> RoomId | None:
        """The room that this claim has opened, as long as the note is kept."""

    async def exists(self, room: RoomId) -> bool:
        """Whether this room exists, with or without an owner."""

    async def summaries(self) -> list[tuple[RoomId, bytes]]:
        """The entries of the lobby, with their rooms."""

    async def archive(self, room: RoomId, game: int, replay: bytes, keep_seconds: int) -> None:
        """Store the replay of a finished game for `keep_seconds`, and delete the game's log: the replay contains it."""

    async def replay(self, room: RoomId, game: int) -> bytes | None: ...

    async def keep_standing(self, key: str, standing: bytes, keep_seconds: int) -> None:
        """Keep the race standing of a player's public key. A repeated call changes nothing but the expiry."""

    async def standing(self, key: str) -> bytes | None: ...

    async def reclaim(self, node: NodeId | None = None) -> list[RoomId]:
        """Free all leases of this node (of all nodes if None). Returns the freed rooms.

        For a node that is known to be dead. With None, for the embedded store at start: no other server uses it.
        """

    async def ping(self) -> StoreTime:
        """The store's clock. Raises `StoreAway` without a retry."""

    @property
    def condition(self) -> Condition: ...

    async def close(self) -> None: ...


IN_FLIGHT = 64
"""Number of commits per room whose ids the store remembers, to recognise retries."""


class Mail(Protocol):
    """Messages between nodes. Each arrives once; messages from one node to another arrive in the order of sending."""

    on_unreadable: Callable[[], None]
    """Called for each envelope that this release cannot decode. The envelope is stored, and the next one is read."""

    def post(self, to: NodeId, message: bytes) -> None:
        """Send a message. Does not wait; messages to one node share a round trip."""

    async def collect(self) -> list[tuple[NodeId, bytes]]:
        """Wait for messages to this node. Returns the sender and the bytes of each."""

    async def announce(self, address: str) -> None:
        """Publish that this node is alive, and the address for players. Call it twice per second."""

    async def address(self, node: NodeId) -> str | None:
        """The address where players reach that node; None if the node counts as dead."""

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class OtherNode:
    """Another node that counts as alive."""

    node: NodeId
    beat: int
    """Number of its last status: the other fields are from that status."""
    rooms: int
    is_open: bool
    """Whether it takes rooms and has the same games as this node."""


class Membership(Protocol):
    """The list of nodes. What it knows of other nodes is from the last `call`."""

    async def report(self, rooms: int, *, is_open: bool) -> None:
        """Publish the status of this node and read the status of every node. Call it a few times per second."""

    def other_nodes(self) -> list[OtherNode]:
        """All other nodes whose status is newer than about a second."""

    async def dead(self) -> dict[NodeId, bool]:
        """The nodes that are proven dead, and whether this node must free their leases (exactly one node gets True).

        It never contains a node whose process is alive, or a node on another machine: their leases have to expire.
        """

    async def leave(self) -> None:
        """Delete the status of this node: it takes no more rooms."""
