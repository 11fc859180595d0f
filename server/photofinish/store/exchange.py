"""One exchange with one server: many commands out in one write, as many answers back.

redis-py finds, opens and closes the connection, whatever it is (TLS, Sentinel, Cluster, password). Its pipeline
packs commands in Python and sets a timer for each answer, which costs more than all the rest of a commit; here
hiredis packs, and one timer covers the whole exchange. The connection is kept: `WAIT` speaks of one alone.
"""

import asyncio
import contextlib
import math
from collections.abc import Sequence
from typing import Any, Protocol

from hiredis import pack_command
from redis.asyncio import RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import (
    AskError,
    MovedError,
    RedisClusterException,
    RedisError,
    ResponseError,
    SlotNotCoveredError,
    TryAgainError,
)

from photofinish.store.replication import Replication, Words, mark


class Exchange(Protocol):
    """The way to one server. Used by one lane, one exchange at a time."""

    async def exchange(self, batch: Sequence[Words]) -> list[Any]:
        """An answer to each, in order; a refusal is an exception in its place. Raises if the wire broke."""

    async def look_around(self) -> None:
        """Something went wrong: find out who is there now."""

    async def close(self) -> None: ...


class SingleExchange:
    """To a server of its own, or to whichever one Sentinel calls the master."""

    def __init__(self, client: Any, patience: float) -> None:
        self._client, self._patience = client, patience
        self._connection: Any = None

    async def exchange(self, batch: Sequence[Words]) -> list[Any]:
        try:
            async with asyncio.timeout(self._patience):
                if self._connection is None:
                    self._connection = await self._opened()
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
            await self._given_back(connection)

    async def _opened(self) -> Any:
        return await self._client.connection_pool.get_connection()

    async def _given_back(self, connection: Any) -> None:
        await self._client.connection_pool.release(connection)

    async def _answer(self) -> Any:
        try:
            return await self._connection.read_response(timeout=math.inf)  # the exchange has its own
        except ResponseError as refusal:
            return refusal


class ClusterExchange(SingleExchange):
    """To one server of a cluster. The lane goes where the slots are; only a slot on its way is followed here."""

    def __init__(self, client: RedisCluster, name: str, patience: float, copies: Replication) -> None:
        super().__init__(client, patience)
        self._name, self._copies = name, copies

    async def exchange(self, batch: Sequence[Words]) -> list[Any]:
        answers = await super().exchange(batch)
        for place, answer in enumerate(answers):
            if isinstance(answer, AskError) and not isinstance(answer, MovedError):
                answers[place] = await self._asked_there(answer, batch[place])
        return answers

    async def look_around(self) -> None:
        """Slots may have another master by now."""
        with contextlib.suppress(RedisError, RedisClusterException, OSError):
            await self._client.nodes_manager.initialize()

    async def _opened(self) -> Any:
        node = self._client.get_node(node_name=self._name) if self._name else None
        if node is None:
            raise SlotNotCoveredError("no server is known for this slot")
        connection = node.connection_class(**node.connection_kwargs | {"retry": Retry(NoBackoff(), 0)})
        self._connection = connection  # for `close`, should it not come up
        await connection.connect()
        return connection

    async def _given_back(self, connection: Any) -> None:
        """It was ours alone."""

    async def _asked_there(self, there: AskError, words: Words) -> Any:
        """The slot is moving and this table has moved: say it there, this once."""
        wire = ClusterExchange(self._client, f"{there.host}:{there.port}", self._patience, self._copies)
        asking: Words = ("ASKING",)
        try:
            said = await wire.exchange([asking, mark(words), asking, words, self._copies.question])
        finally:
            await wire.close()
        if not isinstance(said[-1], int) or said[-1] < self._copies.replicas:
            return TryAgainError("too few replicas where the slot is moving to")
        return said[-2]
