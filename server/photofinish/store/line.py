"""The line to Redis: while one pipeline is on its way the next gathers, so many rooms share a round trip."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import structlog
from redis.asyncio import RedisCluster
from redis.exceptions import (
    AskError,
    ClusterDownError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    RedisError,
    ResponseError,
    SlotNotCoveredError,
    TryAgainError,
)

from photofinish.store.ports import StoreClosed
from photofinish.store.scripts import Script
from photofinish.store.wire import ClusterWire, Part, SingleWire, Wire, Words

log = structlog.get_logger(__name__)

MOST = 1_024
"""Requests in one pipeline: enough for every room of a node, and still one quick fsync."""
FIRST_PAUSE, LONGEST_PAUSE = 0.02, 1.0
"""Seconds between attempts while Redis is away."""

# Answers that say "not now": full, failing over, moving slots. The room waits; it does not end.
LATER = (AskError, ClusterDownError, OutOfMemoryError, ReadOnlyError, TryAgainError)
LATER_CODES = ("BUSY ", "MISCONF ", "NOREPLICAS ")
"""Those redis-py has no names for: a script that hangs, a full disk, too few replicas."""


class _Request:
    """One command, sent until it is answered: everything we send can be said twice and done once."""

    __slots__ = ("answer", "keys", "params", "queue", "script", "unknown")

    def __init__(self, script: Script | None, keys: Words, params: Words, queue: str) -> None:
        self.script, self.keys, self.params, self.queue = script, keys, params, queue
        self.unknown = False
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def words(self) -> Words:
        if self.script is None:
            return self.params
        if self.unknown:
            return ("EVAL", self.script.text, len(self.keys), *self.keys, *self.params)
        return ("EVALSHA", self.script.sha, len(self.keys), *self.keys, *self.params)

    def settle(self, answer: Any) -> bool:
        """Hand the answer over; False if the request must be sent again."""
        if isinstance(answer, NoScriptError):
            self.unknown = True  # this server has not seen the script yet: send its text
            return False
        if _says_later(answer):
            return False
        if isinstance(answer, Exception):
            self.refuse(answer)
        elif not self.answer.done():  # whoever asked may have given up
            self.answer.set_result(answer)
        return True

    def refuse(self, error: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


class _Lane:
    """One pipeline at a time to one server."""

    def __init__(self, wire: Wire, sent: Callable[[], None]) -> None:
        self._wire, self._sent = wire, sent
        self._waiting: list[_Request] = []
        self._task: asyncio.Task[None] | None = None

    def put(self, request: _Request) -> None:
        self._waiting.append(request)
        if self._task is None or self._task.done():
            # Starts after everything that is ready to run now: what those ask for rides along.
            self._task = asyncio.create_task(self._run())

    async def finish(self, seconds: float) -> None:
        """What is still waiting after so long is told that the store was closed."""
        if self._task is not None:
            _, late = await asyncio.wait((self._task,), timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for request in self._waiting:
            request.refuse(StoreClosed())
        self._waiting.clear()
        await self._wire.close()

    async def _run(self) -> None:
        pause = FIRST_PAUSE
        while self._waiting:
            batch = again = self._take()
            trouble: Exception | None = None
            try:
                self._sent()
                answers = await self._wire.exchange([request.words() for request in batch])
                again = [
                    request
                    for request, answer in zip(batch, answers, strict=True)
                    if not request.settle(answer)
                ]
                trouble = next((answer for answer in answers if _says_later(answer)), None)
            except (RedisError, RedisClusterException, OSError) as error:
                trouble = error
            except Exception as error:  # noqa: BLE001 - our bug: it is handed to everybody who asked, and nobody hangs
                again = []
                for request in batch:
                    request.refuse(error)
            finally:
                self._waiting[:0] = again
            if trouble is None:
                pause = FIRST_PAUSE
            else:
                log.warning("store is away", waiting=len(self._waiting), error=repr(trouble))
                await self._wire.look_around()
                await asyncio.sleep(pause)
                pause = min(pause * 2, LONGEST_PAUSE)

    def _take(self) -> list[_Request]:
        """The next batch. One request of a queue at a time: the second must not pass a first that failed."""
        batch: list[_Request] = []
        rest: list[_Request] = []
        queues: set[str] = set()
        for request in self._waiting:
            if request.answer.done():
                continue  # whoever asked has given up
            if len(batch) == MOST or request.queue in queues:
                rest.append(request)
                continue
            if request.queue:
                queues.add(request.queue)
            batch.append(request)
        self._waiting = rest
        return batch


class Line:
    """All lanes: one to a single server, one a node to a cluster, so that a stalled node holds up no other."""

    def __init__(self, client: Any, patience: float) -> None:
        self._client, self._patience = client, patience
        self._is_cluster = isinstance(client, RedisCluster)
        self._lanes: dict[str, _Lane] = {}
        self._closed = False
        self.trips = 0
        """Pipelines sent so far."""

    def ask(self, command: str, *words: Part, key: str) -> asyncio.Future[Any]:
        """Send a plain command that concerns this key."""
        return self._put(key, _Request(None, (), (command, *_encoded(words)), ""))

    def run(self, script: Script, keys: Sequence[str], *params: Part, queue: str = "") -> asyncio.Future[Any]:
        """Run a script. Requests of one queue are answered in order."""
        return self._put(keys[0], _Request(script, _encoded(keys), _encoded(params), queue))

    async def close(self, seconds: float) -> None:
        self._closed = True
        await asyncio.gather(*(lane.finish(seconds) for lane in self._lanes.values()))

    def _put(self, key: str, request: _Request) -> asyncio.Future[Any]:
        if self._closed:
            request.answer.set_exception(StoreClosed())
            return request.answer
        name = self._node(key) if self._is_cluster else ""
        lane = self._lanes.get(name)
        if lane is None:
            wire: Wire = (
                ClusterWire(self._client) if self._is_cluster else SingleWire(self._client, self._patience)
            )
            lane = self._lanes[name] = _Lane(wire, self._count)
        lane.put(request)
        return request.answer

    def _count(self) -> None:
        self.trips += 1

    def _node(self, key: str) -> str:
        try:
            node = self._client.get_node_from_key(key)
        except SlotNotCoveredError:
            return ""
        return str(node.name)


def _says_later(answer: Any) -> bool:
    """Whether this is no answer to the request, but news of a server that cannot answer it now."""
    if not isinstance(answer, Exception) or isinstance(answer, NoScriptError):
        return False
    return (
        not isinstance(answer, ResponseError)
        or isinstance(answer, LATER)
        or str(answer).startswith(LATER_CODES)
    )


def _encoded(words: Sequence[Part]) -> Words:
    """As bytes, here and now: what cannot be sent is refused to the one who asked, not to all who ride along."""
    return tuple([word.encode() if isinstance(word, str) else word for word in words])
