"""The rooms of this node: creates and finds them, renews their leases, adopts rooms of dead nodes."""

import asyncio
import functools
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import ParamSpec, TypeVar

import msgspec
import structlog

from photofinish.bots.house import HouseBots
from photofinish.bots.time_slices import TimeSlices
from photofinish.engine import AnyGame, Micros, Seat
from photofinish.node.actor import RoomActor
from photofinish.node.clock import clock
from photofinish.node.listing import Listing
from photofinish.node.metrics_port import MetricsPort
from photofinish.node.placement import less_loaded_node, successor
from photofinish.node.replay_views import ReplayViews
from photofinish.node.room_table import ANONYMOUS, Opener, RoomTable, patience
from photofinish.replay.replay import read_replay
from photofinish.replay.views import replay_views
from photofinish.room import record as records
from photofinish.room.core import Room
from photofinish.room.seats.lobby import RequestRefusal
from photofinish.store.ports import (
    RENEW_EVERY_MS,
    Condition,
    Lease,
    Membership,
    NodeId,
    OtherNode,
    RoomId,
    RoomStore,
    StoreClosed,
)
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason

log = structlog.get_logger(__name__)
P = ParamSpec("P")
T = TypeVar("T")

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Room codes: five letters without I and O, easy to read out."""
CODE_LENGTH = 5
CODE_LENGTHS = (CODE_LENGTH, 8)
"""Rooms of events have longer codes, so that they never collide with others."""
CLAIM_SECONDS = 600
"""A `create` whose answer was lost finds its room again for this time: an empty lobby is kept no longer."""
AT_A_TIME = 16
"""Rooms adopted at the same time: they share round trips to the store."""
GRACE = Micros(1_000_000)
"""How long only its successor may adopt a room without an owner."""


def _refused_when_closed(work: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """Refuse requests with DRAINING while the server stops."""

    @functools.wraps(work)
    async def call(*args: P.args, **more: P.kwargs) -> T:
        try:
            return await work(*args, **more)
        except StoreClosed:
            raise RequestRefusal(Reason.DRAINING) from None

    return call


class Directory:
    def __init__(
        self,
        store: RoomStore,
        node: NodeId,
        games: Mapping[str, AnyGame],
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        metrics: MetricsPort | None = None,
        membership: Membership | None = None,
        most_bots: int = 0,
    ) -> None:
        """Without a `membership` this is the only node. `most_bots`: per opener of rooms; 0: no limit."""
        self.games = dict(games)
        self._replay_views = ReplayViews()
        self.is_draining = False
        self.metrics = metrics or MetricsPort()
        self.on_death: Callable[[NodeId], None] = lambda _: None
        """Called for each node that is certainly dead."""
        self._store, self._node, self._entropy = store, node, entropy
        self._rooms = RoomTable(most_bots=most_bots)
        self._thinker, self._listing = TimeSlices(clock), Listing(store, clock, self.metrics)
        self._not_ours: set[RoomId] = set()
        """Rooms with rules that this release does not know."""
        self._unreadable: set[RoomId] = set()
        """Rooms with records that this release cannot read."""
        self._adopting: dict[RoomId, asyncio.Future[RoomActor | None]] = {}
        self._membership = membership
        self._reported = 0
        """The number of our rooms in the last report to the other nodes."""
        self._orphans: dict[RoomId, Micros] = {}
        """Rooms without an owner, and when we first saw that."""
        self._sent: Counter[OtherNode] = Counter()
        """Rooms given to each other node since its last report."""
        self._tasks: list[asyncio.Task[None]] = []

    def __len__(self) -> int:
        return len(self._rooms)

    @property
    def store_condition(self) -> Condition:
        """The condition of the store."""
        return self._store.condition

    def census(self) -> Counter[tuple[str, str]]:
        """How many rooms there are of each game in each phase."""
        return Counter((actor.room.record.game, actor.room.record.phase) for actor in self._rooms.actors())

    async def start(self) -> None:
        """Start to adopt rooms without an owner, and continue. A room that a player asks for comes first."""
        await self._report_membership()
        await self._drop_dead_nodes()
        self._tasks = [
            asyncio.create_task(self._every(RENEW_EVERY_MS / 1000, self._renew), name="renew leases"),
            asyncio.create_task(self._every(0.25, self._report_membership), name="report to the other nodes"),
            asyncio.create_task(self._every(0.1, self._drop_dead_nodes), name="bury dead nodes"),
            asyncio.create_task(self._every(0.25, self._adopt_orphans, at_once=True), name="adopt orphans"),
            asyncio.create_task(self._every(5.0, self._tidy), name="tidy rooms"),
        ]

    async def stop(self) -> None:
        """Release all rooms, so that another node or the next start can adopt them at once."""
        self.is_draining = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        actors = self._rooms.actors()
        self._rooms.clear()
        await asyncio.gather(*(actor.stop() for actor in actors))
        if self._membership is not None:
            await self._membership.leave()
        await asyncio.gather(*(self._store.release(actor.lease) for actor in actors))

    @_refused_when_closed
    async def create(
        self, request: messages.Create, opener: Opener = ANONYMOUS, claim: str = ""
    ) -> RoomActor:
        """A new room, still empty. `claim` finds it again (`claimed`). Raises `RequestRefusal`."""
        self._rooms.begin(opener)
        try:
            room, lease = await self._open(request, opener, claim)
            return self._house(room, lease, 0)
        finally:
            self._rooms.end(opener)

    def less_loaded_node(self) -> OtherNode | None:
        """The node that should own a new room; None: this node."""
        # Compare counts taken at the same time, or all nodes would offload at once.
        return (
            None
            if self._membership is None
            else less_loaded_node(self._reported, self._membership.other_nodes(), self._sent)
        )

    @_refused_when_closed
    async def claimed(self, claim: str) -> RoomId | None:
        """The room that a `create` with this claim has opened."""
        return await self._store.claimed(claim)

    @_refused_when_closed
    async def standing(self, key: str) -> bytes:
        """What is kept of the races of this public key. Empty: nothing."""
        return await self._store.standing(key) or b""

    @_refused_when_closed
    async def create_for(
        self, other_node: OtherNode, request: messages.Create, opener: Opener = ANONYMOUS, claim: str = ""
    ) -> RoomId:
        """A new room without an owner, for that node to adopt. Raises `RequestRefusal`."""
        self._rooms.begin(opener)
        try:
            self._sent[other_node] += 1
            _, lease = await self._open(request, opener, claim)
            await self._store.release(lease)
        finally:
            self._rooms.end(opener)
        return lease.room

    async def _open(self, request: messages.Create, opener: Opener, claim: str) -> tuple[Room, Lease]:
        game = self.games.get(request.game)
        if game is None:
            raise RequestRefusal(Reason.UNKNOWN_GAME)
        if self.is_draining:
            raise RequestRefusal(Reason.DRAINING)
        while True:
            code = RoomId("".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH)))
            room = Room.create(code, game, request, clock(), self._entropy)
            room.record.opener = opener.mark
            summary = b"" if request.private else msgspec.json.encode(room.summary())
            lease = await self._store.create(code, self._node, records.pack(room.record), summary)
            if lease is not None and claim and await self._store.claim(claim, code, CLAIM_SECONDS):
                # The same request was sent again while the first was in progress.
                await self._store.remove(lease)
                raise RequestRefusal(Reason.ELSEWHERE)
            if lease is not None:
                log.info("room opened", room=code, game=game.key)
                return room, lease

    @_refused_when_closed
    async def open_for_event(self, record: records.RoomRecord, other_node: OtherNode | None = None) -> bool:
        """A room with this code, here or for another node to adopt. False: it exists already (T21)."""
        room = Room(record, self.games[record.game], clock(), self._entropy)
        lease = await self._store.create(RoomId(record.code), self._node, records.pack(record), b"")
        if lease is None:
            return False
        if other_node is None:
            self._house(room, lease, 0)
        else:
            self._sent[other_node] += 1
            await self._store.release(lease)
        return True

    @_refused_when_closed
    async def find(self, code: str) -> RoomActor | None:
        """The room with this code, adopted if nobody owns it. None: it is not here. Raises `RequestRefusal`."""
        room = room_of(code)
        if room is None:
            raise RequestRefusal(Reason.NO_SUCH_ROOM)
        if (here := self.local(room)) is not None:
            return here
        if room in self._unreadable:
            raise RequestRefusal(Reason.QUARANTINED)
        adopted = await self._adopt(room) if self._may_adopt(room) else None
        if room in self._unreadable:
            raise RequestRefusal(Reason.QUARANTINED)
        # Between two owners a room has none for a moment, but it exists: the caller can look again.
        if adopted is None and not await self._store.exists(room):
            raise RequestRefusal(Reason.NO_SUCH_ROOM)
        return adopted

    def local(self, room: RoomId) -> RoomActor | None:
        """The room, if this node owns it."""
        actor = self._rooms.get(room)
        return None if actor is None or actor.is_gone else actor

    def arrival(self, room: RoomId) -> asyncio.Future[RoomActor | None] | None:
        """The adoption of this room, if it has begun and not ended."""
        return self._adopting.get(room)

    @_refused_when_closed
    async def owner(self, room: RoomId) -> NodeId | None:
        """The node that owns this room now."""
        return await self._store.owner(room)

    @_refused_when_closed
    async def listing(self, asked: messages.Rooms) -> messages.RoomList:
        """A page of the public rooms of all nodes."""
        return await self._listing.page(asked)

    @_refused_when_closed
    async def replay(self, code: str, number: int) -> bytes | None:
        """The replay of a finished game at that table."""
        room = room_of(code)
        return None if room is None else await self._store.replay(room, number)

    async def replay_views(self, code: str, number: int, seat: int | None) -> bytes | None:
        """A finished game as that seat saw it, as JSON. Raises `QueueFull` if too many wait for such pages."""
        raw = await self.replay(code, number)
        if raw is None:
            return None
        if seat is not None and all(seat >= game.seats.stop for game in self.games.values()):
            seat = None  # no seat of any game: a spectator
        try:
            return await self._replay_views.get(raw, seat, lambda: _views(raw, self.games, seat))
        except ValueError:  # a game that this server no longer has
            return None

    def _house(self, room: Room, lease: Lease, version: int) -> RoomActor:
        actor = RoomActor(room, lease, version, self._store, clock, self._entropy, self.metrics)
        HouseBots(actor, clock, self._entropy, self._thinker)
        self._rooms.put(actor)
        actor.start()
        return actor

    async def _adopt(self, room: RoomId) -> RoomActor | None:
        """At most one adoption of a room at a time on this node, and none of a room that is here.

        Our lease may have expired while the store was away, and another node may hand the room to us. A second
        adoption would leave the sessions of the first with an actor that gets no more facts.
        """
        if (here := self.local(room)) is not None:
            return here
        if room in self._unreadable:
            return None
        under_way = self._adopting.get(room)
        if under_way is None:
            under_way = asyncio.ensure_future(self._adopt_once(room))
            self._adopting[room] = under_way
            under_way.add_done_callback(lambda _: self._adopting.pop(room, None))
        return await asyncio.shield(under_way)

    async def _adopt_once(self, room: RoomId) -> RoomActor | None:
        if self.is_draining:
            return None
        taken = await self._store.acquire(room, self._node)
        if taken is None:
            return None
        lease, saved = taken
        try:
            record = records.unpack(saved.state)
        except records.Unreadable as fault:
            await self._leave_alone(lease, str(fault))
            return None
        game = self.games.get(record.game)
        if game is None or (record.phase == "playing" and not game.plays(record.rules)):
            log.warning(
                "room not adopted: this node has other rules", room=room, game=record.game, rules=record.rules
            )
            self._not_ours.add(room)
            await self._store.release(lease)
            return None
        try:
            adopted = Room(record, game, clock(), self._entropy)
        except Exception as fault:
            log.exception("room quarantined", room=room, game=record.game)
            record.quarantine = f"{type(fault).__name__}: {fault}"[:500]
            adopted = Room(record, game, clock(), self._entropy)
        actor = RoomActor(adopted, lease, saved.version, self._store, clock, self._entropy, self.metrics)
        household = HouseBots(actor, clock, self._entropy, self._thinker)
        if record.phase == "playing" and adopted.bots() and not record.quarantine:
            entries = await self._store.log(room, record.number)
            await household.remember(self.games, [entry for _, entry in entries])
        if record.phase == "over" and await self._store.replay(room, record.number) is None:
            await actor.archive()  # its owner died after the last commit and before this
        self._rooms.put(actor)
        actor.start()
        log.info("room adopted", room=room, game=record.game, phase=record.phase)
        return actor

    async def _leave_alone(self, lease: Lease, why: str) -> None:
        """Leave an unreadable record unchanged. Another release may read it."""
        log.error("room cannot be read", room=lease.room, why=why)
        self.metrics.unreadable("room")
        self._unreadable.add(lease.room)
        await self._store.release(lease)

    async def adopt_handed_over(self, room: RoomId) -> None:
        """Another node has handed this room to us."""
        await self._adopt(room)

    def successor(self, room: RoomId) -> NodeId:
        """The node that should adopt this room, if it has no owner."""
        other_nodes = () if self._membership is None else self._membership.other_nodes()
        return successor(room, {self._node, *(it.node for it in other_nodes if it.is_open)})

    def _may_adopt(self, room: RoomId) -> bool:
        """Whether we are its successor, or the successor's time is over."""
        known = self._orphans.get(room)
        return self.successor(room) == self._node or (known is not None and clock() - known > GRACE)

    async def _adopt_orphans(self) -> None:
        now = clock()
        self._orphans = {room: self._orphans.get(room, now) for room in await self._store.orphans()}
        ours = [
            room
            for room in self._orphans
            if room not in self._not_ours | self._unreadable
            and self.local(room) is None
            and self._may_adopt(room)
        ]
        for first in range(0, len(ours), AT_A_TIME):
            await asyncio.gather(*(self._adopt(room) for room in ours[first : first + AT_A_TIME]))

    async def _report_membership(self) -> None:
        if self._membership is not None:
            self._reported = len(self)
            await self._membership.report(self._reported, is_open=not self.is_draining)
            self._sent = Counter({it: self._sent[it] for it in self._membership.other_nodes()})

    async def _drop_dead_nodes(self) -> None:
        """Free the rooms of nodes that died on this machine, without waiting for their leases to expire."""
        dead = {} if self._membership is None else await self._membership.dead()
        for node, is_ours in dead.items():
            if is_ours:
                freed = await self._store.reclaim(node)
                log.info("rooms of a dead node are free", node=node, rooms=len(freed))
            self.on_death(node)

    async def _renew(self) -> None:
        for room in await self._store.renew([actor.lease for actor in self._rooms.actors()]):
            lost = self._rooms.pop(room)
            if lost is not None:
                log.info("room moved on", room=room, why="lease lost")
                await lost.move_on()

    async def _tidy(self) -> None:
        """Remove rooms that have had no connection for long, or that all players have left."""
        now = clock()
        for actor in self._rooms.actors():
            if actor.is_gone:
                self._rooms.pop(actor.code)
                continue
            since = actor.room.alone_since
            longest = patience(actor.room.record, is_crowded=self._rooms.is_crowded)
            if since is not None and now - since > longest:
                self._rooms.pop(actor.code)
                await actor.stop()
                await self._store.remove(actor.lease)
                log.info("room closed", room=actor.code)

    async def _every(self, seconds: float, work: Callable[[], object], *, at_once: bool = False) -> None:
        pause = 0 if at_once else seconds
        while True:
            await asyncio.sleep(pause)
            pause = seconds
            try:
                await work()  # type: ignore[misc]  # always one of the coroutines above
            except StoreClosed:
                return
            except Exception:
                log.exception("a regular task of the directory failed", work=getattr(work, "__name__", "?"))


def room_of(code: str) -> RoomId | None:
    """A code as people write it. None, and no trip to the store, if it cannot be a code."""
    room = code.strip().upper()
    return RoomId(room) if len(room) in CODE_LENGTHS and set(room) <= set(LETTERS) else None


def _views(raw: bytes, games: Mapping[str, AnyGame], seat: int | None) -> bytes:
    return msgspec.json.encode(replay_views(read_replay(raw), games, None if seat is None else Seat(seat)))
