"""The events that this node has read, each folded from its log. Entries are stored before they are shown (T15)."""

import asyncio
import contextlib
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field

import structlog

from photofinish.store.events import RedisEvents
from photofinish.tournament.log import chain
from photofinish.tournament.log.entries import AnyEntry, Edited, Marked
from photofinish.tournament.state.fold import after
from photofinish.tournament.state.model import State

log = structlog.get_logger(__name__)

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
CODE_LENGTH = 6
HASH = 32
MOST_HELD = 600
"""Events in memory: all 500 that may be under way, and some more."""
MOST_OVER = 32
"""Of those, events that are over. They do not change, and are read from the store again if somebody asks."""
OF_SERVER = ("director", "clock")
OVER = frozenset({"sealed", "cancelled"})
REST = 0.1
"""Seconds between two readings of all events that requests have caused."""
Decide = Callable[[State], Sequence[AnyEntry]]


def is_event_code(code: str) -> bool:
    return len(code) == CODE_LENGTH and set(code) <= set(LETTERS)


class NoSuchEvent(Exception):  # noqa: N818 - a fact
    """There is no event with that code."""


class Fenced(Exception):  # noqa: N818 - a fact: the stale writer stops (T16)
    """Another node directs this event now."""


@dataclass(slots=True)
class LoadedEvent:
    code: str
    secret: bytes
    file: bytes
    state: State
    entries: list[AnyEntry] = field(default_factory=list)
    lines: list[chain.ChainLine] = field(default_factory=list)
    head: bytes = chain.GENESIS
    by_officials: int = 0
    """Entries made by requests of organisers and referees."""
    edits: int = 0
    """How often its file was replaced. These entries are the longest."""


