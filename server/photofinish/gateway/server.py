"""Accepts connections: websockets become sessions, plain requests get a page."""

import asyncio
import itertools
import ssl
import sys
from collections.abc import Sequence
from typing import Any

import structlog
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed, NegotiationError
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from photofinish.gateway.admission import Admission, is_websocket
from photofinish.gateway.auth import TOKEN_WORD
from photofinish.gateway.catalogue import Catalogue
from photofinish.gateway.connection import Connection, ConnectionPort
from photofinish.gateway.events_port import EventsPort
from photofinish.gateway.http import HttpPages
from photofinish.gateway.loop_lag import LoopLag
from photofinish.gateway.outbox import Outbox
from photofinish.gateway.proxy import Proxies
from photofinish.gateway.session import Session
from photofinish.gateway.trigger import Trigger
from photofinish.gateway.turns import Turns
from photofinish.node.clock import clock
from photofinish.node.directory import Directory
from photofinish.node.relay import Relay
from photofinish.race.lag import Lag
from photofinish.room.facts import SessionId
from photofinish_protocol.codec import CODECS
from photofinish_protocol.reasons import Close
from photofinish_protocol.version import HELLO_SECONDS, MAX_FRAME, MSGPACK, SUBPROTOCOLS

log = structlog.get_logger(__name__)

PING_EVERY = 1.0
FIRST_PINGS = 0.1
"""The first few pings follow each other quickly, so that a race in the first seconds is fair too."""


class Gateway:
    def __init__(
        self,
        directory: Directory,
        node: str,
        *,
        behind_proxy: bool = False,
        proxies: Proxies | None = None,
        relay: Relay | None = None,
        reception: Admission | None = None,
        events: EventsPort | None = None,
    ) -> None:
        self._events = events
        self._directory, self._node, self._relay = directory, node, relay
        self._behind_proxy = behind_proxy
        self._proxies = proxies or Proxies()
        self._reception = reception or Admission()
        self.pages = HttpPages(directory, events=events)
        self._catalogue = Catalogue(directory.games)
        self.pulse = LoopLag(directory.tally.late)
        self._unpacking, self._answering = Turns(), Turns()
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
            compression=None,  # deflate costs 111 µs an action and 32 KB a connection
            max_size=MAX_FRAME,
            max_queue=64,
            ping_interval=None,  # we time our own
            close_timeout=2,
            open_timeout=HELLO_SECONDS,
            server_header="photofinish",
            logger=QUIET,
            reuse_port=reuse_port,
        )
        if self._behind_proxy or not sys.platform.startswith("linux"):
            why = "behind a proxy" if self._behind_proxy else "this platform has no TCP_INFO"
            log.info("round trips are measured by our pings alone: late lines are credited unseen", why=why)
        self.pulse.start()

    @property
    def ports(self) -> Sequence[int]:
        assert self._server is not None
        return [sock.getsockname()[1] for sock in self._server.sockets]

    async def stop(self) -> None:
        """Tell everybody to come back, then close."""
        self.pulse.stop()
        for session in list(self.sessions.values()):
            session.say_bye(Close.RESTART, retry_after_ms=500)
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def _request(self, connection: ServerConnection, request: Request) -> Response | None:
        away = self._reception.turn_away(connection, request)
        if away is not None or is_websocket(request):
            return away
        return await self._reception.answer(
            connection, request, lambda: self.pages.answer(connection, request)
        )

    def _connection(self, *how: Any, **more: Any) -> Connection:
        connection = Connection(*how, **more)
        connection.turns = self._unpacking
        connection.on_open, connection.on_lost = self._reception.opened, self._reception.lost
        return connection

    async def _connected(self, connection: ServerConnection) -> None:
        assert isinstance(connection, Connection)
        codec = CODECS[connection.subprotocol or MSGPACK]
        connection.is_text = codec.is_text
        told = self._proxies.round_trip(connection)
        lag = Lag(behind_proxy=self._behind_proxy and told is None)
        if told is not None:
            lag.kernel(told, clock())
        outbox = Outbox(ConnectionPort(connection), codec)
        session = Session(
            SessionId(f"{self._node}-{next(self._count)}"),
            outbox,
            codec,
            self._directory,
            lag,
            clock(),
            relay=self._relay,
            visit=self._reception.visit(connection),
            catalogue=self._catalogue,
            events=self._events,
            host="" if connection.request is None else connection.request.headers.get("Host", ""),
            loop_lag=self.pulse.lag,
            begin_trigger=connection.begin_trigger,
            send_echo=connection.send_echo,
            no_echo=connection.no_echo,
            retransmits=lambda: connection.retransmits,
        )
        if not self._behind_proxy:
            connection.trigger = Trigger(connection.transport.get_extra_info("socket"))
        connection.on_echo, connection.on_gone = session.echoed, session.gone
        self.sessions[session.id] = session
        loop = asyncio.get_running_loop()
        hello = loop.call_later(HELLO_SECONDS, _hurry, session)
        beat = asyncio.create_task(self._heartbeat(connection, session), name="heartbeat")
        try:
            connection.opened()
            while True:
                frame = await connection.recv()
                await self._answering.take()
                await session.frame(frame, connection.arrivals.popleft())
                if connection.is_flooding and not connection.arrivals:
                    connection.cut_off()
                    break
        except ConnectionClosed:
            pass
        except Exception:
            log.exception("session", session=session.id)
            session.say_bye(Close.FAULT)
        finally:
            hello.cancel()
            beat.cancel()
            session.cut()
            del self.sessions[session.id]
            self._directory.tally.closed(_close_code(connection))

    async def _heartbeat(self, connection: Connection, session: Session) -> None:
        """Pings while the connection lives, and what they and the kernel say of the way."""
        for beat in itertools.count():
            if not connection.send_ping():
                session.outbox.give_up(Close.TOO_SLOW)
                connection.transport.abort()
                return
            await asyncio.sleep(FIRST_PINGS if beat < 5 else PING_EVERY)
            at = clock()
            for trip in connection.round_trips:
                session.lag.ponged(trip, at)
            connection.round_trips.clear()
            # Behind a proxy the kernel knows the way to the proxy, which is nobody's.
            kernel = None if self._behind_proxy else connection.kernel_min_rtt()
            if kernel is not None:
                session.lag.kernel(kernel, at)
            session.measured(at)


def _close_code(connection: Connection) -> int:
    """Ours if we said one, else the client's (which we then said again)."""
    said = connection.protocol.close_sent or connection.protocol.close_rcvd
    return 1006 if said is None else int(said.code)


def _hurry(session: Session) -> None:
    if not session.is_welcome:
        session.say_bye(Close.NO_HELLO)


def _select(_connection: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """The client's first choice that we speak; a client that names none gets msgpack. None that we speak: refused."""
    spoken = next((name for name in offered if name in SUBPROTOCOLS), None)
    if spoken is None and any(not name.startswith(TOKEN_WORD) for name in offered):
        raise NegotiationError(f"no subprotocol that we speak: {', '.join(SUBPROTOCOLS)}")
    return spoken


def _quiet() -> Any:
    import logging  # noqa: PLC0415 - only to keep the library from writing tracebacks for cut connections

    logger = logging.getLogger("photofinish.websockets")
    logger.addHandler(logging.NullHandler())
    logger.propagate = False
    return logger


QUIET = _quiet()
