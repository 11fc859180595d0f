"""One exchange with Redis: many commands out in one write, as many answers back.

redis-py finds, opens and closes the connection, whatever it is (TLS, Sentinel, password). Its pipeline packs
commands in Python and sets a timer for each answer, which costs more than all the rest of a commit; here hiredis
packs, and one timer covers the whole exchange. A cluster keeps redis-py's own pipeline, which follows the slots.
"""

import asyncio
import contextlib
import math
from collections.abc import Sequence
from typing import Any, Protocol

from hiredis import pack_command
from redis.asyncio import RedisCluster
from redis.exceptions import RedisClusterException, RedisError, ResponseError

Part = str | bytes | int
Words = tuple[Part, ...]


class Wire(Protocol):
    """The way to one server, or to all of a cluster. Used by one lane, one exchange at a time."""

    async def exchange(self, batch: Sequence[Words]) -> list[Any]:
        """An answer to each, in order; a refusal is an exception in its place. Raises if the wire broke."""

    async def look_around(self) -> None:
        """Something went wrong: find out who is there now."""

    async def close(self) -> None: ...


class SingleWire:
    def __init__(self, client: Any, patience: float) -> None:
        self._pool, self._patience = client.connection_pool, patience
        self._connection: Any = None

    async def exchange(self, batch: Sequence[Words]) -> list[Any]:
        try:
            async with asyncio.timeout(self._patience):
                if self._connection is None:
                    self._connection = await self._pool.get_connection()
                packed = b"".join([pack_command(words) for words in batch])  # type: ignore[arg-type]  # hiredis's stub says a tuple of one
                await self._connection.send_packed_command(packed, check_health=False)
                return [await self._answer() for _ in batch]
        except BaseException:
            # Answers may still be on their way: nobody must take them for his own.
            await self.close()
            raise

    async def look_around(self) -> None:
        """The next connection finds its way by itself."""

    async def close(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await connection.disconnect(nowait=True)
            await self._pool.release(connection)

    async def _answer(self) -> Any:
        try:
            return await self._connection.read_response(timeout=math.inf)  # the exchange has its own
        except ResponseError as refusal:
            return refusal


class ClusterWire:
    def __init__(self, client: RedisCluster) -> None:
        self._client = client

    async def exchange(self, batch: Sequence[Words]) -> list[Any]:
        async with self._client.pipeline(transaction=False) as pipe:
            for words in batch:
                pipe.execute_command(*words)
            return await pipe.execute(raise_on_error=False)

    async def look_around(self) -> None:
        """Slots may have a new master by now; redis-py looks only when it raises, and it does not raise here."""
        with contextlib.suppress(RedisError, RedisClusterException, OSError):
            await self._client.nodes_manager.initialize()

    async def close(self) -> None:
        """The connections belong to the client."""
