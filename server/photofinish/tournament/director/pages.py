"""T69: everything about an event over HTTP, read-only, with an `ETag` by the length of its log."""

import asyncio
import http
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

import msgspec
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from photofinish.node.directory import Directory
from photofinish.tournament import rows
from photofinish.tournament.director.book import EventBook, HeldEvent, NoSuchEvent
from photofinish.tournament.due import ROOM_CODE
from photofinish.tournament.event_file import League
from photofinish.tournament.export.archive import packed
from photofinish.tournament.export.feeds import atom, ics
from photofinish.tournament.export.files import files_of
from photofinish.tournament.export.report import report
from photofinish.tournament.export.tables import COLUMNS, races, reactions
from photofinish.tournament.league import league_table
from photofinish.tournament.model import State
from photofinish.tournament.standings import standings

JSON = "application/json"
Query = dict[str, list[str]]


class EventPages:
    def __init__(self, book: EventBook, directory: Directory) -> None:
        self._book, self._directory = book, directory

    async def page(self, path: str, query: str, request: Request) -> Response | None:
        """None: not a page of an event."""
        parts = path.strip("/").split("/")
        if parts == ["api", "events"]:
            return await self._list(parse_qs(query))
        if len(parts) == 2 and parts[0] == "events" and parts[1].endswith((".ics", ".atom")):
            code, _, kind = parts[1].rpartition(".")
            return await self._feed(code, kind, request)
        if len(parts) >= 3 and parts[:2] == ["api", "replays"] and await self._is_sealed(parts[2].upper()):
            text = b"Sealed until the last table of this deal is done.\n"  # T43
            return _reply(http.HTTPStatus.CONFLICT, text, "text/plain")
        if len(parts) < 3 or parts[:2] != ["api", "events"]:
            return None
        try:
            held = await self._book.read(parts[2].upper())
        except NoSuchEvent:
            return _reply(http.HTTPStatus.NOT_FOUND, b"No such event.\n", "text/plain")
        mark = f'"{len(held.lines)}"'
        if request.headers.get("If-None-Match") == mark:
            return _reply(http.HTTPStatus.NOT_MODIFIED, b"", JSON, mark)
        return await self._of_event(held, parts[3:], parse_qs(query), mark)

    async def _is_sealed(self, room: str) -> bool:
        """T43: a replay tells the deal, and others may still play it. The log knows of rooms that are gone, too."""
        if len(room) != ROOM_CODE:
            return False
        for code in await self._book.store.codes():
            state = (await self._book.read(code)).state
            if room in state.rooms:
                round_, _, _ = state.rooms[room]
                return state.rules.is_duplicate and state.rounds[round_ - 1].status != "closed"
        return False

    async def _list(self, query: Query) -> Response:
        found = []
        for code in await self._book.store.codes():
            state = (await self._book.read(code)).state
            if query.get("state", [state.status]) != [state.status]:
                continue
            if query.get("game", [state.rules.game]) == [state.rules.game]:
                found.append(rows.info(state))
        return _json(found, "")

    async def _of_event(self, held: HeldEvent, parts: list[str], query: Query, mark: str) -> Response:
        state = held.state
        simple: dict[str, Callable[[], Any]] = {
            "": lambda: rows.info(state) | {"head": held.head.hex(), "entries": len(held.lines)},
            "entrants": lambda: rows.entrants(state),
            "standings": lambda: rows.standing_rows(state, _upto(query)),
            "bracket": lambda: rows.bracket(state),
            "tables": lambda: rows.tables(state, len(state.rounds)),
            "reactions": lambda: [
                dict(zip(COLUMNS["reactions"], row, strict=True)) for row in reactions(state)
            ],
            "disputes": lambda: rows.disputes(state),
        }
        name = "/".join(parts)
        if name in simple:
            return _json(simple[name](), mark)
        if len(parts) == 2 and parts[0] == "rounds" and parts[1].isascii() and parts[1].isdigit():
            number = int(parts[1])
            if 1 <= number <= len(state.rounds):
                return _json(rows.tables(state, number), mark)
        if name == "races":
            return _races(state, query, mark)
        if name == "league" and state.rules.league is not None:
            return _json(await self._league(state.rules.league), "")  # follows other events too
        if name == "log":
            first = query.get("from", ["0"])[0]
            lines = held.lines[int(first) if first.isascii() and first.isdigit() else 0 :]
            body = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
            return _reply(http.HTTPStatus.OK, body, "application/x-ndjson", mark)
        if name == "report":
            page = report(state, held.head.hex())
            return _reply(http.HTTPStatus.OK, page, "text/html; charset=utf-8", mark)
        if name == "export.zip":
            if state.status not in {"finished", "sealed", "cancelled"}:
                return _reply(http.HTTPStatus.CONFLICT, b"The event is not finished.\n", "text/plain")
            return _reply(http.HTTPStatus.OK, await self._export(held), "application/zip", mark)
        return _reply(http.HTTPStatus.NOT_FOUND, b"Nothing here.\n", "text/plain")

    async def _league(self, league: League) -> list[dict[str, Any]]:
        """T35: the table over the finished events of the league; unknown and running ones do not count yet."""
        ranks: list[dict[str, int]] = []
        names: dict[str, str] = {}
        for code in league.events:
            try:
                other = (await self._book.read(code.upper())).state
            except NoSuchEvent:
                continue
            names |= {it.key: it.name for it in other.entrants.values()}
            if other.status in {"finished", "sealed"}:
                ranks.append({other.numbers[row.number]: row.rank for row in standings(other)})
        lots = {
            key: int(key[:8], 16) for key in names
        }  # the last resort: fixed by the keys, the same for all
        return [
            msgspec.to_builtins(row) | {"name": names[row.key]} for row in league_table(league, ranks, lots)
        ]

    async def _export(self, held: HeldEvent) -> bytes:
        replays = {}
        for round_ in held.state.rounds:
            for table in round_.tables:
                for game in table.games:
                    raw = await self._directory.replay(game.room, 1) if game.head else None
                    if raw is not None:
                        replays[game.room] = raw
        return await asyncio.to_thread(lambda: packed(files_of(held.file, held.lines, replays)))

    async def _feed(self, code: str, kind: str, request: Request) -> Response:
        try:
            held = await self._book.read(code.upper())
        except NoSuchEvent:
            return _reply(http.HTTPStatus.NOT_FOUND, b"No such event.\n", "text/plain")
        url = f"http://{request.headers.get('Host', 'localhost')}/api/events/{held.code}"
        if kind == "ics":
            return _reply(http.HTTPStatus.OK, ics(held.state, url), "text/calendar; charset=utf-8")
        feed = atom(held.state, held.entries, url)
        return _reply(http.HTTPStatus.OK, feed, "application/atom+xml; charset=utf-8")


def _races(state: State, query: Query, mark: str) -> Response:
    """All race lines, or those of one round. A sealed deal's races name its cards by their keys (T43)."""
    asked = query.get("round", [""])[0]
    number = int(asked) if asked.isascii() and asked.isdigit() else None
    wanted = [it for it in state.rounds if number in {None, it.number}]
    if state.rules.is_duplicate and any(it.status != "closed" for it in wanted):
        text = b"Sealed until the last table of this deal is done.\n"
        return _reply(http.HTTPStatus.CONFLICT, text, "text/plain")
    numbers = {it.number for it in wanted}
    lines = [dict(zip(COLUMNS["races"], row, strict=True)) for row in races(state) if row[0] in numbers]
    return _json(lines, mark)


def _upto(query: Query) -> int | None:
    after = query.get("after", [""])[0]
    return int(after) if after.isascii() and after.isdigit() else None


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
    return Response(status.value, status.phrase, headers, body)
