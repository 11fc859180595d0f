"""T69: everything about an event over HTTP, read-only, with an `ETag` by the length of its log."""

import asyncio
import http
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import parse_qs

import msgspec
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from photofinish.node.directory import Directory, room_of
from photofinish.tournament.course.due import ROOM_CODE
from photofinish.tournament.director.loaded_events import OVER, LoadedEvent, LoadedEvents, NoSuchEvent
from photofinish.tournament.director.page_cache import Page, PageCache
from photofinish.tournament.event_file import League
from photofinish.tournament.export.archive import packed
from photofinish.tournament.export.feeds import atom, ics
from photofinish.tournament.export.files import files_of
from photofinish.tournament.export.report import report
from photofinish.tournament.export.tables import COLUMNS, races, reactions
from photofinish.tournament.log import chain
from photofinish.tournament.log.entries import AnyEntry, GameResult, Marked, Ruled
from photofinish.tournament.reports import rows
from photofinish.tournament.scores.league import league_table
from photofinish.tournament.scores.ratings import Rating
from photofinish.tournament.scores.standings import standings
from photofinish.tournament.state.model import State

JSON = "application/json"
CALENDAR, ATOM = "text/calendar; charset=utf-8", "application/atom+xml; charset=utf-8"
MOST_ROWS = 5_000
"""Rows of events that are over which are kept for the list."""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""Policy of the report: one page with its own style and drawings, and nothing else."""
NOTHING = b"Nothing here.\n"
Query = dict[str, list[str]]


class EventPages:
    def __init__(self, loaded: LoadedEvents, directory: Directory) -> None:
        self._loaded, self._directory = loaded, directory
        self._cache = PageCache()
        self._over: dict[str, dict[str, Any]] = {}
        """The rows of events that are over. They do not change, and `LoadedEvents` does not keep all of them."""

    async def page(self, path: str, query: str, request: Request) -> Response | None:
        """None: not a page of an event."""
        parts = path.strip("/").split("/")
        if parts == ["api", "events"]:
            return await self._list(parse_qs(query))
        if len(parts) == 2 and parts[0] == "events" and parts[1].endswith((".ics", ".atom")):
            code, _, kind = parts[1].rpartition(".")
            return await self._feed(code, kind, request)
        if len(parts) >= 3 and parts[:2] == ["api", "replays"] and await self._is_sealed(parts[2]):
            text = b"Sealed until the last table of this deal is done.\n"  # T43
            return _reply(http.HTTPStatus.CONFLICT, text, "text/plain")
        if len(parts) < 3 or parts[:2] != ["api", "events"]:
            return None
        try:
            held = await self._loaded.read(parts[2].upper())
        except NoSuchEvent:
            return _reply(http.HTTPStatus.NOT_FOUND, b"No such event.\n", "text/plain")
        mark = f'"{len(held.lines)}"'
        if request.headers.get("If-None-Match") == mark:
            return _reply(http.HTTPStatus.NOT_MODIFIED, b"", JSON, mark)
        return await self._of_event(held, parts[3:], parse_qs(query), mark)

    async def _is_sealed(self, code: str) -> bool:
        """T43: a replay shows the deal, and others may still play it. The log also has rooms that no longer exist."""
        room = room_of(code)  # normalised as in the directory
        if room is None or len(room) != ROOM_CODE:
            return False
        held = await self._loaded.with_room(room)
        return held is not None and held.state.is_sealed(held.state.rooms[room][0])

    async def _list(self, query: Query) -> Response:
        found = []
        for code in await self._loaded.store.all_codes():
            row = await self._row(code)
            if all(query.get(word, [row[word]]) == [row[word]] for word in ("state", "game")):
                found.append(row)
        return _json(found, "")

    async def _row(self, code: str) -> dict[str, Any]:
        if code in self._over:
            return self._over[code]
        state = (await self._loaded.read(code)).state
        row = rows.info(state)
        if state.status in OVER and len(self._over) < MOST_ROWS:
            self._over[code] = row
        return row

    async def _of_event(self, held: LoadedEvent, parts: list[str], query: Query, mark: str) -> Response:
        name = "/".join(parts)
        if name == "league" and held.state.rules.league is not None:
            return _json(await self._league(held.state.rules.league), "")  # depends on other events too
        if name == "ratings":  # so do these
            return _json(await self._ratings(held.state, _number(query.get("number", [""])[0])), "")
        asked = tuple(_number(query.get(word, [""])[0]) for word in ("after", "from", "round", "number"))
        key = held.code, len(held.lines), name, asked
        if name == "export.zip":
            if held.state.status not in {"finished", "sealed", "cancelled"}:
                return _reply(http.HTTPStatus.CONFLICT, b"The event is not finished.\n", "text/plain")
            page = await self._cache.export(key, lambda: self._export(held))
        elif _is_page(parts):
            lines = tuple(held.lines[: shown(held.state, held.entries)])
            snapshot = Snapshot(held.state, held.head.hex(), lines, len(held.lines))
            page = await self._cache.page(key, lambda: _page(snapshot, parts, *asked))
        else:
            return _nothing()
        return _reply(page.status, page.body, page.kind, mark if page.status == http.HTTPStatus.OK else "")

    async def _ratings(self, state: State, number: int | None) -> list[dict[str, Any]]:
        """T66: what the ratings of people in this event's game are now; of all who have entered, or of one number."""
        asked = [it for it in state.entrants.values() if it.kind == "person" and number in {None, it.number}]
        kept = await self._loaded.store.ratings(state.rules.game, [it.key for it in asked])
        found = []
        for it in asked:
            raw = kept.get(it.key)
            rating = msgspec.msgpack.decode(raw, type=Rating) if raw else Rating()
            points, spread = rating.shown
            found.append(
                {
                    "number": it.number,
                    "key": it.key,
                    "rating": points,
                    "spread": spread,
                    "provisional": rating.is_provisional,
                }
            )
        return found

    async def _league(self, league: League) -> list[dict[str, Any]]:
        """T35: the table over the finished events of the league; unknown and running ones do not count yet."""
        ranks: list[dict[str, int]] = []
        names: dict[str, str] = {}
        for code in league.events:
            try:
                other = (await self._loaded.read(code.upper())).state
            except NoSuchEvent:
                continue
            names |= {it.key: it.name for it in other.entrants.values()}
            if other.status in {"finished", "sealed"}:
                ranks.append({other.numbers[row.number]: row.rank for row in standings(other)})
        # The last resort: fixed by the keys, the same for all.
        lots = {key: int(key[:8], 16) for key in names}
        return [
            msgspec.to_builtins(row) | {"name": names[row.key]} for row in league_table(league, ranks, lots)
        ]

    async def _export(self, held: LoadedEvent) -> Page:
        replays = {}
        for round_ in held.state.rounds:
            for table in round_.tables:
                for game in table.games:
                    raw = await self._directory.replay(game.room, 1) if game.head else None
                    if raw is not None:
                        replays[game.room] = raw
        lines = tuple(held.lines)
        body = await asyncio.to_thread(lambda: packed(files_of(held.file, lines, replays)))
        return Page(http.HTTPStatus.OK, body, "application/zip")

    async def _feed(self, code: str, kind: str, request: Request) -> Response:
        try:
            held = await self._loaded.read(code.upper())
        except NoSuchEvent:
            return _reply(http.HTTPStatus.NOT_FOUND, b"No such event.\n", "text/plain")
        mark = f'"{len(held.lines)}"'
        media = CALENDAR if kind == "ics" else ATOM
        if request.headers.get("If-None-Match") == mark:
            return _reply(http.HTTPStatus.NOT_MODIFIED, b"", media, mark)
        url = f"http://{request.headers.get('Host', 'localhost')}/api/events/{held.code}"
        state, entries = held.state, tuple(held.entries)  # a later commit may add to this list
        make = partial(ics, state, url) if kind == "ics" else partial(atom, state, entries, url)
        key = held.code, len(held.lines), kind, url
        page = await self._cache.page(key, lambda: Page(http.HTTPStatus.OK, make(), media))
        return _reply(page.status, page.body, page.kind, mark)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An event at the time of the request. It is frozen, so a thread may read it."""

    state: State
    head: str
    lines: tuple[chain.ChainLine, ...]
    """The log as far as it may be shown now."""
    entries: int
    """The length of the whole log."""


def shown(state: State, entries: Sequence[AnyEntry]) -> int:
    """How many entries of the log may be shown. A result names the races of its deal, a mark has the words of a player,
    and others may still play that deal: the shown log stops before the first of them in a sealed deal (T43) and
    continues when the deal is done.
    """
    if state.round is None or not state.is_sealed(state.round.number):
        return len(entries)
    now, public = state.round.number, state.round.public_upto
    return next(
        (at for at, it in enumerate(entries) if at >= public and _tells(state, it, now)), len(entries)
    )


def _tells(state: State, entry: AnyEntry, round_: int) -> bool:
    """Whether this entry reveals something about a deal of the round."""
    match entry:
        case GameResult(room=room):
            return room in state.rooms and state.rooms[room][0] == round_
        case Marked(round=number) | Ruled(round=number):
            return number == round_
        case _:
            return False


NAMES = frozenset(
    {"", "entrants", "standings", "bracket", "tables", "reactions", "disputes", "races", "log", "report"}
)


def _is_page(parts: list[str]) -> bool:
    return "/".join(parts) in NAMES or (len(parts) == 2 and parts[0] == "rounds")


def _page(
    it: Snapshot,
    parts: list[str],
    after: int | None,
    first: int | None,
    round_: int | None,
    number: int | None,
) -> Page:
    state = it.state
    match parts:
        case ["races"]:
            return _races(state, round_, number)
        case ["log"]:
            body = b"".join(msgspec.json.encode(line) + b"\n" for line in it.lines[first or 0 :])
            return Page(http.HTTPStatus.OK, body, "application/x-ndjson")
        case ["report"]:
            return Page(http.HTTPStatus.OK, report(state, it.head), "text/html; charset=utf-8")
        case ["rounds", text]:
            wanted = _number(text)
            if wanted is None or not 1 <= wanted <= len(state.rounds):
                return Page(http.HTTPStatus.NOT_FOUND, NOTHING, "text/plain")
            found: Any = rows.tables(state, wanted)
        case ["entrants"]:
            found = rows.entrants(state)
        case ["standings"]:
            found = rows.standing_rows(state, after)
        case ["bracket"]:
            found = rows.bracket(state)
        case ["tables"]:
            found = rows.tables(state, len(state.rounds))
        case ["reactions"]:
            found = [dict(zip(COLUMNS["reactions"], row, strict=True)) for row in reactions(state)]
        case ["disputes"]:
            found = rows.disputes(state)
        case _:
            found = rows.info(state) | {"head": it.head, "entries": it.entries}
    return Page(http.HTTPStatus.OK, msgspec.json.encode(found), JSON)


def _races(state: State, round_: int | None, number: int | None) -> Page:
    """All race lines, or those of one round or one entrant. The races of a sealed deal name its cards (T43)."""
    wanted = [it for it in state.rounds if round_ in {None, it.number}]
    if any(state.is_sealed(it.number) for it in wanted):
        return Page(
            http.HTTPStatus.CONFLICT, b"Sealed until the last table of this deal is done.\n", "text/plain"
        )
    numbers = {it.number for it in wanted}
    lines = [
        line
        for row in races(state)
        if (line := dict(zip(COLUMNS["races"], row, strict=True)))["round"] in numbers
        and number in {None, line["number"]}
    ]
    return Page(http.HTTPStatus.OK, msgspec.json.encode(lines), JSON)


def _number(text: str) -> int | None:
    """None if it is not a number, or too long: `int` accepts at most 4,300 digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _nothing() -> Response:
    return _reply(http.HTTPStatus.NOT_FOUND, NOTHING, "text/plain")


def _json(value: Any, mark: str) -> Response:
    return _reply(http.HTTPStatus.OK, msgspec.json.encode(value), JSON, mark)


def _reply(status: http.HTTPStatus, body: bytes, kind: str, mark: str = "") -> Response:
    headers = Headers(
        {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Cache-Control": "no-cache" if mark else "no-store",
            "X-Content-Type-Options": "nosniff",
            "Connection": "close",
        }
    )
    if mark:
        headers["ETag"] = mark
    if kind.startswith("text/html"):
        headers["Content-Security-Policy"] = POLICY
    return Response(status.value, status.phrase, headers, body)
