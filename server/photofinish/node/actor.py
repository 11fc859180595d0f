"""The shell of one room: passes facts to it, commits its changes, then sends its messages."""

import asyncio
import itertools
import random
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from operator import itemgetter
from typing import Protocol

import msgspec
import structlog

from photofinish.engine import AnyGame, Micros
from photofinish.engine.inputs import no_race
from photofinish.node.metrics_port import MetricsPort
from photofinish.replay.replay import as_replay
from photofinish.room.core import Room
from photofinish.room.effects import Batch, Drop, Effect, Send, Show
from photofinish.room.facts import Cut, Fact, Measured, SessionId
from photofinish.room.kept_standing import kept_of
from photofinish.room.record import pack, unpack
from photofinish.store.ports import Lease, LeaseLost, RoomId, RoomStore, StoreClosed, Write
from photofinish_protocol import messages
from photofinish_protocol.reasons import REASONS, Close, Reason
from photofinish_protocol.version import REMEMBERED

log = structlog.get_logger(__name__)

KEEP_REPLAYS = 30 * 24 * 3600
"""Seconds a replay is kept."""
KEEP_STANDINGS = 180 * 24 * 3600
"""Seconds the race standing of a player's key is kept after its last game."""


A_TURN = 24
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

    def await_clock(self, at: Micros) -> None:
        """A race waits for the clock of the session's node: send `Ticked` when it reaches `at`."""


def newer(older: messages.View, view: messages.View) -> messages.View:
    """The newer of two views, with the events of both."""
    return msgspec.structs.replace(view, last=(older.last + view.last)[-REMEMBERED:])


Shown = tuple[SessionId, messages.View]
MOST_ORDERED = 5
ORDERS: dict[int, tuple[Callable[[list[Shown]], Sequence[Shown]], ...]] = {
    count: tuple(itemgetter(*order) for order in itertools.permutations(range(count)))
    for count in range(2, MOST_ORDERED + 1)
}
"""All orders of two to five views."""


