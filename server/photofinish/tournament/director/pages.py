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
from photofinish.tournament.brackets_state import decided_of
from photofinish.tournament.director.book import EventBook, HeldEvent, NoSuchEvent
from photofinish.tournament.export.archive import packed
from photofinish.tournament.export.feeds import atom, ics
from photofinish.tournament.export.files import files_of
from photofinish.tournament.export.report import report
from photofinish.tournament.export.tables import COLUMNS, reactions
from photofinish.tournament.model import State
from photofinish.tournament.standings import standings

JSON = "application/json"
ROOM_CODE = 8
"""The length of the codes of events' rooms."""
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
        rows = []
        for code in await self._book.store.codes():
            state = (await self._book.read(code)).state
            if query.get("state", [state.status]) != [state.status]:
                continue
            if query.get("game", [state.rules.game]) == [state.rules.game]:
                rows.append(info(state))
        return _json(rows, "")

    async def _of_event(self, held: HeldEvent, parts: list[str], query: Query, mark: str) -> Response:
        state = held.state
        simple: dict[str, Callable[[], Any]] = {
            "": lambda: info(state) | {"head": held.head.hex(), "entries": len(held.lines)},
            "entrants": lambda: _entrants(state),
            "standings": lambda: _standings(state, query),
            "bracket": lambda: _bracket(state),
            "tables": lambda: _tables(state, len(state.rounds)),
            "reactions": lambda: [
                dict(zip(COLUMNS["reactions"], row, strict=True)) for row in reactions(state)
            ],
            "disputes": lambda: _disputes(state),
        }
        name = "/".join(parts)
        if name in simple:
            return _json(simple[name](), mark)
        if len(parts) == 2 and parts[0] == "rounds" and parts[1].isascii() and parts[1].isdigit():
            number = int(parts[1])
            if 1 <= number <= len(state.rounds):
                return _json(_tables(state, number), mark)
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


def info(state: State) -> dict[str, Any]:
    rules, round_ = state.rules, state.round
    return {
        "event": state.event,
        "title": rules.title,
        "game": rules.game,
        "format": rules.format,
        "seats": rules.seats,
        "state": state.status,
        "reason": state.reason,
        "entrants": len(state.numbers) or len(state.entrants),
        "round": round_.number if round_ else 0,
        "round_state": round_.status if round_ else "",
        "rounds": state.planned,
        "rules_hash": state.rules_hash,
        "commitment": state.commitment,
        "officials_play": rules.officials_play,
        "hands": rules.hands,
        "rehearsal": rules.rehearsal,
        "max_ping_ms": rules.room.max_ping_ms,
        "races": rules.races,
    }


def _entrants(state: State) -> list[dict[str, Any]]:
    return [
        {
            "number": it.number,
            "key": it.key,
            "name": it.name,
            "kind": it.kind,
            "checked_in": it.checked_in,
            "left_round": it.left_round,
        }
        for it in state.entrants.values()
    ]


def _standings(state: State, query: Query) -> list[dict[str, Any]]:
    after = query.get("after", [""])[0]
    upto = int(after) if after.isascii() and after.isdigit() else None
    return [
        {
            "rank": row.rank,
            "number": row.number,
            "name": state.entrant(row.number).name,
            "points_840": row.points,
            "ties": dict(zip(state.rules.tiebreaks, row.ties, strict=True)),
        }
        for row in standings(state, upto)
    ]


def _bracket(state: State) -> list[dict[str, Any]]:
    if not state.rules.is_elimination or not state.numbers:
        return []
    matches, decided = decided_of(state)
    return [
        {"match": matches[at].name, "winner": it.winner, "loser": it.loser}
        for at, it in sorted(decided.items())
    ]


def _tables(state: State, number: int) -> list[dict[str, Any]]:
    if not 1 <= number <= len(state.rounds):
        return []
    return [
        {
            "round": number,
            "table": table.table,
            "seats": list(table.seats),
            "bye": table.bye,
            "state": table.status,
            "winner": table.winner,
            "step": table.step,
            "games": [
                {
                    "game": game.game,
                    "attempt": game.attempt,
                    "room": game.room,
                    "commitment": game.commitment,
                    "head": game.head,
                    "places": list(game.outcome.places) if game.outcome else [],
                    "how": game.how,
                }
                for game in table.games
            ],
        }
        for table in state.rounds[number - 1].tables
    ]


def _disputes(state: State) -> list[dict[str, Any]]:
    """Rulings only: a mark is public when it is decided."""
    return [msgspec.to_builtins(it) for it in state.marks if it.ruling]


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
