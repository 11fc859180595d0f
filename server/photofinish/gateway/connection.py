"""A websocket that knows when each frame came in and how long its pings took, by one clock."""

import secrets
import socket
from asyncio import BaseTransport
from collections import deque
from collections.abc import Callable

from websockets.asyncio.server import ServerConnection, broadcast
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State

from photofinish.engine import Micros
from photofinish.gateway.frame_scanner import CLOSE, DATA, FIN, OPCODE, FrameScanner
from photofinish.gateway.kernel import tcp_info
from photofinish.gateway.limits import LAST_STRAW, MOST_PIECES
from photofinish.gateway.trigger import NOTHING_TOLD, PAD, Told, Trigger
from photofinish.gateway.turns import Turns
from photofinish.node.clock import clock
from photofinish.room.budget import SECOND, Bucket
from photofinish_protocol.reasons import CLOSES, Close
from photofinish_protocol.version import BURST, RATE

UNANSWERED = 8
"""Pings on their way at most: one more and the peer is taken for dead."""
AT_ONCE = 4
"""Frames that are unpacked when they come in. The rest of what was read waits for its turn, unread by the library."""
END_OF_HEADERS = b"\r\n\r\n"
GOODBYE = 0.2
"""Seconds a client that floods us has to read why it is cut off. We read nothing more from it."""
FAREWELL = 2.0
"""Seconds any other client has to answer our close."""


