"""One exchange with one server: sends many commands in one write and reads as many answers.

redis-py finds, opens and closes the connection (TLS, Sentinel, Cluster, password). Then the socket is ours: redis-py's
own way of reading and writing takes a task, two stream objects and a timer per answer, which cost more than the rest of
a commit. The connection is kept, because `WAIT` covers only the writes of its own connection.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Any, Protocol, cast

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
    SlotNotCoveredError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as RedisConnectionError

from photofinish.store.replication import Replication, Words, mark

OnAnswers = Callable[[list[Any], Exception | None], None]
"""Gets the answers, or why there are none."""


class Exchange(Protocol):
    """The connection to one server. One pipeline uses it, for one exchange at a time."""

    @property
    def is_ready(self) -> bool:
        """Whether `send` may be called: the connection is open, and an answer needs no further step."""

    def send(self, packed: bytes, count: int, on_answers: OnAnswers) -> None:
        """Send these commands, which are encoded, and call `on_answers` later. The answers are as in `exchange`.

        The fast path, for nearly all commits: no task and no future. After a failure the caller must call `close`.
        """

    async def exchange(self, batch: Sequence[Words]) -> list[Any]:
        """The answer to each command, in order; an error of one command is an exception in its place.

        Opens the connection if necessary. Raises if the connection fails.
        """

    async def refresh(self) -> None:
        """Find out again which servers there are, after a failure."""

    async def close(self) -> None: ...


class RedisSocket(asyncio.Protocol):
    """Reads answers from a connection that redis-py has opened, with redis-py's own parser (hiredis)."""

    def __init__(self, connection: Any, timeout_seconds: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._reader = connection._parser._reader  # noqa: SLF001 - `tests/store/test_redis_py.py` watches it
        self._transport = cast("asyncio.Transport", connection._writer.transport)  # noqa: SLF001 - likewise
        self._timeout_seconds = timeout_seconds
        self._answers: list[Any] = []
        self._count = 0
        self._on_answers: OnAnswers | None = None
        self._began = 0.0
        self._alarm: asyncio.TimerHandle | None = None
        """One timer for many exchanges: if it expires before the current exchange's timeout, it is set again."""
        self._why: Exception | None = None
        self._transport.set_protocol(self)

    def send(self, packed: bytes, count: int, on_answers: OnAnswers) -> None:
        self._answers, self._count, self._on_answers = [], count, on_answers
        self._began = self._loop.time()
        if self._alarm is None:
            self._alarm = self._loop.call_later(self._timeout_seconds, self._ring)
        if self._why is not None:
            self._loop.call_soon(self._failed, self._why)
        else:
            self._transport.write(packed)

    def drop(self) -> None:
        """Nobody waits for the answers any more."""
        self._on_answers = None
        if self._alarm is not None:
            self._alarm.cancel()

    def data_received(self, data: bytes) -> None:
        reader, answers = self._reader, self._answers
        try:
            reader.feed(data)
            while len(answers) < self._count:
                answer = reader.gets()
                if answer is NOT_ENOUGH_DATA:
                    return
                if isinstance(answer, RedisConnectionError):
                    raise answer
                if not isinstance(answer, PushNotification):  # we subscribe to nothing
                    answers.append(answer)
        except Exception as fault:  # noqa: BLE001 - a stream that cannot be parsed: the connection has failed
            self._failed(fault)
            return
        on_answers, self._on_answers = self._on_answers, None
        if on_answers is not None:
            on_answers(answers, None)

    def connection_lost(self, exc: Exception | None) -> None:
        self._why = RedisConnectionError(f"the connection was closed: {exc or 'by Redis'}")
        self._failed(self._why)

    def _failed(self, fault: Exception) -> None:
        on_answers, self._on_answers = self._on_answers, None
        if on_answers is not None:
            on_answers([], fault)

    def _ring(self) -> None:
        self._alarm = None
        if self._on_answers is None:
            return
        left = self._began + self._timeout_seconds - self._loop.time()
        if left > 0:
            self._alarm = self._loop.call_later(left, self._ring)
        else:
            self._failed(TimeoutError(f"no answer in {self._timeout_seconds} s"))


class SingleExchange:
    """To a single server, or to the server that Sentinel names as master."""

    def __init__(self, client: Any, timeout_seconds: float) -> None:
        self._client, self._timeout_seconds = client, timeout_seconds
        self._connection: Any = None
        self._socket: RedisSocket | None = None

    @property
    def is_ready(self) -> bool:
        return self._socket is not None

    def send(self, packed: bytes, count: int, on_answers: OnAnswers) -> None:
        assert self._socket is not None
        self._socket.send(packed, count, on_answers)

    async def exchange(self, batch: Sequence[Words]) -> list[Any]:
        try:
            if self._socket is None:
                async with asyncio.timeout(self._timeout_seconds):
                    self._connection = await self._open()
                self._socket = RedisSocket(self._connection, self._timeout_seconds)
            packed = b"".join([pack_command(words) for words in batch])  # type: ignore[arg-type]  # hiredis's stub says a tuple of one
            got: asyncio.Future[list[Any]] = asyncio.get_running_loop().create_future()

            def settle(answers: list[Any], fault: Exception | None) -> None:
                if not got.done():
                    got.set_result(answers) if fault is None else got.set_exception(fault)

            self._socket.send(packed, len(batch), settle)
            return await got
        except BaseException:
            # Answers may still arrive on this connection; the next exchange must not read them as its own.
            await self.close()
            raise

    async def refresh(self) -> None:
        """Nothing to do: opening a connection asks Sentinel again."""

    async def close(self) -> None:
        if self._socket is not None:
            self._socket.drop()
            self._socket = None
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await connection.disconnect(nowait=True)
            await self._release(connection)

    async def _open(self) -> Any:
        return await self._client.connection_pool.get_connection()

    async def _release(self, connection: Any) -> None:
        await self._client.connection_pool.release(connection)


class ClusterExchange(SingleExchange):
    """To one server of a cluster. The client picks the server by slot; this class follows only ASK redirects."""

    def __init__(
        self, client: RedisCluster, name: str, timeout_seconds: float, replication: Replication
    ) -> None:
        super().__init__(client, timeout_seconds)
        self._name, self._replication = name, replication

    @property
    def is_ready(self) -> bool:
        return False  # an answer may be a redirect that must be followed

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
