"""The read-only HTTP pages on the port of the websocket, for browsers and probes."""

import html
import http
from collections.abc import Awaitable, Callable
from urllib.parse import parse_qsl

import msgspec
from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from photofinish.gateway.http.docs import DocsPages
from photofinish.gateway.http.rules_page import rules_of
from photofinish.gateway.http.web import WebPage
from photofinish.gateway.sessions.events_port import EventsPort
from photofinish.node.directory import Directory
from photofinish.node.replay_views import QueueFull
from photofinish_protocol import messages


class HttpPages:
    def __init__(
        self, directory: Directory, web: WebPage | None = None, events: EventsPort | None = None
    ) -> None:
        self._directory, self._events = directory, events
        self._web = web or WebPage()
        self._docs = DocsPages()
        self._routes: dict[str, Callable[[], Awaitable[Response]]] = {
            "/": self._front,
            "/healthz": self._health,
            "/readyz": self._ready,
        }

    async def answer(self, _connection: ServerConnection, request: Request) -> Response:
        path, _, query = request.path.partition("?")
        if not is_plain(path):
            return reply(http.HTTPStatus.NOT_FOUND, b"Nothing here.\n", "text/plain")
        page = self._web.answer(path, request) or self._docs.answer(path, request)
        if page is not None:
            return page
        if path in self._routes:
            return await self._routes[path]()
        if path == "/api/rooms":
            return await self._rooms(query)
        if self._events is not None:
            found = await self._events.page(path, query, request)
            if found is not None:
                return found
        parts = path.strip("/").split("/")
        if len(parts) == 5 and parts[:2] == ["api", "replays"] and parts[4] == "views":
            return await self._replay_views(parts[2], parts[3], query)
        if len(parts) == 4 and parts[:2] == ["api", "replays"] and _is_number(parts[3]):
            replay = await self._directory.replay(parts[2], int(parts[3]))
            if replay is not None:
                return reply(http.HTTPStatus.OK, replay, "application/json")
        if len(parts) == 3 and parts[:2] == ["api", "rules"] and parts[2] in self._directory.games:
            rules = rules_of(self._directory.games[parts[2]])
            if rules is not None:
                return reply(http.HTTPStatus.OK, rules, "text/markdown; charset=utf-8")
        if parts[0] == "docs" and not self._docs.is_built:
            text = b"This server has no documents. `make docs` builds them.\n"
            return reply(http.HTTPStatus.NOT_FOUND, text, "text/plain")
        return reply(http.HTTPStatus.NOT_FOUND, b"Nothing here.\n", "text/plain")

    async def _front(self) -> Response:
        rows = "".join(
            f"<li><b>{html.escape(game.title)}</b>, {game.seats.start}–{game.seats.stop - 1} players: "
            f"{html.escape(game.blurb)}</li>"
            for game in self._directory.games.values()
        )
        page = (
            "<!doctype html><meta charset=utf-8><title>Photofinish</title>"
            "<meta name=viewport content='width=device-width'>"
            "<body style='font:16px system-ui;max-width:40em;margin:3em auto;padding:0 1em'>"
            "<h1>Photofinish</h1><p>A card-table server. Connect a client to this address by websocket, "
            f"or play in the terminal: <code>photofinish play</code>.</p><ul>{rows}</ul>"
        )
        return reply(http.HTTPStatus.OK, page.encode(), "text/html; charset=utf-8")

    async def _health(self) -> Response:
        return reply(http.HTTPStatus.OK, b"ok\n", "text/plain")

    async def _ready(self) -> Response:
        if self._directory.is_draining:
            return reply(http.HTTPStatus.SERVICE_UNAVAILABLE, b"draining\n", "text/plain")
        # A node stays ready while the store has a problem: another node would not help its players.
        why = self._directory.store_condition.why
        text = f"ready, but tables wait for the store: {why}\n" if why else "ready\n"
        return reply(http.HTTPStatus.OK, text.encode(), "text/plain")

    async def _replay_views(self, room: str, number: str, query: str) -> Response:
        """`/api/replays/ROOM/N/views?seat=S`: every view of a finished game, of a seat or of a spectator."""
        seat = dict(parse_qsl(query)).get("seat", "")
        if _is_number(number) and (not seat or _is_number(seat)):
            try:
                views = await self._directory.replay_views(room, int(number), int(seat) if seat else None)
            except QueueFull:
                text = b"Too many replays are being computed. Try again in a second.\n"
                busy = reply(http.HTTPStatus.TOO_MANY_REQUESTS, text, "text/plain")
                busy.headers["Retry-After"] = "1"
                return busy
            if views is not None:
                return reply(http.HTTPStatus.OK, views, "application/json")
        return reply(http.HTTPStatus.NOT_FOUND, b"Nothing here.\n", "text/plain")

    async def _rooms(self, query: str) -> Response:
        try:
            asked = msgspec.convert({**dict(parse_qsl(query)), "id": 0}, messages.Rooms, strict=False)
        except msgspec.ValidationError as fault:
            return reply(http.HTTPStatus.BAD_REQUEST, f"{fault}\n".encode(), "text/plain")
        listing = await self._directory.listing(asked)
        return reply(http.HTTPStatus.OK, msgspec.json.encode(listing), "application/json")


def is_plain(path: str) -> bool:
    """Whether every parser reads this path in the same way: it has no blank, control character or empty part."""
    return path.startswith("/") and path.isprintable() and " " not in path and "//" not in path


def _is_number(text: str) -> bool:
    """Whether this is a number that a page may be asked for. `int` takes no more than 4,300 digits."""
    return text.isascii() and text.isdigit() and len(text) < 10


def reply(status: http.HTTPStatus, body: bytes, kind: str) -> Response:
    headers = Headers(
        {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "Connection": "close",
        }
    )
    return Response(status.value, status.phrase, headers, body)
