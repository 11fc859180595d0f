"""A websocket that knows when each frame came in and how long its pings took, by one clock."""

import secrets
import socket
import struct
import sys
from asyncio import BaseTransport
from collections import deque
from collections.abc import Callable

from websockets.asyncio.server import ServerConnection, broadcast
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State

from photofinish.engine import Micros
from photofinish.gateway.limits import MOST_PIECES, FrameRate
from photofinish.node.clock import clock
from photofinish_protocol.reasons import CLOSES, Close

TCP_TOTAL_RETRANS = 100
"""Where `tcpi_total_retrans` stands in Linux' `struct tcp_info`."""
TCP_MIN_RTT = 148
"""Where `tcpi_min_rtt` stands in Linux' `struct tcp_info`, in µs."""
UNANSWERED = 8
"""Pings on their way at most: one more and the peer is taken for dead."""


class Connection(ServerConnection):
    """Stamps frames as the first thing that happens to them; sends without waiting."""

    is_text = False
    """Whether messages go out as text frames."""
    address = ""
    """What it is counted under; empty if it is not."""
    is_one_too_many = False
    on_echo: Callable[[Micros, Micros], None] | None = None
    """Told how long the ping behind a trigger took, and when it was back."""
    on_open: Callable[["Connection"], None] | None = None
    on_lost: Callable[["Connection"], None] | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        self.arrivals: deque[Micros] = deque()
        self.pings: dict[bytes, Micros] = {}
        self.round_trips: list[Micros] = []
        self._echo = b""
        """The payload of the ping behind the newest trigger."""
        self.retransmits = 0
        """Packets that had to be sent again, when the kernel was last asked."""
        self._stamp = Micros(0)
        self._pieces = 0
        self._control = FrameRate(clock())
        sock = transport.get_extra_info("socket")
        if sock is not None and sock.family in {socket.AF_INET, socket.AF_INET6}:
            # Nagle would hold a trigger back behind an unacknowledged frame, and decide races.
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().connection_made(transport)
        if self.on_open is not None:
            self.on_open(self)

    def connection_lost(self, exc: Exception | None) -> None:
        if self.on_lost is not None:
            self.on_lost(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._stamp = clock()
        super().data_received(data)

    def process_event(self, event: Request | Response | Frame) -> None:
        if isinstance(event, Frame):
            if not self._is_bearable(event):
                self.close_with(Close.TOO_FAST)
                return
            if event.opcode is Opcode.PONG:
                self._ponged(bytes(event.data))
            elif event.fin and event.opcode in {Opcode.TEXT, Opcode.BINARY, Opcode.CONT}:
                self.arrivals.append(self._stamp)
        super().process_event(event)

    def _ponged(self, payload: bytes) -> None:
        sent = self.pings.pop(payload, None)
        if sent is None:
            return
        trip = Micros(self._stamp - sent)
        self.round_trips.append(trip)
        if payload == self._echo and self.on_echo is not None:
            self.on_echo(trip, self._stamp)

    def _is_bearable(self, frame: Frame) -> bool:
        """Pings want pongs and pieces want room, before any message is there to be counted."""
        if frame.opcode in {Opcode.TEXT, Opcode.BINARY, Opcode.CONT}:
            self._pieces = 0 if frame.fin else self._pieces + 1
            return self._pieces < MOST_PIECES
        return frame.opcode is Opcode.CLOSE or self._control.may(self._stamp)

    # What the outbox wants of a socket.

    def write(self, frame: bytes) -> None:
        broadcast((self,), frame, text=self.is_text)

    def buffered(self) -> int:
        return self.transport.get_write_buffer_size()

    def close_with(self, code: Close) -> None:
        """Say why, then end it. Does not wait for the other side."""
        if self.protocol.state is State.OPEN:
            self.protocol.send_close(int(code), CLOSES[code].sentence)
            self.send_data()
        self.loop.call_later(2.0, self.transport.abort)

    def send_echo(self) -> None:
        """A ping right behind a trigger, if the peer is not behind with its answers anyway."""
        if len(self.pings) < UNANSWERED - 1 and self.send_ping():
            self._echo = next(reversed(self.pings), b"")

    def send_ping(self) -> bool:
        """One ping with a payload nobody can guess. False if too many are unanswered."""
        if self.protocol.state is not State.OPEN:
            return True
        if len(self.pings) >= UNANSWERED:
            return False
        payload = secrets.token_bytes(8)
        self.pings[payload] = clock()
        self.protocol.send_ping(payload)
        self.send_data()
        return True

    def kernel_min_rtt(self) -> Micros | None:
        """The least round trip the kernel has seen on this socket; None where it does not say."""
        if not sys.platform.startswith("linux"):
            return None
        sock = self.transport.get_extra_info("socket")
        if sock is None or sock.family not in {socket.AF_INET, socket.AF_INET6}:
            return None
        info = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
        if len(info) < TCP_MIN_RTT + 4:
            return None
        self.retransmits = struct.unpack_from("=I", info, TCP_TOTAL_RETRANS)[0]
        return Micros(struct.unpack_from("=I", info, TCP_MIN_RTT)[0])


class ConnectionPort:
    """A connection seen by an outbox."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.write = connection.write
        self.buffered = connection.buffered

    def close(self, code: Close) -> None:
        self._connection.close_with(code)

    def now(self) -> Micros:
        return clock()
