"""Rooms in Redis. What may be said twice is done once: each write carries a name the scripts remember.

The rooms are the truth; the index of them (leases by time, summaries) lies in another cluster slot, is written
just after, and heals: a room is announced before it is written; an owner renews its place with its lease and
lists again what is missing; whoever takes a room over lists it anew; an entry without a room is buried by the
first node that tries to adopt it; and an older summary never replaces a newer one.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Self
from uuid import uuid4

import structlog
from redis.exceptions import RedisClusterException, RedisError

from photofinish.store.client import RedisClient
from photofinish.store.connect import RedisTarget, connect
from photofinish.store.events import RedisEvents
from photofinish.store.keys import LEASES, SUMMARIES, log_of, logs_of, replay_of, room_of
from photofinish.store.membership import RedisMembership
from photofinish.store.ports import (
    IN_FLIGHT,
    LEASE_MS,
    Condition,
    Lease,
    LeaseLost,
    NodeId,
    RoomId,
    Saved,
    StoreAway,
    StoreClosed,
    StoreTime,
    Write,
)
from photofinish.store.replication import NONE, Replication
from photofinish.store.scripts import ARCHIVE, COMMIT, INDEX, LEASE

log = structlog.get_logger(__name__)

PATIENCE = 2.0
"""Seconds without an answer after which a connection is given up and another one tried."""

WENT_BACK = "it stands at version"
"""How `commit.lua` says that the room is not where its owner left it."""

# The last 64 commits of a room are remembered in as many fields, used in turn.
_REMEMBERED = tuple(f"c{place}" for place in range(IN_FLIGHT))


class RedisStore:
    """A `RoomStore`. Use `open`."""

    def __init__(
        self,
        door: RedisTarget,
        *,
        lease_ms: int = LEASE_MS,
        patience: float = PATIENCE,
        copies: Replication = NONE,
    ) -> None:
        self._door = door
        self._line = RedisClient(door.client, patience, copies)
        self._lease_ms, self._patience = lease_ms, patience
        self._setbacks = 0

    @classmethod
    async def open(
        cls, url: str, *, lease_ms: int = LEASE_MS, patience: float = PATIENCE, copies: Replication = NONE
    ) -> Self:
        """Connect, or say at once (`StoreAway`, `BadUrl`) that it cannot be done.

        With `copies` a commit, a new room, an adoption and an archived game count as stored when so many replicas
        have them; leases and the lobby's list do not wait for that.
        """
        store = cls(connect(url, patience=patience), lease_ms=lease_ms, patience=patience, copies=copies)
        try:
            await store.ping()
        except StoreAway:
            await store.close()
            raise
        return store

    @property
    def trips(self) -> int:
        """Pipelines sent so far: how well commits shared them."""
        return self._line.trips

    @property
    def condition(self) -> Condition:
        return replace(self._line.condition, setbacks=self._setbacks)

    def roll(self, node: NodeId, plays: str) -> RedisMembership:
        """The roll of nodes, for a node with these games. It needs no connection of its own."""
        return RedisMembership(self._line, node, plays)

    def events(self, node: NodeId) -> RedisEvents:
        """The events. They need no connection of their own."""
        return RedisEvents(self._line, node)

    async def create(self, room: RoomId, node: NodeId, state: bytes, summary: bytes) -> Lease | None:
        await self._index("announce", room, self._lease_ms)
        epoch = await self._lease(
            room, "create", node, uuid4().hex, self._lease_ms, state, summary, copied=True
        )
        if epoch is None:
            return None
        await self._index("list", room, epoch, 0, summary)
        return Lease(room, int(epoch))

    async def commit(self, write: Write) -> None:
        room = write.lease.room
        answer = await self._line.run(
            COMMIT,
            (room_of(room), log_of(room, write.game)),
            write.lease.epoch,
            write.version,
            write.command,
            _REMEMBERED[write.version % IN_FLIGHT],
            write.game,
            write.state,
            0 if write.summary is None else 1,
            write.summary or b"",
            *write.entries,
            queue=room,
            copied=True,
        )
        if answer != b"stored":
            why = answer.decode()
            if why.startswith(WENT_BACK):
                await self._let_go(write, why)
            raise LeaseLost(room, why)
        if write.summary is not None:
            # Rides in the next pipeline; the room need not wait for the lobby.
            listing = self._index("list", room, write.lease.epoch, write.version, write.summary)
            listing.add_done_callback(_note)

    async def acquire(self, room: RoomId, node: NodeId) -> tuple[Lease, Saved] | None:
        answer = await self._lease(room, "acquire", node, uuid4().hex, self._lease_ms, copied=True)
        if answer is None:
            await self._index("bury", room)
            return None
        if len(answer) == 1:
            await self._line.ask("ZADD", LEASES, int(answer[0]), room, key=LEASES)
            return None
        _, epoch, version, state, game, summary = answer
        saved = Saved(room, int(epoch), int(version), state, int(game), summary)
        await asyncio.gather(
            self._index("hold", self._lease_ms, room),
            self._index("list", room, saved.epoch, saved.version, summary),
        )
        return Lease(room, saved.epoch), saved

    async def renew(self, leases: Iterable[Lease]) -> frozenset[RoomId]:
        asked = tuple(leases)
        if not asked:
            return frozenset()
        kept = [self._lease(lease.room, "renew", lease.epoch, self._lease_ms) for lease in asked]
        held = [
            self._index("hold", self._lease_ms, *rooms)
            for rooms in _handfuls([lease.room for lease in asked])
        ]
        lost = frozenset(
            lease.room
            for lease, is_kept in zip(asked, await asyncio.gather(*kept), strict=True)
            if not is_kept
        )
        unlisted = {RoomId(room.decode()) for bare in await asyncio.gather(*held) for room in bare} - lost
        await asyncio.gather(*(self._list_again(lease) for lease in asked if lease.room in unlisted))
        return lost

    async def release(self, lease: Lease) -> None:
        if await self._lease(lease.room, "release", lease.epoch):
            await self._index("free", lease.room)

    async def remove(self, lease: Lease) -> None:
        keys = (room_of(lease.room), logs_of(lease.room))
        if not await self._line.run(LEASE, keys, "remove", lease.epoch):
            raise LeaseLost(lease.room, "another node owns it now")
        await self._index("forget", lease.room)

    async def log(self, room: RoomId, game: int, after: int = 0) -> list[tuple[int, bytes]]:
        key = log_of(room, game)
        entries = await self._line.ask("XRANGE", key, f"{after + 1}-0", "+", key=key)
        return [(int(place.partition(b"-")[0]), _entry(fields)) for place, fields in entries]

    async def orphans(self) -> list[RoomId]:
        return [RoomId(room.decode()) for room in await self._index("late", self._lease_ms)]

    async def owner(self, room: RoomId) -> NodeId | None:
        node = await self._lease(room, "owner")
        return None if node is None else NodeId(node.decode())

    async def exists(self, room: RoomId) -> bool:
        return bool(await self._line.ask("EXISTS", room_of(room), key=room_of(room)))

    async def summaries(self) -> list[tuple[RoomId, bytes]]:
        return [(RoomId(room.decode()), summary) for room, summary in await self._index("listed")]

    async def archive(self, room: RoomId, game: int, replay: bytes, keep_seconds: int) -> None:
        keys = (replay_of(room, game), log_of(room, game))
        await self._line.run(ARCHIVE, keys, replay, keep_seconds, copied=True)

    async def replay(self, room: RoomId, game: int) -> bytes | None:
        key = replay_of(room, game)
        kept: bytes | None = await self._line.ask("GET", key, key=key)
        return kept

    async def reclaim(self, node: NodeId | None = None) -> list[RoomId]:
        rooms = [RoomId(room.decode()) for room in await self._index("all")]
        freed = await asyncio.gather(*(self._lease(room, "reclaim", node or "") for room in rooms))
        free = [room for room, is_free in zip(rooms, freed, strict=True) if is_free]
        await asyncio.gather(*(self._index("free", *rooms) for rooms in _handfuls(free)))
        return free

    async def ping(self) -> StoreTime:
        try:
            async with asyncio.timeout(2 * self._patience):
                seconds, micros = await self._door.client.time()
        except (RedisError, RedisClusterException, OSError) as error:  # a TimeoutError is an OSError
            raise StoreAway(f"Redis does not answer: {error}") from error
        return StoreTime(seconds * 1_000_000 + micros)

    async def close(self) -> None:
        await self._line.close(self._patience)
        await self._door.close()

    def _lease(
        self, room: RoomId, verb: str, *params: str | bytes | int, copied: bool = False
    ) -> asyncio.Future[Any]:
        return self._line.run(LEASE, (room_of(room),), verb, *params, copied=copied)

    def _index(self, verb: str, *params: str | bytes | int) -> asyncio.Future[Any]:
        return self._line.run(INDEX, (LEASES, SUMMARIES), verb, *params)

    async def _let_go(self, write: Write, why: str) -> None:
        """A failover has taken the room back behind what was stored. It goes on from what there is, at once:
        let go of, it can be adopted without waiting for the lease to run out.
        """  # fmt: skip
        self._setbacks += 1
        log.error("room went back", room=write.lease.room, we_had=write.version - 1, why=why)
        await self.release(write.lease)

    async def _list_again(self, lease: Lease) -> None:
        key = room_of(lease.room)
        version, summary = await self._line.ask("HMGET", key, "version", "summary", key=key)
        if version is not None:
            await self._index("list", lease.room, lease.epoch, int(version), summary)


def _handfuls(rooms: list[RoomId]) -> list[list[RoomId]]:
    """Lua takes some thousand arguments at a time and no more."""
    return [rooms[first : first + 1_000] for first in range(0, len(rooms), 1_000)]


def _entry(fields: Any) -> bytes:
    """RESP2 sends a list of names and values, RESP3 through redis-py may send a dict."""
    entry: bytes = fields[b"e"] if isinstance(fields, dict) else fields[1]
    return entry


def _note(listing: asyncio.Future[Any]) -> None:
    if not listing.cancelled() and (error := listing.exception()) and not isinstance(error, StoreClosed):
        log.error("a room could not be listed", error=repr(error))
