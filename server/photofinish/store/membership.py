"""The list of nodes in Redis: which nodes are alive, how many rooms each has, and which are certainly dead.

Each node writes its status to one hash and reads the status of every node. A node is alive while its status changes,
judged by the reader's own monotonic clock: if the clock of Redis is set back, a dead node does not look alive.
"""

import time
from collections.abc import Callable
from typing import Any

import msgspec
import structlog

from photofinish.store.client import RedisClient
from photofinish.store.keys import NODES
from photofinish.store.ports import NodeId, OtherNode
from photofinish.store.process import Process, is_certainly_dead, this_process

log = structlog.get_logger(__name__)

SILENT = 1.5
"""Seconds without a new status after which a node counts as absent. Shorter than a lease."""
FORGOTTEN = 60.0
"""Seconds after which the status of a silent node is deleted."""


class _NodeStatus(msgspec.Struct, frozen=True):
    beat: int
    rooms: int
    is_open: bool
    plays: str
    """Identifies the games of this node and the versions of their rules."""
    process: Process | None = None


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_NodeStatus).decode


class RedisMembership:
    """A `Membership`. Uses the client of a store."""

    def __init__(
        self, client: RedisClient, node: NodeId, plays: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._client, self._node, self._plays, self._clock = client, node, plays, clock
        self._process = this_process()
        self._beat = 0
        self._statuses: dict[NodeId, _NodeStatus] = {}
        self._heard: dict[NodeId, float] = {}
        """When we first saw the current status of each node."""
        self._beating: set[NodeId] = set()
        """Nodes whose status we have seen change. A status that never changes may be from a dead node."""
        self._unreadable: set[NodeId] = set()
        self._watched: dict[NodeId, Process] = {}
        """The processes of all nodes we have seen and that are not known to have ended."""

    async def report(self, rooms: int, *, is_open: bool) -> None:
        self._beat += 1
        status = _NodeStatus(self._beat, rooms, is_open, self._plays, self._process)
        await self._client.execute("HSET", NODES, self._node, _encode(status), key=NODES)
        self._note(await self._client.execute("HGETALL", NODES, key=NODES))
        for node in [it for it, at in self._heard.items() if self._clock() - at > FORGOTTEN]:
            await self._delete_status(node)

    def other_nodes(self) -> list[OtherNode]:
        now = self._clock()
        return [
            OtherNode(node, status.beat, status.rooms, self._takes_rooms(node, status))
            for node, status in self._statuses.items()
            if now - self._heard[node] <= SILENT
        ]

    async def dead(self) -> dict[NodeId, bool]:
        found = [it for it, process in self._watched.items() if is_certainly_dead(process, self._process)]
        for node in found:
            del self._watched[node]
        return {node: await self._delete_status(node) for node in found}

    async def leave(self) -> None:
        await self._client.execute("HDEL", NODES, self._node, key=NODES)

    def _note(self, found: Any) -> None:
        pairs = found.items() if isinstance(found, dict) else zip(found[::2], found[1::2], strict=True)
        others = {NodeId(node.decode()): raw for node, raw in pairs if node.decode() != self._node}
        statuses = {
            node: status for node, raw in others.items() if (status := self._read(node, raw)) is not None
        }
        for node, status in statuses.items():
            before = self._statuses.get(node)
            if before is None or before.beat != status.beat:
                self._heard[node] = self._clock()
                if before is not None:
                    self._beating.add(node)
        self._statuses = statuses
        self._watched |= {
            node: status.process for node, status in statuses.items() if status.process is not None
        }
        self._heard = {node: at for node, at in self._heard.items() if node in statuses}
        self._beating &= statuses.keys()

    def _read(self, node: NodeId, raw: bytes) -> _NodeStatus | None:
        """None for a status that this release cannot decode: that node counts as absent."""
        try:
            return _decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError) as fault:
            if node not in self._unreadable:
                self._unreadable.add(node)
                log.error("the status of a node cannot be read", node=node, why=str(fault))  # noqa: TRY400
            return None

    def _takes_rooms(self, node: NodeId, status: _NodeStatus) -> bool:
        return status.is_open and status.plays == self._plays and node in self._beating

    async def _delete_status(self, node: NodeId) -> bool:
        """Delete the status of that node. True if it was there: of all nodes that try, one gets True."""
        self._statuses.pop(node, None)
        self._heard.pop(node, None)
        return bool(await self._client.execute("HDEL", NODES, node, key=NODES))
