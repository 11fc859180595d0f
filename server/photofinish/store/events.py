"""Events in Redis: one list per event that only grows, one hash for its lease, and the players' ratings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import uuid4

from photofinish.store.client import RedisClient
from photofinish.store.keys import EVENTS, event_log_of, event_of, ratings_of, room_of
from photofinish.store.ports import NodeId, RoomId
from photofinish.store.scripts import EVENT

LEASE_MS = 5_000
"""T16: how long a director acts for an event unless it renews."""

Stored = Literal["stored", "behind", "fenced", "gone"]


@dataclass(frozen=True, slots=True)
class EventLease:
    epoch: int
    gap_ms: int
    """For how long nobody held it before us; 0 if we did."""


class RedisEvents:
    """On a store's line. Every call waits while Redis is away, and is never done twice."""

    def __init__(self, line: RedisClient, node: NodeId) -> None:
        self._line, self._node = line, node

    async def create(self, code: str, secret: bytes, file: bytes, entries: Sequence[bytes]) -> bool:
        """False: the code is taken."""
        made = await self._run(code, "create", uuid4().hex, secret, file, *entries, copied=True)
        if made:
            await self._line.ask("SADD", EVENTS, code, key=EVENTS)
        return bool(made)

    async def now(self) -> int:
        """Microseconds by the store's clock: the one clock that all nodes can read (T17)."""
        seconds, micros = await self._line.ask("TIME", key=EVENTS)
        return int(seconds) * 1_000_000 + int(micros)

    async def codes(self) -> list[str]:
        return sorted(code.decode() for code in await self._line.ask("SMEMBERS", EVENTS, key=EVENTS))

    async def length(self, code: str) -> int:
        return int(await self._line.ask("LLEN", event_log_of(code), key=event_log_of(code)))

    async def log(self, code: str, first: int = 0) -> list[bytes]:
        """The entries from this number on."""
        key = event_log_of(code)
        found: list[bytes] = await self._line.ask("LRANGE", key, first, -1, key=key)
        return found

    async def secret_and_file(self, code: str) -> tuple[bytes, bytes] | None:
        key = event_of(code)
        secret, file = await self._line.ask("HMGET", key, "secret", "file", key=key)
        return None if secret is None else (secret, file)

    async def append(
        self, code: str, count: int, entries: Sequence[bytes], *, epoch: int = 0, file: bytes = b""
    ) -> Stored:
        """`behind`: somebody else was first; read on and try again. `fenced`: another node directs now."""
        answer = await self._run(code, "append", uuid4().hex, count, epoch, file, *entries, copied=True)
        text: Stored = answer.decode()
        return text

    async def lease(self, code: str) -> EventLease | None:
        """Take or keep the right to act for the clock."""
        answer = await self._run(code, "lease", self._node, LEASE_MS)
        return None if not answer else EventLease(int(answer[0]), int(answer[1]))

    async def release(self, code: str) -> None:
        await self._run(code, "release", self._node)

    async def ratings(self, game: str, keys: Iterable[str]) -> dict[str, bytes]:
        wanted, key = list(keys), ratings_of(game)
        if not wanted:
            return {}
        found = await self._line.ask("HMGET", key, *wanted, key=key)
        return {name: raw for name, raw in zip(wanted, found, strict=True) if raw is not None}

    async def rate(self, game: str, ratings: Mapping[str, bytes]) -> None:
        """Set them: the same again changes nothing."""
        key = ratings_of(game)
        for name, raw in ratings.items():
            await self._line.ask("HSET", key, name, raw, key=key)

    async def room(self, room: str) -> bytes | None:
        """A room as it was last stored, whoever owns it."""
        key = room_of(RoomId(room))
        state: bytes | None = await self._line.ask("HGET", key, "state", key=key)
        return state

    async def _run(self, code: str, verb: str, *params: str | bytes | int, copied: bool = False) -> Any:
        return await self._line.run(
            EVENT, (event_of(code), event_log_of(code)), verb, *params, queue=f"event {code}", copied=copied
        )
