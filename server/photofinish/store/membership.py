"""The roll of nodes in Redis: who is there, how many rooms each has, and who is certainly dead.

Each node keeps a card on the roll and reads the cards of all. Whether a card still changes is judged by the
reader's own clock, so that no step of Redis's clock keeps a dead node alive.
"""

import time
from collections.abc import Callable
from typing import Any

import msgspec
import structlog

from photofinish.store.client import RedisClient
from photofinish.store.keys import ROLL
from photofinish.store.ports import Neighbour, NodeId
from photofinish.store.process import Process, is_certainly_dead, this_process

log = structlog.get_logger(__name__)

SILENT = 1.5
"""Seconds without a new card after which a node is not counted on: sooner than its leases run out."""
FORGOTTEN = 60.0
"""Seconds after which the card of a silent node is taken off the roll."""


class _Card(msgspec.Struct, frozen=True):
    beat: int
    rooms: int
    is_open: bool
    plays: str
    """Names the games on this node's shelf, and their rules."""
    process: Process | None = None


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Card).decode


class RedisMembership:
    """A `Membership`, on a store's line."""

    def __init__(
        self,
        line: RedisClient,
        node: NodeId,
        plays: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._line, self._node, self._plays, self._clock = line, node, plays, clock
        self._process = this_process()
        self._beat = 0
        self._cards: dict[NodeId, _Card] = {}
        self._heard: dict[NodeId, float] = {}
        """When each card was new to us."""
        self._beating: set[NodeId] = set()
        """Those whose card we have seen change: no card of long ago."""
        self._unreadable: set[NodeId] = set()
        self._watched: dict[NodeId, Process] = {}
        """The processes of all nodes we have heard of and that are not known to have ended."""

    async def call(self, rooms: int, *, is_open: bool) -> None:
        self._beat += 1
        card = _Card(self._beat, rooms, is_open, self._plays, self._process)
        await self._line.ask("HSET", ROLL, self._node, _encode(card), key=ROLL)
        self._note(await self._line.ask("HGETALL", ROLL, key=ROLL))
        for node in [it for it, at in self._heard.items() if self._clock() - at > FORGOTTEN]:
            await self._strike(node)

    def neighbours(self) -> list[Neighbour]:
        now = self._clock()
        return [
            Neighbour(node, card.beat, card.rooms, self._may_count_on(node, card))
            for node, card in self._cards.items()
            if now - self._heard[node] <= SILENT
        ]

    async def dead(self) -> dict[NodeId, bool]:
        found = [it for it, process in self._watched.items() if is_certainly_dead(process, self._process)]
        for node in found:
            del self._watched[node]
        return {node: await self._strike(node) for node in found}

    async def leave(self) -> None:
        await self._line.ask("HDEL", ROLL, self._node, key=ROLL)

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
        """None for a card that this release cannot read: that node is not counted on."""
        try:
            return _decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError) as fault:
            if node not in self._unreadable:
                self._unreadable.add(node)
                log.error("the card of a node cannot be read", node=node, why=str(fault))  # noqa: TRY400
            return None

    def _may_count_on(self, node: NodeId, card: _Card) -> bool:
        return card.is_open and card.plays == self._plays and node in self._beating

    async def _strike(self, node: NodeId) -> bool:
        """Take it off the roll. True for the one node that did it."""
        self._cards.pop(node, None)
        self._heard.pop(node, None)
        return bool(await self._line.ask("HDEL", ROLL, node, key=ROLL))