class Connection(ServerConnection):
    """Stamps frames as the first thing that happens to them; sends without waiting.

    Frames are counted before they are unpacked: one that is refused costs the same as any other, and after the last
    straw nothing more is read.
    """

    turns: Turns
    """Shared by all connections of a gateway."""
    is_flooding = False
    """It has sent far too much: nothing more is read."""
    is_text = False
    """Whether messages go out as text frames."""
    address = ""
    """What it is counted under; empty if it is not."""
    is_one_too_many = False
    on_echo: Callable[[Micros, Micros, Told], None] | None = None
    """Told how long the ping behind a trigger took, when it was back, and what the kernel saw."""
    trigger: Trigger | None = None
    """None: behind a proxy, whose kernel's round trip is nobody's."""
    on_open: Callable[["Connection"], None] | None = None
    on_lost: Callable[["Connection"], None] | None = None
    on_gone: Callable[[], None] | None = None
    """Told that the socket is closed, however busy the session is."""

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
        began = clock()
        self._control = Bucket(BURST, BURST * SECOND // RATE, began)
        """Pings, pongs and pieces of messages."""
        # The session refuses ten messages before it closes. Who is beyond that gave it no time to.
        most = BURST + LAST_STRAW + 1
        self._messages = Bucket(most, most * SECOND // (RATE + LAST_STRAW), began)
        self._scanner = FrameScanner()
        self._rest = bytearray()
        """What was read and is not unpacked yet. While there is any, nothing more is read."""
        self._is_held = False
        """The library has enough messages waiting."""
        self._is_paused = False
        self._is_queued = False
        self._has_request = False
        self._tail = b""
        """The end of the part of the HTTP request that has come so far."""
        sock = transport.get_extra_info("socket")
        if sock is not None and sock.family in {socket.AF_INET, socket.AF_INET6}:
            # Nagle would hold a trigger back behind an unacknowledged frame, and decide races.
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().connection_made(transport)
        self.recv_messages.pause, self.recv_messages.resume = self._hold, self._go_on
        if self.on_open is not None:
            self.on_open(self)

    def connection_lost(self, exc: Exception | None) -> None:
        if self.on_lost is not None:
            self.on_lost(self)
        if self.on_gone is not None:
            self.on_gone()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.is_flooding:
            return
        self._stamp = clock()
        if self.protocol.state is State.CONNECTING:
            data = self._request_part(data)
        self._rest += data
        if self.protocol.state is not State.CONNECTING and not self._is_queued:
            self._unpack()
        else:
            self._set_flow()

    def eof_received(self) -> None:
        self._rest.clear()
        super().eof_received()

    def opened(self) -> None:
        """The handshake is done: what came with it is looked at now."""
        if self._rest and not self._is_queued:
            self._unpack()

    def _request_part(self, data: bytes) -> bytes:
        """The library gets the HTTP request and not a byte more. Returns what is behind it: that has to wait."""
        if self._has_request:
            return data
        seen = self._tail + data
        end = seen.find(END_OF_HEADERS)
        self._has_request = end >= 0
        size = end + len(END_OF_HEADERS) - len(self._tail) if self._has_request else len(data)
        self._tail = seen[1 - len(END_OF_HEADERS) :]
        super().data_received(data[:size])
        return data[size:]

    def _unpack(self) -> None:
        """The next few frames, counted first. The others take their turn."""
        self._is_queued = False
        rest, at, frames = self._rest, 0, 0
        while at < len(rest) and frames < AT_ONCE:
            end, first = self._scanner.step(rest, at)
            if first is not None:
                frames += 1
                if not self._is_bearable(first):
                    self.is_flooding = True
                    break
            at = end
        if self._scanner.is_in_payload and not self.is_flooding and at < len(rest):
            at, _ = self._scanner.step(rest, at)  # all there is of the last frame
        data = bytes(rest[:at])
        del rest[:at]
        if self.is_flooding or self.protocol.state is State.CLOSED or self.protocol.eof_sent:
            rest.clear()  # in the last two cases the library would throw it away
        if self.protocol.state is not State.CLOSED and not self.protocol.eof_sent:
            super().data_received(data)
        if rest:
            self._is_queued = True
            self.turns.call(self._unpack)
        self._set_flow()
        if self.is_flooding:
            self.loop.call_later(FAREWELL, self.transport.abort)
            if not self.arrivals:
                self.cut_off()

    def _is_bearable(self, first: int) -> bool:
        """Whether a frame with this first byte is one too many, by its kind."""
        opcode = first & OPCODE
        if opcode == CLOSE:
            return True
        if opcode not in DATA:  # a ping wants a pong
            return self._control.may(self._stamp)
        if first & FIN:
            self._pieces = 0
            return self._messages.may(self._stamp)
        self._pieces += 1  # a piece wants room before there is a message that could be counted
        return self._pieces < MOST_PIECES and self._control.may(self._stamp)

    def cut_off(self) -> None:
        """After the last straw, when what came before it is answered: say why, and wait for nobody."""
        self._say_close(Close.TOO_FAST)
        self.loop.call_later(GOODBYE, self.transport.abort)

    def _hold(self) -> None:
        self._is_held = True
        self._set_flow()

    def _go_on(self) -> None:
        self._is_held = False
        self._set_flow()

    def _set_flow(self) -> None:
        """Read on, unless there is enough to do with what was read."""
        is_enough = self._is_held or bool(self._rest) or self.is_flooding
        if is_enough is self._is_paused or self.transport.is_closing():
            return
        self._is_paused = is_enough
        if is_enough:
            self.transport.pause_reading()
        else:
            self.transport.resume_reading()

    def process_event(self, event: Request | Response | Frame) -> None:
        if isinstance(event, Frame):
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
            self.on_echo(trip, self._stamp, NOTHING_TOLD if self.trigger is None else self.trigger.told())

    # What the outbox wants of a socket.

    def write(self, frame: bytes) -> None:
        if self.trigger is not None:
            self.trigger.wrote(len(frame), clock())
        broadcast((self,), frame, text=self.is_text)

    def buffered(self) -> int:
        return self.transport.get_write_buffer_size()

    def close_with(self, code: Close) -> None:
        """Say why, then end it. Does not wait for the other side."""
        self._say_close(code)
        self.loop.call_later(FAREWELL, self.transport.abort)

    def _say_close(self, code: Close) -> None:
        if self.protocol.state is State.OPEN:
            self.protocol.send_close(int(code), CLOSES[code].sentence)
            self.send_data()

    def begin_trigger(self) -> None:
        """The next frame is a trigger. `send_echo` or `no_echo` must follow."""
        if self.trigger is not None and self.protocol.state is State.OPEN:
            self.trigger.begin(clock())

    def send_echo(self) -> None:
        """A ping right behind a trigger, if the peer is not behind with its answers anyway."""
        if len(self.pings) < UNANSWERED - 1 and self.send_ping():
            self._echo = next(reversed(self.pings), b"")
            for _ in range(0 if self.trigger is None else self.trigger.padding()):
                self.protocol.send_pong(PAD)
            self.send_data()
        self.no_echo()

    def no_echo(self) -> None:
        if self.trigger is not None:
            self.trigger.sent()

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
        info = tcp_info(self.transport.get_extra_info("socket"))
        if info is None:
            return None
        self.retransmits = info.retransmits
        return info.min_rtt


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
