"""The line to Redis: while one pipeline is on its way the next gathers, so many rooms share a round trip."""

import asyncio
from collections.abc import Sequence
from typing import Any

from redis.asyncio import RedisCluster
from redis.exceptions import SlotNotCoveredError

from photofinish.store.exchange import ClusterExchange, Exchange, SingleExchange
from photofinish.store.pipeline import Pipeline, Request, encoded
from photofinish.store.ports import Condition, StoreClosed
from photofinish.store.replication import NONE, Part, Replication
from photofinish.store.scripts import LuaScript

MANY = 1_024
"""Queues we remember before we look which are over."""


class RedisClient:
    """All lanes: one to a single server, one a node to a cluster, so that a stalled node holds up no other."""

    def __init__(self, client: Any, patience: float, copies: Replication = NONE) -> None:
        self._client, self._copies = client, copies
        self._patience = patience + copies.look_ms / 1000 if copies.replicas else patience
        self._is_cluster = isinstance(client, RedisCluster)
        self._lanes: dict[str, Pipeline] = {}
        self._last: dict[str, asyncio.Future[Any]] = {}
        """The answer to the newest request of each queue."""
        self._tidy_at = MANY
        self._closed = False

    @property
    def trips(self) -> int:
        """Pipelines sent so far."""
        return sum(lane.trips for lane in self._lanes.values())

    @property
    def troubles(self) -> int:
        """How often Redis was found away so far: letters may be gone, or the room behind."""
        return sum(lane.troubles for lane in self._lanes.values())

    @property
    def condition(self) -> Condition:
        lanes = self._lanes.values()
        return Condition(
            waiting=sum(lane.owed for lane in lanes),
            unsure=sum(lane.unsure for lane in lanes),
            troubles=self.troubles,
            why=next((lane.why for lane in lanes if lane.why), ""),
        )

    def ask(self, command: str, *words: Part, key: str) -> asyncio.Future[Any]:
        """Send a plain command that concerns this key."""
        request = Request(None, (), (command, *encoded(words)), key)
        self._route(request)
        return request.answer

    def run(
        self, script: LuaScript, keys: Sequence[str], *params: Part, queue: str = "", copied: bool = False
    ) -> asyncio.Future[Any]:
        """Run a script. Requests of one queue are sent one after the other.

        With `copied` the answer comes when enough replicas have what was written.
        """
        is_copied = copied and self._copies.replicas > 0
        request = Request(script, encoded(keys), encoded(params), keys[0], is_copied=is_copied)
        before = self._last.get(queue) if queue else None
        if queue:
            self._last[queue] = request.answer
            if len(self._last) >= self._tidy_at:
                self._tidy()
        if before is None or before.done():
            self._route(request)
        else:
            before.add_done_callback(lambda _: self._route(request))
        return request.answer

    async def close(self, seconds: float) -> None:
        self._closed = True
        await asyncio.gather(*(lane.finish(seconds) for lane in self._lanes.values()))

    def _tidy(self) -> None:
        """Forget the queues that are served. Now and then: a callback on each answer would cost more than the rest."""
        self._last = {queue: answer for queue, answer in self._last.items() if not answer.done()}
        self._tidy_at = 2 * len(self._last) + MANY

    def _route(self, request: Request) -> None:
        """To the lane of whoever has its key now."""
        if self._closed:
            request.refuse(StoreClosed())
            return
        name = self._node(request.key) if self._is_cluster else ""
        lane = self._lanes.get(name)
        if lane is None:
            wire: Exchange = (
                ClusterExchange(self._client, name, self._patience, self._copies)
                if self._is_cluster
                else SingleExchange(self._client, self._patience)
            )
            lane = self._lanes[name] = Pipeline(wire, self._copies, self._route)
        lane.put(request)

    def _node(self, key: str) -> str:
        try:
            node = self._client.get_node_from_key(key)
        except SlotNotCoveredError:
            return ""
        return str(node.name)
