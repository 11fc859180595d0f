"""Accepts connections: a websocket becomes a session, a plain HTTP request gets a page."""

import asyncio
import itertools
import ssl
from collections.abc import Sequence
from typing import Any

import structlog
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed, NegotiationError
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from photofinish.gateway.access.admission import Admission, is_websocket, other_method
from photofinish.gateway.access.auth import TOKEN_PREFIX, HostNames
from photofinish.gateway.access.proxy import Proxies
from photofinish.gateway.http.deliveries import Deliveries
from photofinish.gateway.http.routes import HttpPages
from photofinish.gateway.sessions.events_port import EventsPort
from photofinish.gateway.sessions.node_parts import NodeParts
from photofinish.gateway.sessions.session import Session
from photofinish.gateway.sockets.connection import Connection
from photofinish.gateway.sockets.flushes import Flushes
from photofinish.gateway.sockets.heartbeat import Heartbeat
from photofinish.gateway.sockets.line import ConnectionPort, SocketLine
from photofinish.gateway.sockets.loop_lag import LoopLag
from photofinish.gateway.sockets.outbox import Outbox
from photofinish.gateway.sockets.ping_timer import PingTimer
from photofinish.gateway.sockets.trigger import Trigger, missing_proof
from photofinish.gateway.sockets.turns import Turns
from photofinish.node.clock import clock
from photofinish.node.directory import Directory
from photofinish.node.relay import Relay
from photofinish.race.lag import Lag
from photofinish.room.facts import SessionId
from photofinish_protocol.codec import CODECS
from photofinish_protocol.reasons import Close
from photofinish_protocol.version import HELLO_SECONDS, MAX_FRAME, MSGPACK, SUBPROTOCOLS

log = structlog.get_logger(__name__)


MOVES_PER_ITERATION = 16
"""Moves that are handled in the callback that read them. With the rooms' work they take about 2 ms."""


