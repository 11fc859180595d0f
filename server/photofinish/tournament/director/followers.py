"""T67: connections that follow an event get its complete parts, then each change. A message is encoded once for all."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from time import perf_counter
from typing import TypeAlias

import structlog

from photofinish.room.seats.lobby import RequestRefusal
from photofinish.store.ports import StoreClosed
from photofinish.tournament.director.calls import FollowerPort
from photofinish.tournament.director.loaded_events import LoadedEvent, LoadedEvents, NoSuchEvent
from photofinish.tournament.people.roles import is_official
from photofinish.tournament.reports.live import SLOW, Rows, changed, part_rows
from photofinish.tournament.state.model import State
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason

log = structlog.get_logger(__name__)

EVERY = 0.1
"""Seconds between two messages to one follower. With four per second (T67) the wait alone would have a 95th percentile
of 237 ms, more than the 200 ms that T71 allows."""
SLOW_SHARE = 5
"""A slow part is computed again only after its computing time multiplied by this."""
ROWS_PER_SECOND = 512 * 512
"""And only when its last change has been sent: one result can change the rank of 512, and 512 may follow."""
MOST = 4

PartKey: TypeAlias = tuple[str, bool]
"""A part, and whether it is the officials' form of it."""
Choice: TypeAlias = frozenset[PartKey]
OFFICIAL: PartKey = ("disputes", True)


@dataclass
class FollowedEvent:
    """One event that somebody follows: the rows as they were sent last, and who follows which parts."""

    code: str
    seq: int = 0
    rows: dict[PartKey, Rows] = field(default_factory=dict)
    groups: dict[Choice, dict[FollowerPort, str]] = field(default_factory=dict)
    """By the parts they follow: the followers that get the same message, with the key of each ("" if it has none)."""
    due: dict[PartKey, float] = field(default_factory=dict)
    """When a slow part may be computed again."""
    stale: set[PartKey] = field(default_factory=set)
    """Parts that are older than `seq`, or whose notes changed without an entry of the log."""
    shared_addresses: frozenset[str] = frozenset()
    """Who shares an address at a table, for officials (T49)."""
    officials: frozenset[str] = frozenset()
    """The keys of the officials when the rows were sent last."""


def _officials(state: State) -> frozenset[str]:
    return frozenset((*state.organisers, *state.referees))


def _choice(parts: Iterable[str], *, is_official: bool) -> Choice:
    return frozenset((part, is_official and part == "disputes") for part in parts)


def _whole(live: FollowedEvent, choice: Choice) -> messages.EventNews:
    parts = {part[0]: messages.PartRows(rows=live.rows[part]) for part in sorted(choice)}
    return messages.EventNews(event=live.code, seq=live.seq, from_=0, parts=parts)


