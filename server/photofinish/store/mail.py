"""Letters between nodes over Redis streams: one stream a node, read by blocking.

A letter may be written twice when Redis was slow to answer; each carries its sender and a number, and the reader
leaves aside what it has had. Mail does not outlive its nodes: a node that starts again has a new name.
"""

import asyncio
import time
from typing import Any

import msgspec
import structlog
from redis.exceptions import RedisClusterException, RedisError

from photofinish.store.connect import Door, connect
from photofinish.store.keys import card_of, mail_of
from photofinish.store.line import Line
from photofinish.store.ports import NodeId, StoreClosed

log = structlog.get_logger(__name__)

PATIENCE = 2.0
BLOCK_MS = 1_000
"""Shorter than the patience: no letters is no fault."""
CARD_MS = 2_000
"""A node not heard of for so long is dead."""
MAIL_MS = 60_000
MOST_LETTERS = 16_384
"""Envelopes a stream keeps: more than a node that is alive can ever be behind."""


class _Envelope(msgspec.Struct, array_like=True, frozen=True):
    sender: str
    number: int
    letters: list[bytes]


_open = msgspec.msgpack.Decoder(_Envelope).decode
_seal = msgspec.msgpack.Encoder().encode


class RedisMail:
    """A `Mail`. Its reader has a connection of its own, since reading blocks."""

    def __init__(self, url: str, node: NodeId, *, patience: float = PATIENCE) -> None:
        self._node = node
        self._out: Door = connect(url, patience=patience)
        self._in: Door = connect(url, patience=patience)
        self._line = Line(self._out.client, patience)
        self._waiting: dict[NodeId, list[bytes]] = {}
        self._senders: dict[NodeId, asyncio.Task[None]] = {}
        self._numbers: dict[NodeId, int] = {}
        self._had: dict[str, int] = {}
        self._after = b"0"
        self._beat = 0
        self._beats: dict[NodeId, tuple[bytes, float]] = {}
        """The last card of each node we looked for, and when it was new to us."""
        self._patience = patience

    def post(self, to: NodeId, letter: bytes) -> None:
        self._waiting.setdefault(to, []).append(letter)
        task = self._senders.get(to)
        if task is None or task.done():
            self._senders[to] = asyncio.create_task(self._send(to), name=f"mail to {to}")

    async def collect(self) -> list[tuple[NodeId, bytes]]:
        letters: list[tuple[NodeId, bytes]] = []
        while not letters:
            for place, sealed in await self._read():
                self._after = place
                envelope = _open(sealed)
                if envelope.number > self._had.get(envelope.sender, 0):
                    self._had[envelope.sender] = envelope.number
                    letters += [(NodeId(envelope.sender), letter) for letter in envelope.letters]
        return letters

    async def announce(self, address: str) -> None:
        card, mail = card_of(self._node), mail_of(self._node)
        self._beat += 1
        await asyncio.gather(
            self._line.ask("SET", card, f"{self._beat} {address}", "PX", CARD_MS, key=card),
            self._line.ask("PEXPIRE", mail, MAIL_MS, key=mail),
        )

    async def address(self, node: NodeId) -> str | None:
        found: bytes | None = await self._line.ask("GET", card_of(node), key=card_of(node))
        if found is None:
            self._beats.pop(node, None)
            return None
        # Redis counts its time by the wall clock: set back, it would keep a dead node's card for hours.
        card, since = self._beats.get(node, (b"", 0.0))
        if card != found:
            self._beats[node] = (found, time.monotonic())
        elif time.monotonic() - since > CARD_MS / 1000:
            return None
        return found.decode().partition(" ")[2]

    async def close(self) -> None:
        for task in self._senders.values():
            task.cancel()
        await asyncio.gather(*self._senders.values(), return_exceptions=True)
        await self._line.close(self._patience)
        await self._out.close()
        await self._in.close()

    async def _send(self, to: NodeId) -> None:
        """While one envelope is on its way the next gathers."""
        key = mail_of(to)
        while letters := self._waiting.pop(to, []):
            number = self._numbers[to] = self._numbers.get(to, 0) + 1
            sealed = _seal(_Envelope(self._node, number, letters))
            try:
                await self._line.ask("XADD", key, "MAXLEN", "~", MOST_LETTERS, "*", "l", sealed, key=key)
            except StoreClosed:
                return

    async def _read(self) -> list[tuple[bytes, bytes]]:
        client, key = self._in.client, mail_of(self._node)
        try:
            found: Any = await client.xread({key: self._after}, block=BLOCK_MS, count=256)
        except (RedisError, RedisClusterException, OSError) as error:
            log.warning("no mail", error=repr(error))
            await asyncio.sleep(0.1)
            return []
        if not found:
            return []
        entries = next(iter(found.values())) if isinstance(found, dict) else found[0][1]
        if entries and isinstance(entries[0], list) and isinstance(entries[0][0], list | tuple):
            entries = entries[0]  # RESP3 wraps the entries once more
        return [(place, fields[b"l"]) for place, fields in entries]
