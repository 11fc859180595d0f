"""Looks at everybody who comes to the door, before anything else is done for them."""

import http
from collections.abc import Awaitable, Callable

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from photofinish.gateway.auth import AccessTokens, Origins
from photofinish.gateway.connection import Connection
from photofinish.gateway.http import reply
from photofinish.gateway.limits import AddressLimits, Allowance, Visit, counted_as
from photofinish.gateway.proxy import Proxies
from photofinish.node.clock import clock

log = structlog.get_logger(__name__)

RUDE = 2
"""Beyond so many times what an address may have open, a connection is cut without a word."""

NOT_YOUR_PAGE = "The page you are on may not connect to this server. Its operator can allow it with --origin."
NO_TOKEN = "This server wants an access token: as `Authorization: Bearer …`, or as a subprotocol `photofinish.token.…`."  # noqa: S105 - a sentence, not a token
TOO_MANY = "Your address has too many connections open."
TOO_OFTEN = "Your address asks too often. Wait a few seconds."
TRYING = "Your address has asked for too many things that there are not. Wait a minute."


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
        self._doorkeeper = AddressLimits(allowance or Allowance(), clock)
        self._proxies = proxies or Proxies()
        self._behind_proxy = behind_proxy

    def opened(self, connection: Connection) -> None:
        """A socket is there. Behind a proxy its address is the proxy's, and counts for nobody."""
        peer = connection.transport.get_extra_info("peername")
        if peer and not self._behind_proxy:
            self._count(connection, peer[0])

    def lost(self, connection: Connection) -> None:
        if connection.address:
            self._doorkeeper.left(connection.address)
            connection.address = ""

    def turn_away(self, connection: ServerConnection, request: Request) -> Response | None:
        """What to say to somebody who may not come in, or None."""
        assert isinstance(connection, Connection)
        if self._behind_proxy and not connection.address:
            self._count(connection, self._proxies.forwarded(connection, request) or "")
        address = connection.address
        if connection.is_one_too_many:
            return _away(http.HTTPStatus.TOO_MANY_REQUESTS, TOO_MANY)
        if address and not self._doorkeeper.may_ask(address):
            return _away(http.HTTPStatus.TOO_MANY_REQUESTS, TOO_OFTEN)
        if is_websocket(request):
            if not self._origins.may(request.headers):
                return _away(http.HTTPStatus.FORBIDDEN, NOT_YOUR_PAGE)
        elif not request.path.startswith("/api/"):
            return None  # the front page and the probes are for everybody
        return None if self._tokens.may(request.headers) else _away(http.HTTPStatus.UNAUTHORIZED, NO_TOKEN)

    async def answer(
        self, connection: ServerConnection, request: Request, page: Callable[[], Awaitable[Response]]
    ) -> Response:
        """The page, unless its address has asked for too many things that there are not: it may be trying codes."""
        assert isinstance(connection, Connection)
        if not connection.address or not request.path.startswith("/api/"):
            return await page()
        guesses = self._doorkeeper.guesses(connection.address)
        if not await guesses.begin():
            return _away(http.HTTPStatus.TOO_MANY_REQUESTS, TRYING)
        is_miss = False
        try:
            answer = await page()
            is_miss = answer.status_code == http.HTTPStatus.NOT_FOUND
        finally:
            guesses.end(is_miss=is_miss)
        return answer

    def visit(self, connection: Connection) -> Visit:
        return Visit(self._doorkeeper, connection.address, clock())

    def _count(self, connection: Connection, address: str) -> None:
        connection.address = counted_as(address)
        if connection.address and not self._doorkeeper.came(connection.address):
            connection.is_one_too_many = True
            if self._doorkeeper.open(connection.address) > RUDE * self._doorkeeper.allowed.connections:
                connection.transport.abort()


def is_websocket(request: Request) -> bool:
    return request.headers.get("Upgrade", "").lower() == "websocket"


def _away(status: http.HTTPStatus, sentence: str) -> Response:
    log.debug("turned away", status=status.value, why=sentence)
    answer = reply(status, sentence.encode() + b"\n", "text/plain; charset=utf-8")
    if status is http.HTTPStatus.UNAUTHORIZED:
        answer.headers["WWW-Authenticate"] = "Bearer"
    elif status is http.HTTPStatus.TOO_MANY_REQUESTS:
        answer.headers["Retry-After"] = "10"
    return answer
