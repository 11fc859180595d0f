"""The operator's port: probes and metrics, separate from the players' port."""

import http
from collections.abc import Callable, Sequence

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response

from photofinish.gateway.http.routes import HttpPages, reply
from photofinish.gateway.server import QUIET


class Admin:
    """Answers `/metrics`, `/healthz` and `/readyz`. It accepts no websocket."""

    def __init__(self, pages: HttpPages, metrics: Callable[[], bytes], kind: str) -> None:
        self._pages, self._metrics, self._kind = pages, metrics, kind
        self._server: Server | None = None

    async def start(self, host: str, port: int) -> None:
        self._server = await serve(
            _no_websocket, host, port, process_request=self._answer, compression=None, open_timeout=5, close_timeout=2,
            server_header="photofinish", logger=QUIET,
        )  # fmt: skip

    @property
    def ports(self) -> Sequence[int]:
        assert self._server is not None
        return [sock.getsockname()[1] for sock in self._server.sockets]

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def _answer(self, connection: ServerConnection, request: Request) -> Response:
        match request.path.split("?", 1)[0]:
            case "/metrics":
                return reply(http.HTTPStatus.OK, self._metrics(), self._kind)
            case "/healthz" | "/readyz":
                return await self._pages.answer(connection, request)
            case _:
                return reply(http.HTTPStatus.NOT_FOUND, b"/metrics, /healthz, /readyz\n", "text/plain")


async def _no_websocket(connection: ServerConnection) -> None:
    """Never reached: every request is answered with a page before the websocket handshake."""
    await connection.close()