def shuffled(shows: list[Shown]) -> Sequence[Shown]:
    """In a random order. Up to five are shuffled with one random number: a call for each costs more than the rest."""
    count = len(shows)
    if 1 < count <= MOST_ORDERED:
        orders = ORDERS[count]
        return orders[int(random.random() * len(orders))](shows)  # noqa: S311 - fair, not secret
    random.shuffle(shows)
    return shows


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
        metrics: MetricsPort | None = None,
    ) -> None:
        self.room = room
        self.lease = lease
        self.is_gone = False
        self.on_batch: Callable[[], None] = lambda: None
        """Called after the first round, and after each one that changed the room's description. House bots use it to
        find their chairs."""
        self._is_first_round = True
        self._version = version
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._metrics = metrics or MetricsPort()
        self._ports: dict[SessionId, SessionPort] = {}
        self._wanted: dict[SessionId, Micros] = {}
        self._facts: deque[Fact] = deque()
        self._crowd: deque[Effect] = deque()
        """Effects for watchers that are not done yet, if there are many watchers."""
        self._crowd_turn: asyncio.Handle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        """None before the start: facts wait."""
        self._is_stirred = False
        """A round will begin in this iteration of the event loop or the next."""
        self._is_busy = False
        """A round is under way: facts that come meanwhile wait for the next."""
        self._alarm: asyncio.TimerHandle | None = None
        self._alarm_at = Micros(0)
        self._good = pack(room.record)
        self._task: asyncio.Task[None] | None = None

    @property
    def code(self) -> RoomId:
        return self.lease.room

    @property
    def game(self) -> AnyGame:
        return self.room.game

    @property
    def may_race(self) -> bool:
        """Whether a race is open or can open before the next deal."""
        return self.room.record.phase == "playing" and self.room.game.race is not no_race

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stir()

    def enter(self, session: SessionId, port: SessionPort, fact: Fact) -> None:
        """Add a session. Its port is kept until the room drops it or its connection ends."""
        self._ports[session] = port
        self.post(fact)

    def post(self, fact: Fact) -> None:
        if isinstance(fact, Measured) and not self._facts:
            self._measured(fact)
            return
        self._facts.append(fact)
        if not self._is_stirred and not self._is_busy:
            self._stir()

    def _measured(self, fact: Measured) -> None:
        """Note the path to a session. No round is run: each connection is measured once per second and twice per race.

        Only a held move can be waiting for it. Then the alarm may have to ring earlier.
        """
        self.room.measured(fact)
        if self.room.is_holding and not self._is_busy and not self.is_gone and self._loop is not None:
            self._wait()

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

    # A round: all queued facts, one commit, then the effects. It is made of callbacks, not of a task per room: a task
    # that waits for facts and for the commit costs two wake-ups per move, and memory in every idle room.

    def _stir(self) -> None:
        """Begin a round soon, after all facts that come in this iteration of the event loop."""
        if self._loop is not None and not self._is_stirred and not self._is_busy:
            self._is_stirred = True
            self._loop.call_soon(self._round)

    def _round(self) -> None:
        self._is_stirred = False
        if self._is_busy or self.is_gone:
            return
        self._is_busy = True
        try:
            batch = self._work()
            if batch.is_dirty:
                state, asked = pack(self.room.record), self._clock()
                self._store.commit_then(self._write(state, batch), partial(self._stored, batch, state, asked))
                return
        except Exception as fault:  # noqa: BLE001 - `_broke` logs it
            self._broke(fault)
        else:
            self._finish(batch)

    def _stored(self, batch: Batch, state: bytes, asked: Micros, fault: Exception | None) -> None:
        """The commit has its answer. Nothing of the batch was shown before."""
        if self.is_gone:
            return
        if fault is not None:
            self._broke(fault)
            return
        self._version += 1
        self._metrics.committed(self._clock() - asked)
        self._good = state
        if batch.is_over:
            self._task = asyncio.create_task(self._archive_first(batch), name=f"archive {self.code}")
        else:
            self._finish(batch)

    async def _archive_first(self, batch: Batch) -> None:
        """Store the replay before the end of the game is sent to anybody."""
        try:
            await self.archive()
        except Exception as fault:  # noqa: BLE001 - `_broke` logs it
            self._broke(fault)
        else:
            self._finish(batch)

    def _finish(self, batch: Batch) -> None:
        """Do the effects. Then begin the next round, or wait."""
        try:
            self._perform(batch)
            if batch.races:
                for record in batch.races:
                    self._metrics.raced(record)
            if batch.is_listed_again or self._is_first_round:
                self._is_first_round = False
                self.on_batch()
        except Exception as fault:  # noqa: BLE001 - `_broke` logs it
            self._broke(fault)
            return
        self._wait()

    def _wait(self) -> None:
        self._is_busy = False
        try:
            if wanted := self.room.awaited_clocks():
                self._ask_other_nodes(wanted)
            self._set_alarm()
        except Exception as fault:  # noqa: BLE001 - `_end` logs it
            self._end(fault)

    def _broke(self, fault: BaseException) -> None:
        """The round failed: stop the room here, or quarantine it if the fault is its own."""
        if isinstance(fault, LeaseLost | StoreClosed):
            self._end(fault)
        else:
            log.error("room quarantined", room=self.code, game=self.room.record.game, exc_info=fault)
            self._task = asyncio.create_task(self._quarantine(fault), name=f"quarantine {self.code}")

    def _end(self, fault: BaseException) -> None:
        """The room is not ours any more, or there is a bug outside its own code: every session must reconnect."""
        if isinstance(fault, LeaseLost):
            log.info("room moved on", room=self.code, why=fault.why)
        elif not isinstance(fault, StoreClosed):
            log.error("room actor failed", room=self.code, exc_info=fault)
        self._leave_all()
        self.is_gone = True

    def _work(self) -> Batch:
        facts, room = self._facts, self.room
        now = self._clock()
        while facts:
            room.take(facts.popleft(), now)
            now = self._clock()
        if room.is_due(now):
            room.wake(now)
        return room.drain(now)

    def _write(self, state: bytes, batch: Batch) -> Write:
        version = self._version + 1
        return Write(
            lease=self.lease,
            version=version,
            command=f"{self.lease.epoch}-{version}",
            state=state,
            game=self.room.record.number,
            entries=tuple(batch.entries),
            summary=self.summary() if batch.is_listed_again else None,
        )

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
        shows: dict[SessionId, messages.View] = {}
        drops: list[Drop] = []
        ports = self._ports
        for effect in effects:
            if isinstance(effect, Show):
                to = effect.to
                shows[to] = newer(shows[to], effect.view) if to in shows else effect.view
            elif isinstance(effect, Send):
                port = ports.get(effect.to)
                if port is not None:
                    port.send(effect.message)
            else:
                drops.append(effect)
                shows.pop(effect.session, None)  # a dropped session gets no more views
        for to, view in shuffled(list(shows.items())):
            port = ports.get(to)
            if port is not None:
                at = port.show(view)
                if view.race is not None and at != LATER:
                    self.room.handed(to, view.race.key, at, self._clock())
        for drop in drops:
            port = ports.pop(drop.session, None)
            if port is not None:
                port.drop(drop.code)

    def _serve_crowd_soon(self) -> None:
        if self._crowd and self._crowd_turn is None:
            self._crowd_turn = asyncio.get_running_loop().call_soon(self._serve_crowd)

    def _serve_crowd(self) -> None:
        """The next effects for watchers, in order. Writing 24 frames takes up to 1 ms; with 64 a turn
        of the event loop took 5.5 to 9 ms while a hundred watchers talked.
        """
        self._crowd_turn = None
        self._serve([self._crowd.popleft() for _ in range(min(A_TURN, len(self._crowd)))])
        self._serve_crowd_soon()

    def forget(self, session: SessionId) -> None:
        """The session's connection has ended."""
        if self._ports.pop(session, None) is not None:
            self.post(Cut(session))

    async def archive(self) -> None:
        """Store what is kept of the players with a key, and the replay of the finished game."""
        record = self.room.record
        entries = [entry for _, entry in await self._store.log(self.code, record.number)]
        if not entries:
            return  # a later owner has stored the complete replay
        # Before the log goes: a later owner that finds the log does all of this again, and it changes nothing.
        kept = kept_of(record).items()
        await asyncio.gather(*(self._store.keep_standing(key, it, KEEP_STANDINGS) for key, it in kept))
        # In a thread: for a long game it takes 9 ms, for which the other rooms would wait.
        replay = await asyncio.to_thread(as_replay, record.seed, entries)
        await self._store.archive(self.code, record.number, replay, KEEP_REPLAYS)

    async def _quarantine(self, fault: BaseException) -> None:
        """A bug in this room: go back to the stored state, stop the room, keep its log. Other rooms continue."""
        self._metrics.quarantined()
        record = unpack(self._good)
        record.quarantine = f"{type(fault).__name__}: {fault}"[:500]
        self.room = Room(record, self.room.game, self._clock(), self._entropy)
        self._facts.clear()
        try:
            await self._store.commit(self._write(pack(record), Batch(is_listed_again=True)))
        except Exception as worse:  # noqa: BLE001 - `_end` logs it
            self._end(worse)
            return
        self._version += 1
        text = REASONS[Reason.QUARANTINED].sentence
        for port in list(self._ports.values()):
            port.send(messages.Left(room=self.code, reason="quarantined", text=text))
            port.drop(None)
        self._ports.clear()
        self._wait()

    def _leave_all(self) -> None:
        """The room has another owner: every session must reconnect."""
        for port in self._ports.values():
            port.drop(Close.RESTART)
        self._ports.clear()

    def _ask_other_nodes(self, wanted: dict[SessionId, Micros]) -> None:
        """A held move waits for the clocks of other nodes: ask each node once per time."""
        for session, at in wanted.items():
            port = self._ports.get(session)
            if self._wanted.get(session) != at and port is not None:
                self._wanted[session] = at
                port.await_clock(at)

    def _set_alarm(self) -> None:
        """Set the timer for the room's next wake-up, or earlier. A timer that fires too early is set again.

        Most clocks are stopped by a move long before they expire, and a timer costs as much as a view.
        """
        if self._facts:
            self._stir()
            return
        at = self.room.wakes_at()
        if at is None or (self._alarm is not None and self._alarm_at <= at):
            return
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        delay = at - self._clock()
        if delay <= 0:
            self._stir()
            return
        self._alarm_at = at
        self._alarm = asyncio.get_running_loop().call_later(delay / 1_000_000, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        at = self.room.wakes_at()
        if at is not None and at <= self._clock():
            self._stir()
        else:
            self._set_alarm()
