"""The shell of one room: passes facts to it, commits its changes, then sends its messages."""

import asyncio
import random
from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec
import structlog

from photofinish.engine import AnyGame, Micros
from photofinish.node.metrics_port import MetricsPort
from photofinish.replay.replay import as_replay
from photofinish.room.core import Room
from photofinish.room.effects import Batch, Drop, Effect, Send, Show
from photofinish.room.facts import Cut, Fact, Handed, SessionId
from photofinish.room.record import pack, unpack
from photofinish.store.ports import Lease, LeaseLost, RoomId, RoomStore, StoreClosed, Write
from photofinish_protocol import messages
from photofinish_protocol.reasons import REASONS, Close, Reason
from photofinish_protocol.version import REMEMBERED

log = structlog.get_logger(__name__)

KEEP_REPLAYS = 30 * 24 * 3600
"""Seconds a replay is kept."""


A_TURN = 64
"""Effects for watchers per turn of the event loop."""
LATER = Micros(-1)
"""Returned by `show` for a session on another node: that node reports the time later."""


class SessionPort(Protocol):
    """The way to one session. No method blocks."""

    def send(self, message: messages.ServerMessage) -> None: ...

    def show(self, view: messages.View) -> Micros | None:
        """Write the view to the socket. Returns when; None if it waits in the outbox."""

    def drop(self, code: Close | None) -> None:
        """The session is no longer in the room."""

    def want(self, at: Micros) -> None:
        """A race waits for the clock of the session's node: send `Ticked` when it reaches `at`."""


def newer(older: messages.View, view: messages.View) -> messages.View:
    """The newer of two views, with the events of both."""
    return msgspec.structs.replace(view, last=(older.last + view.last)[-REMEMBERED:])


def _session(effect: Effect) -> SessionId:
    return effect.session if isinstance(effect, Drop) else effect.to


