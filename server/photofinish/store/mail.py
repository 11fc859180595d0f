"""Messages between nodes over Redis streams: one stream per node, read with a blocking XREAD.

A message may be written twice if Redis is slow to answer, and a failover of Redis may lose messages. So each envelope
carries its sender and a sequence number. After an outage, the sender writes its last envelopes again and the reader
reads its stream from the beginning. The reader accepts each number once, in order. Mail does not outlive its nodes:
a node that restarts has a new name.
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
from photofinish.store.keys import mail_of, node_status_of, unread_of
from photofinish.store.ports import NodeId, StoreClosed

log = structlog.get_logger(__name__)

TIMEOUT_SECONDS = 2.0
BLOCK_MS = 1_000
"""How long one XREAD blocks. Shorter than the timeout, so that an empty stream is not an error."""
STATUS_MS = 2_000
"""A node whose status is older than this is dead."""
MAIL_MS = 60_000
"""When the stream of a dead node expires."""
MAX_STREAM = 16_384
"""Envelopes that a stream keeps: more than a live node can be behind."""

MAX_UNREAD, UNREAD_MS = 100, 7 * 24 * 3600 * 1000
"""Envelopes that could not be decoded are kept for the operator: how many, and for how long."""
MAX_RESEND, RESEND_SECONDS = 1_024, 10.0
"""Envelopes that a sender keeps to write again: how many, and for how long. A replica is never that far behind."""


class _Envelope(msgspec.Struct, array_like=True, frozen=True):
    sender: str
    number: int
    messages: list[bytes]
    oldest: int = 0
    """The lowest number that the sender can still write again. A reader need not wait for a lower one."""
    v: int = 0
    """Format version of the messages. Raise `FORMAT` when an older release would misread one. 0: not written yet."""


class _Address(msgspec.Struct, array_like=True, frozen=True):
    """The part of an envelope that every release can read."""

    sender: str
    number: int


FORMAT = 1
_open = msgspec.msgpack.Decoder(_Envelope).decode
_address = msgspec.msgpack.Decoder(_Address).decode
_seal = msgspec.msgpack.Encoder().encode


class RedisMail:
    """A `Mail`. Its reader has a connection of its own, because reading blocks."""

    def __init__(self, url: str, node: NodeId, *, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        self._node = node
        self._out: RedisTarget = connect(url, timeout_seconds=timeout_seconds)
        self._in: RedisTarget = connect(url, timeout_seconds=timeout_seconds)
        self._client = RedisClient(self._out.client, timeout_seconds)
        self._waiting: dict[NodeId, list[bytes]] = {}
        self._senders: dict[NodeId, asyncio.Task[None]] = {}
        self._numbers: dict[NodeId, int] = {}
        self._written: dict[NodeId, deque[tuple[float, _Envelope]]] = {}
        """The envelopes lately written to each node, with the time."""
        self._troubles: dict[NodeId, int] = {}
        """The client's count of outages when all envelopes to this node were last known to be written."""
        self._received: dict[str, int] = {}
        """The highest number accepted from each sender."""
        self._gaps = 0
        """Envelopes without a readable sender: as many numbers will never arrive."""
        self.on_unreadable: Callable[[], None] = lambda: None
        self._after = b"0"
        self._beat = 0
        self._beats: dict[NodeId, tuple[bytes, float]] = {}
        """The last status of each node that we looked up, and when we first saw it."""
        self._timeout_seconds = timeout_seconds

    def post(self, to: NodeId, message: bytes) -> None:
        self._waiting.setdefault(to, []).append(message)
        self._start(to)

    def _start(self, to: NodeId) -> None:
        task = self._senders.get(to)
        if task is None or task.done():
            self._senders[to] = asyncio.create_task(self._send(to), name=f"mail to {to}")

    async def collect(self) -> list[tuple[NodeId, bytes]]:
        messages: list[tuple[NodeId, bytes]] = []
        while not messages:
            for place, sealed in await self._read():
                self._after = place
                messages += self._opened(sealed)
        return messages

    def _opened(self, sealed: bytes) -> list[tuple[NodeId, bytes]]:
        """The messages of an envelope; none if this release cannot decode it."""
        try:
            envelope = _open(sealed)
            if envelope.v <= FORMAT:
                return self._taken(envelope)
            why = f"version {envelope.v}; this release reads up to {FORMAT}"
        except (msgspec.DecodeError, UnicodeDecodeError) as fault:
            why = str(fault)
        self._put_aside(sealed, why)
        return []

    def _put_aside(self, sealed: bytes, why: str) -> None:
        """Keep an envelope that cannot be decoded, and go on with the next one."""
        try:
            address = _address(sealed)
            sender = address.sender
            self._received[sender] = max(self._received.get(sender, 0), address.number)
        except (msgspec.DecodeError, UnicodeDecodeError):
            sender = "?"
            self._gaps += 1  # it was the next number of an unknown sender
        log.error("an envelope cannot be read", sender=sender, bytes=len(sealed), why=why)
        self.on_unreadable()
        key = unread_of(self._node)
        for command in (("RPUSH", key, sealed), ("LTRIM", key, -MAX_UNREAD, -1), ("PEXPIRE", key, UNREAD_MS)):
            self._client.execute(*command, key=key).add_done_callback(_ignore)

    def _taken(self, envelope: _Envelope) -> list[tuple[NodeId, bytes]]:
        sender, wanted = NodeId(envelope.sender), self._received.get(envelope.sender, 0) + 1
        if envelope.number < wanted:
            return []
        if envelope.number > wanted:
            if envelope.oldest <= wanted and not self._gaps:
                return []  # the sender will write the missing envelopes again, and this one after them
            self._gaps = max(0, self._gaps - 1)
            log.error("node messages are lost", sender=sender, wanted=wanted, came=envelope.number)
        self._received[sender] = envelope.number
        return [(sender, message) for message in envelope.messages]

    async def announce(self, address: str) -> None:
        status, mail = node_status_of(self._node), mail_of(self._node)
        self._beat += 1
        await asyncio.gather(
            self._client.execute("SET", status, f"{self._beat} {address}", "PX", STATUS_MS, key=status),
            self._client.execute("PEXPIRE", mail, MAIL_MS, key=mail),
        )
        for node, troubles in self._troubles.items():
            if troubles != self._client.troubles:
                self._start(node)

    async def address(self, node: NodeId) -> str | None:
        found: bytes | None = await self._client.execute(
            "GET", node_status_of(node), key=node_status_of(node)
        )
        if found is None:
            self._beats.pop(node, None)
            return None
        # Redis expires keys by its wall clock. If that is set back, the status of a dead node stays for hours.
        status, since = self._beats.get(node, (b"", 0.0))
        if status != found:
            self._beats[node] = (found, time.monotonic())
        elif time.monotonic() - since > STATUS_MS / 1000:
            return None
        return found.decode().partition(" ")[2]

    async def close(self) -> None:
        for task in self._senders.values():
            task.cancel()
        await asyncio.gather(*self._senders.values(), return_exceptions=True)
        await self._client.close(self._timeout_seconds)
        await self._out.close()
        await self._in.close()

    async def _send(self, to: NodeId) -> None:
        """Send everything that waits for this node. Messages posted while a write is in flight share an envelope."""
        written = self._written.setdefault(to, deque(maxlen=MAX_RESEND))
        self._troubles.setdefault(to, self._client.troubles)
        try:
            while True:
                while (troubles := self._client.troubles) != self._troubles[to]:
                    self._forget_old(written)
                    for _, envelope in list(written):
                        oldest = written[0][1].number
                        await self._write(to, msgspec.structs.replace(envelope, oldest=oldest))
                    self._troubles[to] = troubles
                if not (messages := self._waiting.pop(to, [])):
                    return
                number = self._numbers[to] = self._numbers.get(to, 0) + 1
                self._forget_old(written)
                oldest = written[0][1].number if written else number
                envelope = _Envelope(self._node, number, messages, oldest, FORMAT)
                written.append((time.monotonic(), envelope))
                await self._write(to, envelope)
        except StoreClosed:
            return

    async def _write(self, to: NodeId, envelope: _Envelope) -> None:
        key = mail_of(to)
        await self._client.execute("XADD", key, "MAXLEN", "~", MAX_STREAM, "*", "l", _seal(envelope), key=key)

    def _forget_old(self, written: deque[tuple[float, _Envelope]]) -> None:
        while written and written[0][0] < time.monotonic() - RESEND_SECONDS:
            written.popleft()

    async def _read(self) -> list[tuple[bytes, bytes]]:
        client, key = self._in.client, mail_of(self._node)
        try:
            found: Any = await client.xread({key: self._after}, block=BLOCK_MS, count=256)
        except (RedisError, RedisClusterException, OSError) as error:
            log.warning("mail cannot be read", error=repr(error))
            self._after = b"0"  # after a failover the stream ids may be different
            await asyncio.sleep(0.1)
            return []
        if not found:
            return []
        entries = next(iter(found.values())) if isinstance(found, dict) else found[0][1]
        if entries and isinstance(entries[0], list) and isinstance(entries[0][0], list | tuple):
            entries = entries[0]  # RESP3 nests the entries one level deeper
        return [(place, fields[b"l"]) for place, fields in entries]


def _ignore(done: asyncio.Future[Any]) -> None:
    """Ignore an error: this write is only for the operator."""
    if not done.cancelled():
        done.exception()