class Followers:
    def __init__(self, loaded: LoadedEvents) -> None:
        self._loaded = loaded
        self._live: dict[str, FollowedEvent] = {}
        self._followed: dict[FollowerPort, set[str]] = {}
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="event followers")

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def follow(
        self, port: FollowerPort, key: str, asked: messages.Follow
    ) -> tuple[messages.EventGot, messages.EventNews | None]:
        """The answer, and the complete parts; None if the follower has the newest already. Raises `RequestRefusal`."""
        code = asked.event.upper()
        if len(self._followed.get(port, set()) - {code}) >= MOST:
            raise RequestRefusal(Reason.TOO_MANY_FOLLOWED)
        asks_notes = bool(key) and "disputes" in asked.parts
        shared_addresses = await self._loaded.store.shared_addresses(code) if asks_notes else frozenset()
        try:
            held = await self._loaded.read(code)
        except NoSuchEvent:
            raise RequestRefusal(Reason.NO_SUCH_EVENT) from None
        live = self._live.setdefault(
            code, FollowedEvent(code, len(held.lines), officials=_officials(held.state))
        )
        self._show(live, held)  # first update the others: a new follower starts from the same rows
        choice = _choice(asked.parts, is_official=is_official(held.state, key))
        if OFFICIAL in choice and shared_addresses != live.shared_addresses:
            live.shared_addresses = shared_addresses
            live.stale |= {OFFICIAL} & live.rows.keys()
        for part in choice - live.rows.keys():
            live.rows[part] = part_rows(
                held.state, part[0], is_official=part[1], shared_addresses=live.shared_addresses
            )
        self._drop(port, code)
        self._live[code] = live  # it may have been its only follower
        live.groups.setdefault(choice, {})[port] = key
        self._followed.setdefault(port, set()).add(code)
        got = messages.EventGot(event=code, state=held.state.status, entries=len(held.lines))
        if asked.seq == live.seq and not live.stale & choice:
            return got, None
        return got, _whole(live, choice)

    def unfollow(self, port: FollowerPort, code: str) -> None:
        self._drop(port, code.upper())

    def connection_closed(self, port: FollowerPort) -> None:
        """The connection has ended."""
        for code in tuple(self._followed.get(port, ())):
            self._drop(port, code)

    def _drop(self, port: FollowerPort, code: str) -> None:
        live, followed = self._live.get(code), self._followed.get(port, set())
        if code not in followed or live is None:
            return
        followed.discard(code)
        if not followed:
            self._followed.pop(port, None)
        for choice, group in tuple(live.groups.items()):
            group.pop(port, None)
            if not group:
                del live.groups[choice]
        if not live.groups:
            del self._live[code]

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            for live in tuple(self._live.values()):
                try:
                    await self._read_shared_addresses(live)
                    self._show(live, await self._loaded.read(live.code))
                except NoSuchEvent:
                    continue
                except StoreClosed:
                    return
                except Exception:
                    log.exception("followers of an event could not be served", code=live.code)

    async def _read_shared_addresses(self, live: FollowedEvent) -> None:
        if any(OFFICIAL in choice for choice in live.groups):
            shared_addresses = await self._loaded.store.shared_addresses(live.code)
            if shared_addresses != live.shared_addresses:
                live.shared_addresses = shared_addresses
                live.stale.add(OFFICIAL)

    def _show(self, live: FollowedEvent, held: LoadedEvent) -> None:
        """Send what has changed since the last time."""
        if len(held.lines) == live.seq and not live.stale:
            return
        moved = self._appointed(live, held)
        wanted = {part for choice in live.groups for part in choice}
        live.rows = {part: rows for part, rows in live.rows.items() if part in wanted}
        news: dict[PartKey, messages.PartRows] = {}
        for part in wanted:
            rows = self._rows(live, held, part)
            fresh, gone = changed(live.rows[part], rows)
            live.rows[part] = rows
            if fresh and part in live.due:
                readers = sum(len(group) for choice, group in live.groups.items() if part in choice)
                live.due[part] = max(live.due[part], perf_counter() + len(fresh) * readers / ROWS_PER_SECOND)
            if fresh or gone:
                news[part] = messages.PartRows(rows=fresh, gone=gone)
        before, live.seq = live.seq, len(held.lines)
        if before == live.seq and not news:
            return
        for choice, group in live.groups.items():
            parts = {part[0]: news[part] for part in sorted(choice) if part in news}
            message = messages.EventNews(event=live.code, seq=live.seq, from_=before, parts=parts)
            for port in tuple(group):
                port.send(_whole(live, choice) if port in moved else message)

    def _appointed(self, live: FollowedEvent, held: LoadedEvent) -> set[FollowerPort]:
        """T2: rights are those at the moment of the message. A new official sees open disputes from now on,
        and a removed one does not. Returns the followers that get their parts complete.
        """
        moved: set[FollowerPort] = set()
        now = _officials(held.state)
        if now == live.officials:
            return moved
        live.officials = now
        for choice, group in tuple(live.groups.items()):
            for port, key in tuple(group.items()):
                wanted = _choice([part for part, _ in choice], is_official=key in now)
                if wanted != choice:
                    del group[port]
                    live.groups.setdefault(wanted, {})[port] = key
                    moved.add(port)
            if not group:
                del live.groups[choice]
        for part in {part for choice in live.groups for part in choice} - live.rows.keys():
            live.rows[part] = part_rows(
                held.state, part[0], is_official=part[1], shared_addresses=live.shared_addresses
            )
        return moved

    def _rows(self, live: FollowedEvent, held: LoadedEvent, part: PartKey) -> Rows:
        name, official = part
        if name not in SLOW and part != OFFICIAL:
            return part_rows(held.state, name, is_official=official)
        began = perf_counter()
        if began < live.due.get(part, 0.0):
            live.stale.add(part)
            return live.rows[part]
        rows = part_rows(held.state, name, is_official=official, shared_addresses=live.shared_addresses)
        live.due[part] = began + SLOW_SHARE * (perf_counter() - began)
        live.stale.discard(part)
        return rows
