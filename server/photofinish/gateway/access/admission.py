"""Decides whether a connection or request is admitted, before anything else is done for it."""

import http
from collections.abc import Awaitable, Callable

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from photofinish.gateway.access.auth import AccessTokens, Origins
from photofinish.gateway.access.limits import AddressLimits, Allowance, ConnectionLimits, counted_as
from photofinish.gateway.access.proxy import Proxies
from photofinish.gateway.http.routes import reply
from photofinish.gateway.sockets.connection import Connection
from photofinish.node.clock import clock

log = structlog.get_logger(__name__)

ABORT_FACTOR = 2
"""An address over this multiple of its connection limit gets no answer: the connection is aborted."""

WRONG_ORIGIN = (
    "Pages from this origin may not connect to this server. Its operator can allow them with --origin."
)
NO_TOKEN = (
    "This server requires an access token: `Authorization: Bearer …`, or a subprotocol `photofinish.token.…`."  # noqa: S105 - a sentence, not a token
)
TOO_MANY = "Your address has too many open connections. Close some of them."
ONLY_READS = "This server answers GET and HEAD. Everything else goes over a websocket."
TOO_OFTEN = "Your address sends too many requests. Wait a few seconds."
TOO_MANY_MISSES = "Your address has requested too many rooms or replays that do not exist. Wait a minute."


class Admission:
    def __init__(
        self,
        *,
        origins: Origins | None = None,
        tokens: AccessTokens | None = None,
        allowance: Allowance | None = None,
        proxies: Proxies | None = None,
        behind_proxy: bool = False,
    ) -> None:
        self._origins = origins or Origins(is_loopback=True)
        self._tokens = tokens or AccessTokens()
        self._limits = AddressLimits(allowance or Allowance(), clock)
        self._proxies = proxies or Proxies()
        self._behind_proxy = behind_proxy

    def opened(self, connection: Connection) -> None:
        """Count a new connection. If its peer is the proxy, it is counted later, in `turn_away`."""
        peer = connection.transport.get_extra_info("peername")
        if peer and not (self._behind_proxy and self._proxies.may_be_proxy(peer[0])):
            self._count(connection, peer[0])

    def grew(self, connection: Connection, more: int) -> bool:
        """The unfinished request of a connection has grown or shrunk. False: its address holds too many bytes."""
        return not connection.address or self._limits.may_hold(connection.address, more)

    def lost(self, connection: Connection) -> None:
        if connection.address:
            self._limits.disconnected(connection.address)
            connection.address = ""

    def turn_away(self, connection: ServerConnection, request: Request) -> Response | None:
        """The response to a request that is not admitted; None if it is admitted."""
        assert isinstance(connection, Connection)
        if self._behind_proxy and not connection.address:
            self._count(connection, self._proxies.forwarded(connection, request) or "")
        address = connection.address
        if connection.is_one_too_many:
            return _refusal(http.HTTPStatus.TOO_MANY_REQUESTS, TOO_MANY)
        if address and not self._limits.may_ask(address):
            return _refusal(http.HTTPStatus.TOO_MANY_REQUESTS, TOO_OFTEN)
        if is_websocket(request):
            if not self._origins.allow(request.headers):
                return _refusal(http.HTTPStatus.FORBIDDEN, WRONG_ORIGIN)
        elif not _has_code(request):
            return None  # the front page and the probes are open to everybody
        return (
            None if self._tokens.allow(request.headers) else _refusal(http.HTTPStatus.UNAUTHORIZED, NO_TOKEN)
        )

    async def answer(
        self, connection: ServerConnection, request: Request, page: Callable[[], Awaitable[Response]]
    ) -> Response:
        """The page, or a refusal if this address has had too many misses: it may be guessing room codes."""
        assert isinstance(connection, Connection)
        if not connection.address or not _has_code(request):
            return await page()
        guesses = self._limits.guesses(connection.address)
        if not await guesses.begin():
            return _refusal(http.HTTPStatus.TOO_MANY_REQUESTS, TOO_MANY_MISSES)
        is_miss = False
        try:
            answer = await page()
            is_miss = answer.status_code == http.HTTPStatus.NOT_FOUND
        finally:
            guesses.end(is_miss=is_miss)
        return answer

    def limits_of(self, connection: Connection) -> ConnectionLimits:
        return ConnectionLimits(self._limits, connection.address, clock())

    def _count(self, connection: Connection, address: str) -> None:
        connection.address = counted_as(address)
        if connection.address and not self._limits.connected(connection.address):
            connection.is_one_too_many = True
            if self._limits.open(connection.address) > ABORT_FACTOR * self._limits.allowed.connections:
                connection.transport.abort()


def _has_code(request: Request) -> bool:
    """Whether the path is one of rooms, replays or events. Such paths contain a code, which could be guessed."""
    path = request.path.partition("?")[0]
    return path.lstrip("/").startswith("api/") or path.endswith((".ics", ".atom"))


def is_websocket(request: Request) -> bool:
    return request.headers.get("Upgrade", "").lower() == "websocket"


def other_method(request: Request) -> Response | None:
    """The refusal of a method other than GET and HEAD; None for these. All changes are made over a websocket."""
    if request.method == "GET" or (request.method == "HEAD" and not is_websocket(request)):
        return None
    answer = _refusal(http.HTTPStatus.METHOD_NOT_ALLOWED, ONLY_READS)
    answer.headers["Allow"] = "GET, HEAD"
    return answer


def _refusal(status: http.HTTPStatus, sentence: str) -> Response:
    log.debug("turned away", status=status.value, why=sentence)
    answer = reply(status, sentence.encode() + b"\n", "text/plain; charset=utf-8")
    if status is http.HTTPStatus.UNAUTHORIZED:
        answer.headers["WWW-Authenticate"] = "Bearer"
    elif status is http.HTTPStatus.TOO_MANY_REQUESTS:
        answer.headers["Retry-After"] = "10"
    return answer
