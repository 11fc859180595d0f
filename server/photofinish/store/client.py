"""The client for Redis. Requests that are made while a pipeline is in flight are sent together in the next one."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from redis.asyncio import RedisCluster
from redis.exceptions import SlotNotCoveredError

from photofinish.store.exchange import ClusterExchange, Exchange, SingleExchange
from photofinish.store.pipeline import OnAnswer, Pipeline, RedisRequest
from photofinish.store.ports import Condition, StoreClosed
from photofinish.store.replication import NONE, Part, Replication, Words
from photofinish.store.scripts import LuaScript

Settle = Callable[["asyncio.Future[Any]", Any, Exception | None], None]

TIDY_AFTER = 1_024
"""Number of remembered queues after which the finished ones are removed."""


class RedisClient:
    """One pipeline to a single server, or one pipeline per node of a cluster: a stalled node delays no other."""

    def __init__(self, client: Any, timeout_seconds: float, replication: Replication = NONE) -> None:
        self._client, self._replication = client, replication
        # Redis may answer WAIT only after `wait_ms`, so the socket must wait for longer than that.
        extra = replication.wait_ms / 1000 if replication.replicas else 0.0
        self._timeout_seconds = timeout_seconds + extra
        self.is_cluster = isinstance(client, RedisCluster)
        self._pipelines: dict[str, Pipeline] = {}
        """By name of the cluster node; the name is empty for a single server."""
        self._last: dict[str, asyncio.Future[Any]] = {}
        """The answer to the newest request of each queue."""
        self._tidy_at = TIDY_AFTER
        self._closed = False

    @property
    def trips(self) -> int:
        """Pipelines sent so far."""
        return sum(pipeline.trips for pipeline in self._pipelines.values())

    @property
    def troubles(self) -> int:
        """How often Redis was unavailable so far. After each time, node messages or commits may be missing there."""
        return sum(pipeline.troubles for pipeline in self._pipelines.values())

    @property
    def condition(self) -> Condition:
        pipelines = self._pipelines.values()
        return Condition(
            waiting=sum(it.unanswered for it in pipelines),
            unsure=sum(it.unsure for it in pipelines),
            troubles=self.troubles,
            why=next((it.why for it in pipelines if it.why), ""),
        )

    def execute(self, command: str, *words: Part, key: str) -> asyncio.Future[Any]:
        """Send one command. `key` decides which cluster node gets it."""
        answer = asyncio.get_running_loop().create_future()
        self._route(_of(answer, RedisRequest((command, *words), key, partial(resolve, answer))))
        return answer

    def run(
        self,
        script: LuaScript,
        keys: Sequence[str],
        *params: Part,
        queue: str = "",
        replicated: bool = False,
        settle: Settle | None = None,
    ) -> asyncio.Future[Any]:
        """Run a script. A request is sent after the previous one of the same queue is answered.

        With `replicated` the future resolves when enough replicas have confirmed the write. `settle` gets the
        future, the answer and the error, and settles the future in its own way.
        """
        answer = asyncio.get_running_loop().create_future()
        is_replicated = replicated and self._replication.replicas > 0
        on_answer = partial(settle or resolve, answer)
        request = RedisRequest((len(keys), *keys, *params), keys[0], on_answer, script, is_replicated)
        _of(answer, request)
        before = self._last.get(queue) if queue else None
        if queue:
            self._last[queue] = answer
            if len(self._last) >= self._tidy_at:
                self._tidy()
        if before is None or before.done():
            self._route(request)
        else:
            before.add_done_callback(lambda _: self._route(request))
        return answer

    def call(
        self,
        script: LuaScript,
        key: str,
        words: Callable[[], Words],
        on_answer: OnAnswer,
        packed: bytes = b"",
    ) -> None:
        """Run a script. As `run` with `replicated`, without a future and without a queue.

        `packed`: the whole command, if the caller has encoded it. Then `words` is called only if it must be sent
        again.
        """
        request = RedisRequest(words, key, on_answer, script, self._replication.replicas > 0, packed)
        pipeline = None if self.is_cluster or self._closed else self._pipelines.get("")
        if pipeline is None:
            self._route(request)
        else:
            pipeline.put(request)

    async def close(self, seconds: float) -> None:
        """Wait up to `seconds` for open requests; refuse the rest with `StoreClosed`."""
        self._closed = True
        await asyncio.gather(*(pipeline.finish(seconds) for pipeline in self._pipelines.values()))

    def _tidy(self) -> None:
        """Remove the queues with no open request. Done rarely, because a callback per answer would cost too much."""
        self._last = {queue: answer for queue, answer in self._last.items() if not answer.done()}
        self._tidy_at = 2 * len(self._last) + TIDY_AFTER

    def _route(self, request: RedisRequest) -> None:
        """Add the request to the pipeline of the node that has its key now."""
        if self._closed:
            request.refuse(StoreClosed())
            return
        name = self._node(request.key) if self.is_cluster else ""
        pipeline = self._pipelines.get(name)
        if pipeline is None:
            server: Exchange = (
                ClusterExchange(self._client, name, self._timeout_seconds, self._replication)
                if self.is_cluster
                else SingleExchange(self._client, self._timeout_seconds)
            )
            pipeline = self._pipelines[name] = Pipeline(server, self._replication, self._route)
        pipeline.put(request)

    def _node(self, key: str) -> str:
        try:
            node = self._client.get_node_from_key(key)
        except SlotNotCoveredError:
            return ""
        return str(node.name)


def _of(answer: "asyncio.Future[Any]", request: RedisRequest) -> RedisRequest:
    """Drop the request when its caller is cancelled."""

    def ended(future: "asyncio.Future[Any]") -> None:
        if future.cancelled():
            request.is_done = True

    answer.add_done_callback(ended)
    return request


def resolve(future: "asyncio.Future[Any]", answer: Any, error: Exception | None) -> None:
    if future.done():
        return  # the caller was cancelled
    if error is None:
        future.set_result(answer)
    else:
        future.set_exception(error)