class LoadedEvents:
    def __init__(self, store: RedisEvents) -> None:
        self.store = store
        self._held: OrderedDict[str, LoadedEvent] = OrderedDict()
        """The one read last is at the end."""
        self._reading: asyncio.Task[None] | None = None
        """The newest reading of all events that has begun."""
        self._next_reading: asyncio.Task[None] | None = None
        self._locks: dict[str, asyncio.Lock] = {}
        self._users: Counter[str] = Counter()
        """By code: who has its lock or waits for it."""

    async def create(self, code: str, secret: bytes, file: bytes, first: Sequence[AnyEntry]) -> bool:
        """False: the code is taken."""
        at = await self.store.now()
        head, raw = chain.GENESIS, []
        for number, it in enumerate(first):
            body, head = chain.write(chain.stamped(it, number, at, 0), head)
            raw.append(head + body)
        return await self.store.create(code, secret, file, raw)

    def held(self, code: str) -> LoadedEvent | None:
        """The event as this node last read it."""
        return self._held.get(code)

    def all_held(self) -> list[LoadedEvent]:
        """All events in memory, each as this node last read it."""
        return list(self._held.values())

    async def with_room(self, room: str) -> LoadedEvent | None:
        """The event that is not over and has this room in its log, as it is stored now; None if there is none.

        Only a room that is in no known event makes it read all of them, at most once per `REST` for all requests
        together: to read 500 events for each request took 500 calls of Redis.
        """
        found = self._known(room)
        if found is None:  # it has just been opened, or this node has just started
            await self._all_read_again()
            found = self._known(room)
        if found is not None:
            with contextlib.suppress(NoSuchEvent):
                return await self.read(found)
        return None

    def _known(self, room: str) -> str | None:
        held = self._held.values()
        return next((it.code for it in held if room in it.state.rooms and it.state.status not in OVER), None)

    async def _all_read_again(self) -> None:
        """Wait for a reading of all events that begins after this call. Requests at the same time share it."""
        if self._next_reading is None:
            self._next_reading = asyncio.create_task(self._read_all(self._reading), name="read all events")
        await asyncio.shield(self._next_reading)

    async def _read_all(self, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await asyncio.wait({before})
            await asyncio.sleep(REST)
        self._reading, self._next_reading = self._next_reading, None
        for code in await self.store.codes():
            with contextlib.suppress(NoSuchEvent):
                await self.read(code)

    async def read(self, code: str) -> LoadedEvent:
        """The event as it is stored now. Raises `NoSuchEvent`."""
        async with self._locked(code):
            return await self._read(code)

    async def commit(
        self, code: str, decide: Decide, *, epoch: int = 0, file: bytes = b"", in_thread: bool = False
    ) -> LoadedEvent:
        """Store what `decide` returns for the newest state. If another writer was first, `decide` is called again.

        `in_thread`: run `decide` in a thread, because it may take long. States are frozen, so a thread may read them.
        Raises what `decide` raises, `NoSuchEvent`, `Fenced`.
        """
        async with self._locked(code):
            while True:
                held = await self._read(code)
                made = await asyncio.to_thread(decide, held.state) if in_thread else decide(held.state)
                if not made:
                    return held
                at = await self.store.now()
                head, raw, state = held.head, [], held.state
                for number, it in enumerate(made, start=len(held.lines)):
                    entry = chain.stamped(it, number, at, state.last_at)
                    body, head = chain.write(entry, head)
                    state = after(state, chain.parse(body))  # never store an entry that the fold refuses
                    raw.append(head + body)
                answer = await self.store.append(code, len(held.lines), raw, epoch=epoch, file=file)
                if answer == "behind" and await self._is_ours(code, len(held.lines), raw[0]):
                    answer = "stored"
                if answer == "stored":
                    if file:
                        held.file = file
                    return await self._read(code)
                if answer == "fenced":
                    raise Fenced(code)
                if answer == "gone":
                    raise NoSuchEvent(code)

    async def _is_ours(self, code: str, number: int, raw: bytes) -> bool:
        """Is this entry stored already? Then Redis's answer was lost and other entries followed. Deciding again
        would do it twice. The hash covers all entries before it, and its time.
        """
        stored = await self.store.log(code, number)
        return bool(stored) and stored[0] == raw

    @contextlib.asynccontextmanager
    async def _locked(self, code: str) -> AsyncIterator[None]:
        """One lock per event. No lock is kept for a code without an event."""
        if not is_event_code(code):
            raise NoSuchEvent(code)
        self._users[code] += 1
        try:
            async with self._locks.setdefault(code, asyncio.Lock()):
                yield
        finally:
            self._users[code] -= 1
            if not self._users[code]:
                del self._users[code], self._locks[code]
                self._forget_some()

    def _forget_some(self) -> None:
        """Forget the events that were read longest ago, finished ones first. Never one that is in use."""
        if len(self._held) <= MOST_OVER:
            return
        idle = [code for code in self._held if code not in self._users]
        over = [code for code in idle if self._held[code].state.status in OVER]
        for code in over[: max(0, len(over) - MOST_OVER)]:
            del self._held[code]
        for code in idle:
            if len(self._held) <= MOST_HELD:
                break
            self._held.pop(code, None)

    async def _read(self, code: str) -> LoadedEvent:
        held = self._held.get(code)
        fresh = await self.store.log(code, len(held.lines) if held else 0)
        if held is None:
            kept = await self.store.secret_and_file(code)
            if kept is None or not fresh:
                raise NoSuchEvent(code)
            first = chain.parse(fresh[0][HASH:])
            held = LoadedEvent(code, *kept, after(None, first))
            self._note(held, fresh[0], first)
            fresh = fresh[1:]
            self._held[code] = held
        for raw in fresh:
            entry = chain.parse(raw[HASH:])
            held.state = after(held.state, entry)
            self._note(held, raw, entry)
        self._held.move_to_end(code)
        return held

    @staticmethod
    def _note(held: LoadedEvent, raw: bytes, entry: AnyEntry) -> None:
        held.head = raw[:HASH]
        held.entries.append(entry)
        is_own = entry.by in (*OF_SERVER, getattr(entry, "key", "")) or isinstance(entry, Marked)
        held.by_officials += not is_own
        held.edits += isinstance(entry, Edited)
        held.lines.append(chain.ChainLine(held.head.hex(), raw[HASH:].decode()))
