"""One exchange with one server: sends many commands in one write and reads as many answers.

redis-py finds, opens and closes the connection (TLS, Sentinel, Cluster, password). Its own pipeline encodes commands
in Python and sets a timer per answer, which costs more than the rest of a commit. Here hiredis encodes, and one timer
covers the exchange. The connection is kept, because `WAIT` covers only the writes of its own connection.
"""

import asyncio
import contextlib
import math
from collections.abc import Sequence
from typing import Any, Protocol

from hiredis import PushNotification, pack_command
from redis._parsers.hiredis import NOT_ENOUGH_DATA
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
from redis.exceptions import ConnectionError as RedisConnectionError

from photofinish.store.replication import Replication, Words, mark


class Exchange(Protocol):
    """The connection to one server. One pipeline uses it, for one exchange at a time."""

    async def exchange(self, batch: Sequence[Words]) -> list[Any]:
        """The answer to each command, in order; an error of one command is an exception in its place.

        Raises if the connection fails.
        """

    async def refresh(self) -> None:
        """Find out again which servers there are, after a failure."""

    async def close(self) -> None: ...


class SingleExchange:
    """To a single server, or to the server that Sentinel names as master."""

    def __init__(self, client: Any, timeout_seconds: float) -> None:
        self._client, self._timeout_seconds = client, timeout_seconds
        self._connection: Any = None

    async def exchange(self, batch: Sequence[Words]) -> list[Any]:
        try:
            async with asyncio.timeout(self._timeout_seconds):
                if self._connection is None:
                    self._connection = await self._open()
                packed = b"".join([pack_command(words) for words in batch])  # type: ignore[arg-type]  # hiredis's stub says a tuple of one
                await self._connection.send_packed_command(packed, check_health=False)
                return await self._answers(len(batch))
        except BaseException:
            # Answers may still arrive on this connection; the next exchange must not read them as its own.
            await self.close()
            raise

    async def refresh(self) -> None:
        """Nothing to do: opening a connection asks Sentinel again."""

    async def close(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await connection.disconnect(nowait=True)
            await self._release(connection)

    async def _open(self) -> Any:
        return await self._client.connection_pool.get_connection()

    async def _release(self, connection: Any) -> None:
        await self._client.connection_pool.release(connection)

    async def _answers(self, count: int) -> list[Any]:
        """All answers. Those that have come with the one before are taken without a call of redis-py each."""
        answers: list[Any] = []
        reader = None
        while len(answers) < count:
            answer = NOT_ENOUGH_DATA if reader is None else reader.gets()
            if answer is NOT_ENOUGH_DATA:
                answers.append(await self._answer())
                reader = self._connection._parser._reader  # noqa: SLF001 - `tests/store/test_redis_py.py` watches it
            elif isinstance(answer, RedisConnectionError):
                raise answer
            elif not isinstance(answer, PushNotification):  # we subscribe to nothing
                answers.append(answer)
        return answers

    async def _answer(self) -> Any:
        try:
            return await self._connection.read_response(
                timeout=math.inf
            )  # the timeout of the exchange applies
        except ResponseError as refusal:
            return refusal


class ClusterExchange(SingleExchange):
    """To one server of a cluster. The client picks the server by slot; this class follows only ASK redirects."""

    def __init__(
        self, client: RedisCluster, name: str, timeout_seconds: float, replication: Replication
    ) -> None:
        super().__init__(client, timeout_seconds)
        self._name, self._replication = name, replication

    async def exchange(self, batch: Sequence[Words]) -> list[Any]:
        answers = await super().exchange(batch)
        for place, answer in enumerate(answers):
            if isinstance(answer, AskError) and not isinstance(answer, MovedError):
                answers[place] = await self._follow_ask(answer, batch[place])
        return answers

    async def refresh(self) -> None:
        """Load the slot table again: slots may have another master now."""
        with contextlib.suppress(RedisError, RedisClusterException, OSError):
            await self._client.nodes_manager.initialize()

    async def _open(self) -> Any:
        node = self._client.get_node(node_name=self._name) if self._name else None
        if node is None:
            raise SlotNotCoveredError("no server is known for this slot")
        connection = node.connection_class(**node.connection_kwargs | {"retry": Retry(NoBackoff(), 0)})
        self._connection = connection  # so that `close` works if connecting fails
        await connection.connect()
        return connection

    async def _release(self, connection: Any) -> None:
        """Nothing to do: the connection is not from a pool."""

    async def _follow_ask(self, redirect: AskError, words: Words) -> Any:
        """Send this one command to the server that the slot is moving to."""
        name = f"{redirect.host}:{redirect.port}"
        target = ClusterExchange(self._client, name, self._timeout_seconds, self._replication)
        asking: Words = ("ASKING",)
        try:
            answers = await target.exchange(
                [asking, mark(words), asking, words, self._replication.wait_command]
            )
        finally:
            await target.close()
        if not isinstance(answers[-1], int) or answers[-1] < self._replication.replicas:
            return TryAgainError("too few replicas where the slot is moving to")
        return answers[-2]
