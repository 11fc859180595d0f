"""Events in Redis: one append-only list per event, one hash for its lease, and the players' ratings."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import uuid4

from photofinish.store.client import RedisClient
from photofinish.store.keys import (
    ENDED_EVENTS,
    EVENTS,
    HERE,
    event_log_of,
    event_of,
    event_shared_addresses_of,
    ratings_of,
    replay_of,
    room_of,
)
from photofinish.store.ports import NodeId, RoomId
from photofinish.store.scripts import EVENT, RATE

LEASE_MS = 5_000
"""T16: how long the lease of an event's director lasts without renewal."""

Stored = Literal["stored", "behind", "fenced", "gone"]


@dataclass(frozen=True, slots=True)
class EventLease:
    epoch: int
    gap_ms: int
    """For how long nobody held the lease before this node; 0 if this node held it."""


class RedisEvents:
    """Uses the client of a store. Every call is retried while Redis is unavailable and takes effect once."""

    def __init__(self, client: RedisClient, node: NodeId) -> None:
        self._client, self._node = client, node

    async def create(self, code: str, secret: bytes, file: bytes, entries: Sequence[bytes]) -> bool:
        """Create an event. False: the code is taken."""
        made = await self._run(code, "create", uuid4().hex, secret, file, *entries, replicated=True)
        if made:
            await self._client.execute("SADD", EVENTS, code, key=EVENTS)
        return bool(made)

    async def now(self) -> int:
        """Microseconds by the store's clock, which all nodes share (T17)."""
        seconds, micros = await self._client.execute("TIME", key=EVENTS)
        return int(seconds) * 1_000_000 + int(micros)

    async def codes(self) -> list[str]:
        """The events that are not over."""
        return sorted(code.decode() for code in await self._client.execute("SMEMBERS", EVENTS, key=EVENTS))

    async def all_codes(self) -> list[str]:
        ended = await self._client.execute("SMEMBERS", ENDED_EVENTS, key=ENDED_EVENTS)
        return sorted({*await self.codes(), *(code.decode() for code in ended)})

    async def end(self, code: str) -> None:
        """The event is over: it needs no director. A repeated call changes nothing."""
        await self._client.execute("SADD", ENDED_EVENTS, code, key=ENDED_EVENTS)
        await self._client.execute("SREM", EVENTS, code, key=EVENTS)

    async def hold_replay(self, room: str) -> None:
        """T75: the replay of an event's game does not expire while the event runs."""
        key = replay_of(RoomId(room), 1)
        await self._client.execute("PERSIST", key, key=key)

    async def replay_beginnings(self, rooms: Iterable[str], count: int) -> list[bytes]:
        """The first bytes of each room's replay; empty if there is none."""
        keys = [replay_of(RoomId(room), 1) for room in rooms]
        found = [self._client.execute("GETRANGE", key, 0, count - 1, key=key) for key in keys]
        return list(await asyncio.gather(*found))

    async def release_replays(self, rooms: Iterable[str], seconds: int) -> None:
        """T75: the event is over; its replays are kept for this time. A repeated call starts the time again."""
        for room in rooms:
            key = replay_of(RoomId(room), 1)
            await self._client.execute("EXPIRE", key, seconds, key=key)

    async def length(self, code: str) -> int:
        return int(await self._client.execute("LLEN", event_log_of(code), key=event_log_of(code)))

    async def log(self, code: str, first: int = 0) -> list[bytes]:
        """The entries from number `first` on."""
        key = event_log_of(code)
        found: list[bytes] = await self._client.execute("LRANGE", key, first, -1, key=key)
        return found

    async def secret_and_file(self, code: str) -> tuple[bytes, bytes] | None:
        key = event_of(code)
        secret, file = await self._client.execute("HMGET", key, "secret", "file", key=key)
        return None if secret is None else (secret, file)

    async def append(
        self, code: str, count: int, entries: Sequence[bytes], *, epoch: int = 0, file: bytes = b""
    ) -> Stored:
        """Append entries to a log of `count` entries.

        `behind`: the log has more entries by now; read them and retry. `fenced`: another node directs the event now.
        """
        answer = await self._run(code, "append", uuid4().hex, count, epoch, file, *entries, replicated=True)
        text: Stored = answer.decode()
        return text

    async def lease(self, code: str) -> EventLease | None:
        """Take or renew the director's lease. None if another node holds it."""
        answer = await self._run(code, "lease", self._node, LEASE_MS)
        return None if not answer else EventLease(int(answer[0]), int(answer[1]))

    async def release(self, code: str) -> None:
        await self._run(code, "release", self._node)

    async def ratings(self, game: str, keys: Iterable[str]) -> dict[str, bytes]:
        wanted, key = list(keys), ratings_of(game)
        if not wanted:
            return {}
        found = await self._client.execute("HMGET", key, *wanted, key=key)
        return {name: raw for name, raw in zip(wanted, found, strict=True) if raw is not None}

    async def rated(self, game: str, code: str) -> int:
        """How many entries of this event's log the ratings of the game count already."""
        key = ratings_of(game)
        return int(await self._client.execute("HGET", key, _counted(code), key=key) or 0)

    async def rate(
        self, game: str, code: str, first: int, upto: int, ratings: Mapping[str, tuple[bytes, bytes]]
    ) -> bool:
        """Replace ratings (key to before and after, empty before: none) for the entries `first` to `upto` of an event.

        False, and nothing is changed: these entries are counted already, or a rating is not what it was.
        """
        parts = [part for key, pair in ratings.items() for part in (key, *pair)]
        key = ratings_of(game)
        made = await self._client.run(
            RATE, (key,), _counted(code), first, upto, *parts, queue=key, replicated=True
        )
        return bool(made)

    async def keep_present(self, keys: Iterable[str], until: int) -> None:
        """These players are connected to this node; without another call they count as gone after `until` (µs)."""
        scored = [part for key in keys for part in (until, key)]
        if scored:
            await self._client.execute("ZADD", HERE, "GT", *scored, key=HERE)

    async def present_players(self, now: int) -> frozenset[str]:
        """The players who are connected to any node."""
        await self._client.execute("ZREMRANGEBYSCORE", HERE, "-inf", now, key=HERE)
        found = await self._client.execute("ZRANGE", HERE, 0, -1, key=HERE)
        return frozenset(key.decode() for key in found)

    async def keep_shared_address(self, code: str, row: str) -> None:
        """Entrants of this event share an address at a table: `round table number number …`. Not in the public log."""
        key = event_shared_addresses_of(code)
        await self._client.execute("SADD", key, row, key=key)

    async def shared_addresses(self, code: str) -> frozenset[str]:
        key = event_shared_addresses_of(code)
        return frozenset(row.decode() for row in await self._client.execute("SMEMBERS", key, key=key))

    async def room(self, room: str) -> bytes | None:
        """The state of a room as last stored, whichever node owns it."""
        key = room_of(RoomId(room))
        state: bytes | None = await self._client.execute("HGET", key, "state", key=key)
        return state

    async def _run(self, code: str, verb: str, *params: str | bytes | int, replicated: bool = False) -> Any:
        return await self._client.run(
            EVENT,
            (event_of(code), event_log_of(code)),
            verb,
            *params,
            queue=f"event {code}",
            replicated=replicated,
        )


def _counted(code: str) -> str:
    """The field of the ratings for an event: no public key looks like it."""
    return f"event {code}"