class RoomActor:
    """The one writer of a room. `post` may be called at any time; the room takes one fact at a time."""

    def __init__(
        self,
        room: Room,
        lease: Lease,
        version: int,
        store: RoomStore,
        clock: Callable[[], Micros],
        entropy: Callable[[int], bytes],
        tally: MetricsPort | None = None,
    ) -> None:
        self.room = room
        self.lease = lease
        self.is_gone = False
        self.on_batch: Callable[[], None] = lambda: None
        """Called after each round. House bots use it to find their chairs."""
        self._version = version
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._tally = tally or MetricsPort()
        self._doors: dict[SessionId, SessionPort] = {}
        self._wanted: dict[SessionId, Micros] = {}
        self._facts: deque[Fact] = deque()
        self._crowd: deque[Effect] = deque()
        """Effects for watchers that are not done yet, if there are many watchers."""
        self._crowd_turn: asyncio.Handle | None = None
        self._stir = asyncio.Event()
        self._alarm: asyncio.TimerHandle | None = None
        self._good = pack(room.record)
        self._task: asyncio.Task[None] | None = None

    @property
    def code(self) -> RoomId:
        return self.lease.room

    @property
    def game(self) -> AnyGame:
        return self.room.game

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name=f"room {self.code}")
        self._stir.set()

    def enter(self, session: SessionId, door: SessionPort, fact: Fact) -> None:
        """Add a session. Its port is kept until the room drops it or its connection ends."""
        self._doors[session] = door
        self.post(fact)

    def post(self, fact: Fact) -> None:
        self._facts.append(fact)
        self._stir.set()

    async def stop(self) -> None:
        """Stop at once. The lease stays until it is released or expires."""
        self.is_gone = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._alarm is not None:
            self._alarm.cancel()
        self._crowd.clear()

    async def move_on(self) -> None:
        """Another node owns the room now: stop, and make every session reconnect."""
        await self.stop()
        self._leave_all()

    async def _run(self) -> None:
        try:
            while True:
                await self._stir.wait()
                self._stir.clear()
                await self._round()
                self._ask_other_nodes()
                self._set_alarm()
        except LeaseLost as lost:
            log.info("room moved on", room=self.code, why=lost.why)
            self._leave_all()
        except StoreClosed:
            self._leave_all()
        except Exception:  # a bug outside the room's own code: let every session reconnect
            log.exception("room broke off", room=self.code)
            self._leave_all()
        finally:
            self.is_gone = True

    async def _round(self) -> None:
        """Take all queued facts, commit once, then do the effects."""
        try:
            batch = self._work()
            if batch.is_dirty:
                state = pack(self.room.record)
                await self._commit(state, batch)
                self._good = state
            if batch.is_over:
                await self.archive()
            self._perform(batch)
            for record in batch.races:
                self._tally.raced(record)
            self.on_batch()
        except (LeaseLost, StoreClosed):
            raise
        except Exception as fault:
            log.exception("room quarantined", room=self.code, game=self.room.record.game)
            await self._quarantine(fault)

    def _work(self) -> Batch:
        while self._facts:
            self.room.take(self._facts.popleft(), self._clock())
        now = self._clock()
        self.room.wake(now)
        return self.room.drain(now)

    async def _commit(self, state: bytes, batch: Batch) -> None:
        version, asked = self._version + 1, self._clock()
        await self._store.commit(
            Write(
                lease=self.lease,
                version=version,
                command=f"{self.lease.epoch}-{version}",
                state=state,
                game=self.room.record.number,
                entries=tuple(batch.entries),
                summary=self.summary() if batch.is_listed_anew else None,
            )
        )
        self._version = version
        self._tally.committed(self._clock() - asked)

    def summary(self) -> bytes:
        line = self.room.summary()
        return b"" if line is None else msgspec.json.encode(line)

    def _perform(self, batch: Batch) -> None:
        """Serve the players at once. Many watchers are served after them, a few per turn of the event loop."""
        watchers = self.room.presence.watchers
        if len(watchers) <= A_TURN and not self._crowd:
            self._serve(batch.effects)
            return
        self._serve([it for it in batch.effects if _session(it) not in watchers])
        self._crowd.extend(it for it in batch.effects if _session(it) in watchers)
        self._serve_crowd_soon()

    def _serve(self, effects: Sequence[Effect]) -> None:
        """Messages first, then the views, in shuffled order and with no await between them: no seat is served
        first in every race. Dropped sessions last.
        """  # fmt: skip
        shows: dict[SessionId, Show] = {}
        drops: list[Drop] = []
        for effect in effects:
            match effect:
                case Send(to, message):
                    if to in self._doors:
                        self._doors[to].send(message)
                case Show(to, view):
                    before = shows.get(to)
                    shows[to] = effect if before is None else Show(to, newer(before.view, view))
                case Drop(session):
                    drops.append(effect)
                    shows.pop(session, None)  # a dropped session gets no more views
        order = list(shows.values())
        random.shuffle(order)
        for show in order:
            door = self._doors.get(show.to)
            if door is not None:
                at = door.show(show.view)
                if show.view.race is not None and at != LATER:
                    self.room.take(Handed(show.to, show.view.race.key, at), self._clock())
        for drop in drops:
            door = self._doors.pop(drop.session, None)
            if door is not None:
                door.drop(drop.code)

    def _serve_crowd_soon(self) -> None:
        if self._crowd and self._crowd_turn is None:
            self._crowd_turn = asyncio.get_running_loop().call_soon(self._serve_crowd)

    def _serve_crowd(self) -> None:
        """The next effects for watchers, in order. Writing 64 frames takes about 1 ms."""
        self._crowd_turn = None
        self._serve([self._crowd.popleft() for _ in range(min(A_TURN, len(self._crowd)))])
        self._serve_crowd_soon()

    def forget(self, session: SessionId) -> None:
        """The session's connection has ended."""
        if self._doors.pop(session, None) is not None:
            self.post(Cut(session))

    async def archive(self) -> None:
        """Store the replay of the finished game."""
        record = self.room.record
        entries = [entry for _, entry in await self._store.log(self.code, record.number)]
        if not entries:
            return  # a later owner has stored the complete replay
        replay = as_replay(record.seed, entries)
        await self._store.archive(self.code, record.number, replay, KEEP_REPLAYS)

    async def _quarantine(self, fault: Exception) -> None:
        """A bug in this room: go back to the stored state, stop the room, keep its log. Other rooms continue."""
        self._tally.quarantined()
        record = unpack(self._good)
        record.quarantine = f"{type(fault).__name__}: {fault}"[:500]
        self.room = Room(record, self.room.game, self._clock(), self._entropy)
        self._facts.clear()
        await self._commit(pack(record), Batch(is_listed_anew=True))
        text = REASONS[Reason.QUARANTINED].sentence
        for door in self._doors.values():
            door.send(messages.Left(room=self.code, reason="quarantined", text=text))
            door.drop(None)
        self._doors.clear()

    def _leave_all(self) -> None:
        """The room has another owner: every session must reconnect."""
        for door in self._doors.values():
            door.drop(Close.RESTART)
        self._doors.clear()

    def _ask_other_nodes(self) -> None:
        """A held move waits for the clocks of other nodes: ask each node once per time."""
        for session, at in self.room.wants().items():
            door = self._doors.get(session)
            if self._wanted.get(session) != at and door is not None:
                self._wanted[session] = at
                door.want(at)

    def _set_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        at = self.room.wakes_at()
        if self._facts:
            self._stir.set()
        elif at is not None:
            delay = max(0, at - self._clock()) / 1_000_000
            self._alarm = asyncio.get_running_loop().call_later(delay, self._stir.set)
