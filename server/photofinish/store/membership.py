"""The list of nodes in Redis: which nodes are alive, how many rooms each has, and which are certainly dead.

Each node writes its card to one hash and reads all cards. A node is alive while its card changes, judged by the
reader's own monotonic clock: if the clock of Redis is set back, a dead node does not look alive.
"""

import time
from collections.abc import Callable
from typing import Any

import msgspec
import structlog

from photofinish.store.client import RedisClient
from photofinish.store.keys import NODES
from photofinish.store.ports import Neighbour, NodeId
from photofinish.store.process import Process, is_certainly_dead, this_process

log = structlog.get_logger(__name__)

SILENT = 1.5
"""Seconds without a new card after which a node counts as absent. Shorter than a lease."""
FORGOTTEN = 60.0
"""Seconds after which the card of a silent node is deleted."""


class _Card(msgspec.Struct, frozen=True):
    beat: int
    rooms: int
    is_open: bool
    plays: str
    """Identifies the games of this node and the versions of their rules."""
    process: Process | None = None


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Card).decode


class RedisMembership:
    """A `Membership`. Uses the client of a store."""

    def __init__(
        self,
        client: RedisClient,
        node: NodeId,
        plays: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client, self._node, self._plays, self._clock = client, node, plays, clock
        self._process = this_process()
        self._beat = 0
        self._cards: dict[NodeId, _Card] = {}
        self._heard: dict[NodeId, float] = {}
        """When we first saw the current card of each node."""
        self._beating: set[NodeId] = set()
        """Nodes whose card we have seen change. A card that never changes may be from a dead node."""
        self._unreadable: set[NodeId] = set()
        self._watched: dict[NodeId, Process] = {}
        """The processes of all nodes we have seen and that are not known to have ended."""

    async def call(self, rooms: int, *, is_open: bool) -> None:
        self._beat += 1
        card = _Card(self._beat, rooms, is_open, self._plays, self._process)
        await self._client.execute("HSET", NODES, self._node, _encode(card), key=NODES)
        self._note(await self._client.execute("HGETALL", NODES, key=NODES))
        for node in [it for it, at in self._heard.items() if self._clock() - at > FORGOTTEN]:
            await self._delete_card(node)

    def neighbours(self) -> list[Neighbour]:
        now = self._clock()
        return [
            Neighbour(node, card.beat, card.rooms, self._takes_rooms(node, card))
            for node, card in self._cards.items()
            if now - self._heard[node] <= SILENT
        ]

    async def dead(self) -> dict[NodeId, bool]:
        found = [it for it, process in self._watched.items() if is_certainly_dead(process, self._process)]
        for node in found:
            del self._watched[node]
        return {node: await self._delete_card(node) for node in found}

    async def leave(self) -> None:
        await self._client.execute("HDEL", NODES, self._node, key=NODES)

    def _note(self, found: Any) -> None:
        pairs = found.items() if isinstance(found, dict) else zip(found[::2], found[1::2], strict=True)
        others = {NodeId(node.decode()): raw for node, raw in pairs if node.decode() != self._node}
        cards = {node: card for node, raw in others.items() if (card := self._read(node, raw)) is not None}
        for node, card in cards.items():
            before = self._cards.get(node)
            if before is None or before.beat != card.beat:
                self._heard[node] = self._clock()
                if before is not None:
                    self._beating.add(node)
        self._cards = cards
        self._watched |= {node: card.process for node, card in cards.items() if card.process is not None}
        self._heard = {node: at for node, at in self._heard.items() if node in cards}
        self._beating &= cards.keys()

    def _read(self, node: NodeId, raw: bytes) -> _Card | None:
        """None for a card that this release cannot decode: that node counts as absent."""
        try:
            return _decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError) as fault:
            if node not in self._unreadable:
                self._unreadable.add(node)
                log.error("the card of a node cannot be read", node=node, why=str(fault))  # noqa: TRY400
            return None

    def _takes_rooms(self, node: NodeId, card: _Card) -> bool:
        return card.is_open and card.plays == self._plays and node in self._beating

    async def _delete_card(self, node: NodeId) -> bool:
        """Delete the card of that node. True if it was there: of all nodes that try, one gets True."""
        self._cards.pop(node, None)
        self._heard.pop(node, None)
        return bool(await self._client.execute("HDEL", NODES, node, key=NODES))
