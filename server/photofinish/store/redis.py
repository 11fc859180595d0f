"""Rooms in Redis. Each write carries an id that the scripts remember, so a retry takes effect once.

The room's own key is authoritative. The index (leases by time, summaries) is in another cluster slot and is written
just after it, so it may be out of date. It is repaired:
- a room gets its index entry before it is written;
- an owner renews the entry with its lease, and lists a missing summary again;
- a node that takes a room over lists it again;
- an entry without a room is deleted by the first node that tries to acquire the room;
- an older summary never replaces a newer one.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, Self
from uuid import uuid4

import structlog
from redis.exceptions import RedisClusterException, RedisError

from photofinish.store.client import RedisClient, resolve
from photofinish.store.commit_command import commit_params, commit_words, packed_commit
from photofinish.store.connect import RedisTarget, connect
from photofinish.store.events import RedisEvents
from photofinish.store.keys import (
    LEASES,
    SUMMARIES,
    claim_of,
    commit_keys,
    log_of,
    logs_of,
    replay_of,
    room_of,
    standing_of,
)
from photofinish.store.membership import RedisMembership
from photofinish.store.ports import (
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

TIMEOUT_SECONDS = 2.0
"""Seconds without an answer after which a connection is closed and a new one is opened."""

TOGETHER = 100
"""Leases that are renewed with one request. Redis takes about 0.2 ms for it."""

WENT_BACK = "it stands at version"
"""The answer of `commit.lua` when the stored version is not the one before this commit."""


class RedisStore:
    """A `RoomStore`. Use `open`."""

    def __init__(
        self,
        target: RedisTarget,
        *,
        lease_ms: int = LEASE_MS,
        timeout_seconds: float = TIMEOUT_SECONDS,
        replication: Replication = NONE,
    ) -> None:
        self._target = target
        self._client = RedisClient(target.client, timeout_seconds, replication)
        self._lease_ms, self._timeout_seconds = lease_ms, timeout_seconds
        self._setbacks = 0
        self._releasing: set[asyncio.Future[None]] = set()

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        lease_ms: int = LEASE_MS,
        timeout_seconds: float = TIMEOUT_SECONDS,
        replication: Replication = NONE,
    ) -> Self:
        """Connect. Raises `StoreAway` or `BadUrl` at once if that fails.

        With `replication`, a commit, a new room, an acquired room and an archived game count as stored when enough
        replicas confirm them. Renewals and the lobby's list do not wait for replicas.
        """
        target = connect(url, timeout_seconds=timeout_seconds)
        store = cls(target, lease_ms=lease_ms, timeout_seconds=timeout_seconds, replication=replication)
        try:
            await store.ping()
        except StoreAway:
            await store.close()
            raise
        return store

    @property
    def trips(self) -> int:
        """Pipelines sent so far."""
        return self._client.trips

    @property
    def condition(self) -> Condition:
        return replace(self._client.condition, setbacks=self._setbacks)

    def membership(self, node: NodeId, plays: str) -> RedisMembership:
        """The list of nodes, for a node with these games. It shares this store's connection."""
        return RedisMembership(self._client, node, plays)

    def events(self, node: NodeId) -> RedisEvents:
        """The events. They share this store's connection."""
        return RedisEvents(self._client, node)

    async def create(self, room: RoomId, node: NodeId, state: bytes, summary: bytes) -> Lease | None:
        await self._index("announce", room, self._lease_ms)
        epoch = await self._lease(
            room, "create", node, uuid4().hex, self._lease_ms, state, summary, replicated=True
        )
        if epoch is None:
            return None
        await self._index("list", room, epoch, 0, summary)
        return Lease(room, int(epoch))

    def commit(self, write: Write) -> Awaitable[None]:
        room = write.lease.room

        def settle(stored: "asyncio.Future[None]", answer: Any, error: Exception | None) -> None:
            self._committed(write, partial(resolve, stored, None), answer, error)

        keys = commit_keys(room, write.game)
        return self._client.run(
            COMMIT, keys, *commit_params(write), queue=room, replicated=True, settle=settle
        )

    def commit_then(self, write: Write, done: Callable[[Exception | None], None]) -> None:
        room_key, _ = commit_keys(write.lease.room, write.game)
        done_then = partial(self._committed, write, done)
        self._client.call(COMMIT, room_key, partial(commit_words, write), done_then, packed_commit(write))

    def _committed(
        self, write: Write, done: Callable[[Exception | None], None], answer: bytes, error: Exception | None
    ) -> None:
        if error is not None:
            done(error)
            return
        room = write.lease.room
        if answer != b"stored":
            lost = LeaseLost(room, answer.decode())
            if lost.why.startswith(WENT_BACK):
                self._release_set_back(write, done, lost)
            else:
                done(lost)
            return
        done(None)
        if write.summary is not None:
            # Not awaited: the room need not wait for the lobby's list.
            listing = self._index("list", room, write.lease.epoch, write.version, write.summary)
            listing.add_done_callback(_log_failure)

    async def acquire(self, room: RoomId, node: NodeId) -> tuple[Lease, Saved] | None:
        answer = await self._lease(room, "acquire", node, uuid4().hex, self._lease_ms, replicated=True)
        if answer is None:
            await self._index("bury", room)
            return None
        if len(answer) == 1:
            await self._client.execute("ZADD", LEASES, int(answer[0]), room, key=LEASES)
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
        held = [
            self._index("hold", self._lease_ms, *rooms) for rooms in _chunks([lease.room for lease in asked])
        ]
        lost = await self._renew_together(asked)
        unlisted = {RoomId(room.decode()) for rooms in await asyncio.gather(*held) for room in rooms} - lost
        await asyncio.gather(*(self._list_again(lease) for lease in asked if lease.room in unlisted))
        return lost

    async def _renew_together(self, leases: tuple[Lease, ...]) -> frozenset[RoomId]:
        """Renew the leases. Returns the lost ones.

        One request for a hundred rooms: an idle room must cost next to nothing, and a request of its own twice per
        second cost 0.05 ms per second. In a cluster each room has a slot of its own, so there it needs its own.
        """
        if self._client.is_cluster:
            alone = [self._lease(it.room, "renew", it.epoch, self._lease_ms) for it in leases]
            kept = await asyncio.gather(*alone)
        else:
            parts = [leases[first : first + TOGETHER] for first in range(0, len(leases), TOGETHER)]
            answers = [
                self._client.run(
                    LEASE,
                    [room_of(it.room) for it in part],
                    "renew_all",
                    self._lease_ms,
                    *(it.epoch for it in part),
                )
                for part in parts
            ]
            kept = [is_kept for answer in await asyncio.gather(*answers) for is_kept in answer]
        return frozenset(it.room for it, is_kept in zip(leases, kept, strict=True) if not is_kept)

    async def release(self, lease: Lease) -> None:
        if await self._lease(lease.room, "release", lease.epoch):
            await self._index("free", lease.room)

    async def remove(self, lease: Lease) -> None:
        keys = (room_of(lease.room), logs_of(lease.room))
        if not await self._client.run(LEASE, keys, "remove", lease.epoch):
            raise LeaseLost(lease.room, "another node owns it now")
        await self._index("forget", lease.room)

    async def log(self, room: RoomId, game: int, after: int = 0) -> list[tuple[int, bytes]]:
        key = log_of(room, game)
        entries = await self._client.execute("XRANGE", key, f"{after + 1}-0", "+", key=key)
        return [(int(place.partition(b"-")[0]), _entry(fields)) for place, fields in entries]

    async def orphans(self) -> list[RoomId]:
        return [RoomId(room.decode()) for room in await self._index("late", self._lease_ms)]

    async def owner(self, room: RoomId) -> NodeId | None:
        node = await self._lease(room, "owner")
        return None if node is None else NodeId(node.decode())

    async def claim(self, claim: str, room: RoomId, keep_seconds: int) -> RoomId | None:
        key = claim_of(claim)
        if await self._client.execute("SET", key, room, "NX", "EX", keep_seconds, key=key):
            return None
        earlier = await self.claimed(claim)
        return None if earlier == room else earlier  # the same SET, sent again after a cut

    async def claimed(self, claim: str) -> RoomId | None:
        key = claim_of(claim)
        room: bytes | None = await self._client.execute("GET", key, key=key)
        return None if room is None else RoomId(room.decode())

    async def exists(self, room: RoomId) -> bool:
        return bool(await self._client.execute("EXISTS", room_of(room), key=room_of(room)))

    async def summaries(self) -> list[tuple[RoomId, bytes]]:
        return [(RoomId(room.decode()), summary) for room, summary in await self._index("listed")]

    async def archive(self, room: RoomId, game: int, replay: bytes, keep_seconds: int) -> None:
        keys = (replay_of(room, game), log_of(room, game))
        await self._client.run(ARCHIVE, keys, replay, keep_seconds, replicated=True)

    async def replay(self, room: RoomId, game: int) -> bytes | None:
        key = replay_of(room, game)
        kept: bytes | None = await self._client.execute("GET", key, key=key)
        return kept

    async def keep_standing(self, key: str, standing: bytes, keep_seconds: int) -> None:
        place = standing_of(key)
        await self._client.execute("SET", place, standing, "EX", keep_seconds, key=place)

    async def standing(self, key: str) -> bytes | None:
        place = standing_of(key)
        kept: bytes | None = await self._client.execute("GET", place, key=place)
        return kept

    async def reclaim(self, node: NodeId | None = None) -> list[RoomId]:
        rooms = [RoomId(room.decode()) for room in await self._index("all")]
        freed = await asyncio.gather(*(self._lease(room, "reclaim", node or "") for room in rooms))
        free = [room for room, is_free in zip(rooms, freed, strict=True) if is_free]
        await asyncio.gather(*(self._index("free", *rooms) for rooms in _chunks(free)))
        return free

    async def ping(self) -> StoreTime:
        try:
            async with asyncio.timeout(2 * self._timeout_seconds):
                seconds, micros = await self._target.client.time()
        except (RedisError, RedisClusterException, OSError) as error:  # a TimeoutError is an OSError
            raise StoreAway(f"Redis does not answer: {error}") from error
        return StoreTime(seconds * 1_000_000 + micros)

    async def close(self) -> None:
        await self._client.close(self._timeout_seconds)
        await self._target.close()

    def _lease(
        self, room: RoomId, verb: str, *params: str | bytes | int, replicated: bool = False
    ) -> asyncio.Future[Any]:
        return self._client.run(LEASE, (room_of(room),), verb, *params, replicated=replicated)

    def _index(self, verb: str, *params: str | bytes | int) -> asyncio.Future[Any]:
        return self._client.run(INDEX, (LEASES, SUMMARIES), verb, *params)

    def _release_set_back(
        self, write: Write, done: Callable[[Exception | None], None], lost: LeaseLost
    ) -> None:
        """Release a room that a failover has set back to an earlier version.

        It can then be acquired and go on from that version at once, before the lease expires.
        """
        self._setbacks += 1
        log.error("room went back", room=write.lease.room, we_had=write.version - 1, why=lost.why)

        def released(task: asyncio.Future[None]) -> None:
            self._releasing.discard(task)
            done(lost)

        releasing = asyncio.ensure_future(self.release(write.lease))
        self._releasing.add(releasing)
        releasing.add_done_callback(released)

    async def _list_again(self, lease: Lease) -> None:
        key = room_of(lease.room)
        version, summary = await self._client.execute("HMGET", key, "version", "summary", key=key)
        if version is not None:
            await self._index("list", lease.room, lease.epoch, int(version), summary)


def _chunks(rooms: list[RoomId]) -> list[list[RoomId]]:
    """Split into parts of 1,000: Lua accepts only a few thousand arguments per call."""
    return [rooms[first : first + 1_000] for first in range(0, len(rooms), 1_000)]


def _entry(fields: Any) -> bytes:
    """The value of a stream entry. RESP2 sends a list of names and values; redis-py with RESP3 may return a dict."""
    entry: bytes = fields[b"e"] if isinstance(fields, dict) else fields[1]
    return entry


def _log_failure(listing: asyncio.Future[Any]) -> None:
    if not listing.cancelled() and (error := listing.exception()) and not isinstance(error, StoreClosed):
        log.error("a room could not be listed", error=repr(error))
