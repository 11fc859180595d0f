"""Letters between nodes over Redis streams: one stream a node, read by blocking.

A letter may be written twice when Redis was slow to answer, and a failover of Redis may lose what it had taken.
So each envelope carries its sender and a number. A sender that found Redis away writes its last envelopes once more;
a reader that did reads its stream from the beginning; and it takes each number once, in order. Mail does not
outlive its nodes: a node that starts again has a new name.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec
import structlog
from redis.exceptions import RedisClusterException, RedisError

from photofinish.store.client import RedisClient
from photofinish.store.connect import RedisTarget, connect
from photofinish.store.keys import card_of, mail_of, unread_of
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

MOST_UNREAD, UNREAD_MS = 100, 7 * 24 * 3600 * 1000
"""Envelopes that could not be read are kept for whoever looks for the reason."""
MOST_AGAIN, AGAIN_SECONDS = 1_024, 10.0
"""What a sender keeps to write once more: far longer than a replica is ever behind its master."""


class _Envelope(msgspec.Struct, array_like=True, frozen=True):
    sender: str
    number: int
    letters: list[bytes]
    oldest: int = 0
    """The first number its sender could still write once more: nobody need wait for an earlier one."""
    v: int = 0
    """Version of the letters. Raise `LETTERS` when an older release would misread one (0: before it was written)."""


class _Address(msgspec.Struct, array_like=True, frozen=True):
    """The part of an envelope that every release can read."""

    sender: str
    number: int


LETTERS = 1
_open = msgspec.msgpack.Decoder(_Envelope).decode
_address = msgspec.msgpack.Decoder(_Address).decode
_seal = msgspec.msgpack.Encoder().encode


class RedisMail:
    """A `Mail`. Its reader has a connection of its own, since reading blocks."""

    def __init__(self, url: str, node: NodeId, *, patience: float = PATIENCE) -> None:
        self._node = node
        self._out: RedisTarget = connect(url, patience=patience)
        self._in: RedisTarget = connect(url, patience=patience)
        self._line = RedisClient(self._out.client, patience)
        self._waiting: dict[NodeId, list[bytes]] = {}
        self._senders: dict[NodeId, asyncio.Task[None]] = {}
        self._numbers: dict[NodeId, int] = {}
        self._written: dict[NodeId, deque[tuple[float, _Envelope]]] = {}
        """What each node was sent lately, and when."""
        self._troubles: dict[NodeId, int] = {}
        """How often Redis had been away when all that was known to be written."""
        self._had: dict[str, int] = {}
        self._gaps = 0
        """Envelopes that could not be read at all: so many numbers will never come."""
        self.on_unreadable: Callable[[], None] = lambda: None
        self._after = b"0"
        self._beat = 0
        self._beats: dict[NodeId, tuple[bytes, float]] = {}
        """The last card of each node we looked for, and when it was new to us."""
        self._patience = patience

    def post(self, to: NodeId, letter: bytes) -> None:
        self._waiting.setdefault(to, []).append(letter)
        self._start(to)

    def _start(self, to: NodeId) -> None:
        task = self._senders.get(to)
        if task is None or task.done():
            self._senders[to] = asyncio.create_task(self._send(to), name=f"mail to {to}")

    async def collect(self) -> list[tuple[NodeId, bytes]]:
        letters: list[tuple[NodeId, bytes]] = []
        while not letters:
            for place, sealed in await self._read():
                self._after = place
                letters += self._opened(sealed)
        return letters

    def _opened(self, sealed: bytes) -> list[tuple[NodeId, bytes]]:
        """The letters in it; none if this release cannot read it."""
        try:
            envelope = _open(sealed)
            if envelope.v <= LETTERS:
                return self._taken(envelope)
            why = f"version {envelope.v}; this release reads up to {LETTERS}"
        except (msgspec.DecodeError, UnicodeDecodeError) as fault:
            why = str(fault)
        self._put_aside(sealed, why)
        return []

    def _put_aside(self, sealed: bytes, why: str) -> None:
        """Nobody waits for its letters: those that follow are read."""
        try:
            address = _address(sealed)
            sender = address.sender
            self._had[sender] = max(self._had.get(sender, 0), address.number)
        except (msgspec.DecodeError, UnicodeDecodeError):
            sender = "?"
            self._gaps += 1  # it had some sender's next number
        log.error("an envelope cannot be read", sender=sender, bytes=len(sealed), why=why)
        self.on_unreadable()
        key = unread_of(self._node)
        for command in (
            ("RPUSH", key, sealed),
            ("LTRIM", key, -MOST_UNREAD, -1),
            ("PEXPIRE", key, UNREAD_MS),
        ):
            self._line.ask(*command, key=key).add_done_callback(_quiet)

    def _taken(self, envelope: _Envelope) -> list[tuple[NodeId, bytes]]:
        sender, wanted = NodeId(envelope.sender), self._had.get(envelope.sender, 0) + 1
        if envelope.number < wanted:
            return []
        if envelope.number > wanted:
            if envelope.oldest <= wanted and not self._gaps:
                return []  # what is missing will be written once more, and then this again
            self._gaps = max(0, self._gaps - 1)
            log.error("letters are lost", sender=sender, wanted=wanted, came=envelope.number)
        self._had[sender] = envelope.number
        return [(sender, letter) for letter in envelope.letters]

    async def announce(self, address: str) -> None:
        card, mail = card_of(self._node), mail_of(self._node)
        self._beat += 1
        await asyncio.gather(
            self._line.ask("SET", card, f"{self._beat} {address}", "PX", CARD_MS, key=card),
            self._line.ask("PEXPIRE", mail, MAIL_MS, key=mail),
        )
        for node, troubles in self._troubles.items():
            if troubles != self._line.troubles:
                self._start(node)

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
        written = self._written.setdefault(to, deque(maxlen=MOST_AGAIN))
        self._troubles.setdefault(to, self._line.troubles)
        try:
            while True:
                while (troubles := self._line.troubles) != self._troubles[to]:
                    self._forget_old(written)
                    for _, envelope in list(written):
                        oldest = written[0][1].number
                        await self._write(to, msgspec.structs.replace(envelope, oldest=oldest))
                    self._troubles[to] = troubles
                if not (letters := self._waiting.pop(to, [])):
                    return
                number = self._numbers[to] = self._numbers.get(to, 0) + 1
                self._forget_old(written)
                oldest = written[0][1].number if written else number
                envelope = _Envelope(self._node, number, letters, oldest, LETTERS)
                written.append((time.monotonic(), envelope))
                await self._write(to, envelope)
        except StoreClosed:
            return

    async def _write(self, to: NodeId, envelope: _Envelope) -> None:
        key = mail_of(to)
        await self._line.ask("XADD", key, "MAXLEN", "~", MOST_LETTERS, "*", "l", _seal(envelope), key=key)

    def _forget_old(self, written: deque[tuple[float, _Envelope]]) -> None:
        while written and written[0][0] < time.monotonic() - AGAIN_SECONDS:
            written.popleft()

    async def _read(self) -> list[tuple[bytes, bytes]]:
        client, key = self._in.client, mail_of(self._node)
        try:
            found: Any = await client.xread({key: self._after}, block=BLOCK_MS, count=256)
        except (RedisError, RedisClusterException, OSError) as error:
            log.warning("no mail", error=repr(error))
            self._after = b"0"  # whoever answers next may have numbered its letters otherwise
            await asyncio.sleep(0.1)
            return []
        if not found:
            return []
        entries = next(iter(found.values())) if isinstance(found, dict) else found[0][1]
        if entries and isinstance(entries[0], list) and isinstance(entries[0][0], list | tuple):
            entries = entries[0]  # RESP3 wraps the entries once more
        return [(place, fields[b"l"]) for place, fields in entries]


def _quiet(done: asyncio.Future[Any]) -> None:
    """A copy for the operator: nothing depends on it."""
    if not done.cancelled():
        done.exception()
