"""Sessions without sockets: the real session, outbox, directory and store, and a port that records every frame."""

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from photofinish.engine import Micros
from photofinish.gateway.access.limits import AddressLimits, Allowance, ConnectionLimits
from photofinish.gateway.sessions.node_parts import NodeParts
from photofinish.gateway.sessions.session import Session
from photofinish.gateway.sockets.outbox import Outbox
from photofinish.node.clock import clock
from photofinish.node.directory import Directory
from photofinish.race.lag import Lag
from photofinish.room.facts import SessionId
from photofinish.room.record import RoomRecord, unpack
from photofinish.room.seats import tokens
from photofinish.store.ports import RoomId, Write
from photofinish.store.redis import RedisStore
from photofinish_protocol import messages
from photofinish_protocol.codec import CODECS
from photofinish_protocol.reasons import Close
from tests.waiting import within

PATIENCE = 10.0
"""Seconds that an answer may take, even in a race on a busy machine."""


class RecordingStore(RedisStore):
    """The real store, which also records every commit that it has confirmed."""

    kept: dict[RoomId, RoomRecord]

    def commit_then(self, write: Write, done: Callable[[Exception | None], None]) -> None:
        def stored(fault: Exception | None) -> None:
            if fault is None:
                self.kept[write.lease.room] = unpack(write.state)
            done(fault)

        super().commit_then(write, stored)


class Guest:
    """One connection. Every frame is checked the moment it is written."""

    def __init__(self, name: str, subprotocol: str, directory: Directory, store: RecordingStore) -> None:
        self.codec = CODECS[subprotocol]
        self.session = Session(
            SessionId(name), Outbox(self, self.codec), self.codec, NodeParts(directory), Lag(), clock(),
            limits=ConnectionLimits(AddressLimits(Allowance(), clock), "", clock()),
        )  # fmt: skip
        self._store = store
        self.answers: dict[int, list[Any]] = defaultdict(list)
        self.sent: dict[int, bytes] = {}
        self.view: messages.View | None = None
        self.token = ""
        self.next_id = 0
        self.room = ""
        self.seat: int | None = None
        self.closed: Close | None = None
        self.faults: list[str] = []
        self.heard: list[messages.ServerMessage] = []
        self.news = asyncio.Event()
        self._seq = 0

    # The socket port.

    def write(self, frame: bytes) -> None:
        if self.closed is not None:
            self.faults.append("a frame after the close")
        self._look_at(self.codec.decode_message(frame.decode() if self.codec.is_text else frame))
        self.news.set()

    def buffered(self) -> int:
        return 0

    def close(self, code: Close) -> None:
        self.closed = code
        self.news.set()

    def now(self) -> Micros:
        return clock()

    # Actions of the guest.

    async def send(self, frame: bytes) -> None:
        await self.session.frame(frame.decode("utf-8", "replace") if self.codec.is_text else frame, clock())

    async def request(self, request_id: int, message: dict[str, Any]) -> Any:
        """Send a request and wait for its answer; None if the connection was closed instead."""
        self.sent[request_id] = self.codec.encode({"id": request_id, **message})
        return await self.again(request_id)

    async def again(self, request_id: int) -> Any:
        before = len(self.answers[request_id])
        await self.send(self.sent[request_id])
        async with within(
            lambda: f"an answer to {self.sent[request_id]!r} after {self._heard_last()}", PATIENCE
        ):
            while len(self.answers[request_id]) == before and self.closed is None:
                self.news.clear()
                await self.news.wait()
        return self.answers[request_id][-1] if len(self.answers[request_id]) > before else None

    async def pipeline(self, first: int, requests: list[dict[str, Any]], pauses: list[float]) -> list[int]:
        """Send the requests without waiting for answers, with a pause after each.

        Returns the ids that got no answer.
        """
        ids = range(first, first + len(requests))
        for request_id, message in zip(ids, requests, strict=True):
            self.sent[request_id] = self.codec.encode({"id": request_id, **message})
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                for request_id, pause in zip(ids, pauses, strict=True):
                    await self.send(self.sent[request_id])
                    await asyncio.sleep(pause)
                while self.closed is None and not all(self.answers[request_id] for request_id in ids):
                    self.news.clear()
                    await self.news.wait()
        return (
            [request_id for request_id in ids if not self.answers[request_id]] if self.closed is None else []
        )

    # Messages to the guest.

    def _look_at(self, message: messages.ServerMessage) -> None:
        self.heard.append(message)
        match message:
            case messages.Ack() | messages.Refused() | messages.Welcome():
                self._answered(message)
            case messages.View():
                self._shown(message)
            case messages.Left():
                self._out()

    def _answered(self, answer: messages.Ack | messages.Refused | messages.Welcome) -> None:
        self.answers[answer.id].append(answer)
        if len(self.answers[answer.id]) > 1:
            return  # a repeated answer: nothing has happened now
        got = answer.resumed if isinstance(answer, messages.Welcome) else None
        if isinstance(answer, messages.Welcome):
            self.next_id = answer.next_id
        if isinstance(answer, messages.Ack):
            self._check_stored(answer)
            if isinstance(answer.got, messages.Seated):
                got = answer.got
            elif isinstance(answer.got, messages.Watching):
                self.room, self.seat, self._seq = answer.got.room, None, 0
            elif b"leave" in self.sent.get(answer.id, b""):
                self._out()
        if got is not None and got.token != self.token:
            self.room, self.seat, self.token, self._seq = got.room, got.seat, got.token, 0

    def _check_stored(self, ack: messages.Ack) -> None:
        """Check that the room stored the ack before it was sent."""
        kind = next(
            (k for k in (b"games", b"rooms", b"ping", b"watch") if k in self.sent.get(ack.id, b"")), None
        )
        if kind is not None or self.seat is None or self.room not in self._store.kept:
            return
        mine = tokens.chair_of(self.token)  # seat numbers change when a game begins; the chair stays the same
        chair = next((it for it in self._store.kept[RoomId(self.room)].chairs if it.key == mine), None)
        # A leave that is stored in the same commit deletes the chair's kept answers.
        has_left = any(b"leave" in sent for request_id, sent in self.sent.items() if request_id >= ack.id)
        is_mine = chair is not None and any(tokens.fits(self.token, it) for it in (chair.token, chair.spare))
        if has_left and not is_mine:
            return
        is_leave = b"leave" in self.sent.get(ack.id, b"")
        if not is_leave and (chair is None or chair.answers.again(ack.id) is None):
            self.faults.append(f"ack {ack.id} was on the wire before it was stored")

    def _shown(self, view: messages.View) -> None:
        if view.from_ != self._seq:
            self.faults.append(
                f"view {view.seq} comes from {view.from_}, but {self._seq} was sent before: {self._heard_last()}"
            )
        if view.seq <= view.from_:
            self.faults.append(f"view {view.seq} is no newer than {view.from_}")
        kept = self._store.kept.get(RoomId(view.room))
        if view.you is not None and (kept is None or kept.chairs[view.you].seq < view.seq):
            self.faults.append(f"view {view.seq} was shown before it was stored")
        self._seq, self.view = view.seq, view

    def _heard_last(self) -> str:
        return ", ".join(f"{type(it).__name__} {getattr(it, 'id', '')}" for it in self.heard[-8:])

    def _out(self) -> None:
        self.room, self.seat, self.view, self._seq = "", None, None, 0