class Gateway:
    def __init__(
        self,
        directory: Directory,
        node: str,
        *,
        behind_proxy: bool = False,
        proxies: Proxies | None = None,
        relay: Relay | None = None,
        admission: Admission | None = None,
        events: EventsPort | None = None,
        host_names: HostNames | None = None,
    ) -> None:
        self._host_names = host_names or HostNames()
        self._directory, self._node = directory, node
        self._parts = NodeParts(directory, relay=relay, events=events)
        # Made now, not at the first request: it takes a while.
        _ = self._parts.catalogue
        self._behind_proxy = behind_proxy
        self._proxies = proxies or Proxies()
        self._admission = admission or Admission()
        self.pages = HttpPages(directory, events=events)
        self._deliveries = Deliveries()
        self._loop_lag = LoopLag(directory.metrics.late)
        self._pings, self._flushes = PingTimer(), Flushes()
        self._unpacking, self._answering, self._playing = Turns(), Turns(), Turns(MOVES_PER_ITERATION)
        self._count = itertools.count(1)
        self._server: Server | None = None
        self.sessions: dict[SessionId, Session] = {}

    async def start(
        self, host: str, port: int, *, tls: ssl.SSLContext | None = None, reuse_port: bool = False
    ) -> None:
        self._server = await serve(
            self._connected,
            host,
            port,
            ssl=tls,
            create_connection=self._connection,  # type: ignore[arg-type]  # it is only called
            subprotocols=[Subprotocol(name) for name in SUBPROTOCOLS],
            select_subprotocol=_select,
            process_request=self._request,
            compression=None,  # deflate costs 111 µs per action and 32 KB per connection
            max_size=MAX_FRAME,
            max_queue=64,
            ping_interval=None,  # we send and time our own pings
            close_timeout=2,
            open_timeout=None,  # it would also bound how long an HTTP answer may take: see `_opened`
            ssl_handshake_timeout=None if tls is None else HELLO_SECONDS,
            server_header="photofinish",
            logger=QUIET,
            reuse_port=reuse_port,
        )
        missing = missing_proof(behind_proxy=self._behind_proxy)
        if missing:
            log.info("late lines are credited from an account, without full kernel proof", why=missing)
        self._loop_lag.start()

    @property
    def ports(self) -> Sequence[int]:
        assert self._server is not None
        return [sock.getsockname()[1] for sock in self._server.sockets]

    async def stop(self) -> None:
        """Tell every client to reconnect, then close."""
        self._loop_lag.stop()
        for session in list(self.sessions.values()):
            session.say_bye(Close.RESTART, retry_after_ms=500)
        self._deliveries.stop()
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def _request(self, connection: ServerConnection, request: Request) -> Response | None:
        refusal = self._admission.turn_away(connection, request) or other_method(request)
        if refusal is not None or is_websocket(request):
            return refusal
        assert isinstance(connection, Connection)
        return await self._deliveries.answer(connection, self._page(connection, request))

    async def _page(self, connection: Connection, request: Request) -> Response:
        page = await self._admission.answer(
            connection, request, lambda: self.pages.answer(connection, request)
        )
        if request.method == "HEAD":
            page.body = b""  # the headers say how long it would be
        return page

    def _opened(self, connection: Connection) -> None:
        self._admission.opened(connection)
        connection.loop.call_later(HELLO_SECONDS, _close_without_request, connection)

    def _connection(self, *args: Any, **kwargs: Any) -> Connection:
        connection = Connection(*args, **kwargs)
        connection.turns, connection.moves, connection.flushes = self._unpacking, self._playing, self._flushes
        connection.on_open, connection.on_lost = self._opened, self._admission.lost
        connection.on_part = self._admission.grew
        return connection

    async def _connected(self, connection: ServerConnection) -> None:
        assert isinstance(connection, Connection)
        codec = CODECS[connection.subprotocol or MSGPACK]
        connection.use_text(codec.is_text)
        from_proxy = self._proxies.round_trip(connection)
        lag = Lag(behind_proxy=self._behind_proxy and from_proxy is None)
        if from_proxy is not None:
            lag.kernel(from_proxy, clock())
        if not self._behind_proxy:
            connection.trigger = Trigger(connection.transport.get_extra_info("socket"), lag)
        heartbeat = Heartbeat(connection, self._pings, is_kernel_asked=not self._behind_proxy)
        outbox = Outbox(ConnectionPort(connection), codec)
        session = Session(
            SessionId(f"{self._node}-{next(self._count)}"),
            outbox,
            codec,
            self._parts,
            lag,
            clock(),
            limits=self._admission.limits_of(connection),
            host=None if connection.request is None else self._host_names.own(connection.request.headers),
            line=SocketLine(connection, heartbeat, self._loop_lag),
        )
        _forget_headers(connection)
        connection.on_echo, connection.on_gone = session.echoed, session.gone
        connection.on_acked = session.measured
        self.sessions[session.id] = session
        connection.on_message = None if codec.is_text else session.play_now
        loop = asyncio.get_running_loop()
        hello = loop.call_later(HELLO_SECONDS, _close_without_hello, session)
        heartbeat.start(session)
        try:
            connection.opened()
            while True:
                frame = await connection.recv()
                session.is_busy = True
                await self._answering.take()
                await session.frame(frame, connection.arrivals.popleft())
                session.is_busy = False
                if connection.is_flooding and not connection.arrivals:
                    connection.cut_off()
                    break
        except ConnectionClosed:
            pass
        except Exception:
            log.exception("a session failed", session=session.id)
            session.say_bye(Close.FAULT)
        finally:
            hello.cancel()
            heartbeat.stop()
            session.cut()
            del self.sessions[session.id]
            self._directory.metrics.closed(_close_code(connection))


def _close_code(connection: Connection) -> int:
    """The code of the close frame that was sent, else of the one received; 1006 without any."""
    close = connection.protocol.close_sent or connection.protocol.close_rcvd
    return 1006 if close is None else int(close.code)


def _forget_headers(connection: ServerConnection) -> None:
    """Everything is taken from them. The library keeps them as long as the connection: 4 KB of its memory."""
    for message in (connection.request, connection.response):
        if message is not None:
            message.headers.clear()


def _close_without_request(connection: Connection) -> None:
    if connection.request is None:
        connection.transport.abort()


def _close_without_hello(session: Session) -> None:
    if not session.is_welcome:
        session.say_bye(Close.NO_HELLO)


def _select(_connection: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """The first of the client's subprotocols that we support; msgpack if it names none. None supported: refused."""
    spoken = next((name for name in offered if name in SUBPROTOCOLS), None)
    if spoken is None and any(not name.startswith(TOKEN_PREFIX) for name in offered):
        raise NegotiationError(f"no subprotocol that we speak: {', '.join(SUBPROTOCOLS)}")
    return spoken


def _quiet() -> Any:
    import logging  # noqa: PLC0415 - only to keep the library from writing tracebacks for cut connections

    logger = logging.getLogger("photofinish.websockets")
    logger.addHandler(logging.NullHandler())
    logger.propagate = False
    return logger


QUIET = _quiet()
