"""A websocket that records when each frame arrived and how long its pings took, by one clock."""

import socket
from asyncio import BaseTransport
from collections import deque
from collections.abc import Callable
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State

try:
    from websockets.speedups import apply_mask  # in C; `websockets.utils` has it in Python
except ImportError:
    from websockets.utils import apply_mask

from photofinish.engine import Micros
from photofinish.gateway.access.limits import MAX_FRAGMENTS, MAX_REFUSALS
from photofinish.gateway.sockets.flushes import Flushes
from photofinish.gateway.sockets.frame_scanner import (
    BINARY,
    CLOSE,
    DATA,
    FIN,
    OPCODE,
    PONG,
    TEXT,
    FrameScanner,
)
from photofinish.gateway.sockets.kernel import tcp_info
from photofinish.gateway.sockets.own_frames import (
    EXTENDED,
    LARGE,
    PAD_FRAME,
    PING_HEAD,
    TOO_LARGE,
    header,
    medium_header,
    payloads,
)
from photofinish.gateway.sockets.trigger import SECOND_BURST, Trigger
from photofinish.gateway.sockets.turns import Turns
from photofinish.node.clock import clock
from photofinish.room.budget import SECOND, Bucket
from photofinish_protocol.reasons import CLOSES, Close
from photofinish_protocol.version import BURST, RATE

UNANSWERED = 8
"""Most pings without a pong. If all are unanswered, the peer counts as dead."""
FRAMES_AT_ONCE = 4
"""Frames that are parsed at once. The rest of a read waits in `Turns` before the library gets it."""
HEADER, MASKED = 6, 0x80
"""Bytes of the header of a short masked frame, and the mask's bit in the second of them."""
END_OF_HEADERS = b"\r\n\r\n"
MOST_REQUEST = 16 * 1024
"""Bytes of an HTTP request. A browser sends one or two thousand; the library alone would take a megabyte."""
OPEN = State.OPEN
FLOOD_CLOSE_SECONDS = 0.2
"""Seconds between the close frame and the abort for a client that floods. Nothing more is read from it."""
UNSENT_OPTION: int | None = getattr(socket, "TCP_NOTSENT_LOWAT", None)
MOST_UNSENT = 32 * 1024
"""Unsent bytes that the kernel takes for one socket. It would take megabytes for a reader that does not read: old views
that the outbox could not replace any more."""
CLOSE_SECONDS = 2.0
"""Seconds between the close frame and the abort for any other client."""


class Connection(ServerConnection):
    """Timestamps frames before anything else is done with them, and sends without waiting.

    Frames are counted before they are parsed. After too many of them nothing more is read.
    """

    # The library's own 25 attributes are in a dictionary. From 30 on it is five times as large, and a move waits for
    # memory with each attribute, because other rooms have pushed it out of the cache.
    __slots__ = (
        "_control", "_echo", "_fragments", "_has_request", "_is_held", "_is_inside", "_is_paused", "_is_queued",
        "_is_triggering", "_messages", "_opcode", "_postponed", "_postponed_at", "_rest", "_scanner", "_stamp", "_tail",
        "_unwritten", "address", "arrivals", "flushes", "is_flooding", "moves", "on_acked", "on_echo", "on_gone",
        "on_lost", "on_message", "on_open", "on_part", "pings", "pongs", "protocol", "retransmits", "round_trips",
        "transport", "trigger", "turns", "unfinished",
    )  # fmt: skip

    turns: Turns
    moves: Turns
    """How much is parsed, and how many moves are handled without the library, per turn of the event loop."""
    flushes: Flushes
    """These three are shared by all connections of a gateway."""
    is_flooding: bool
    """The client has sent far too many frames: nothing more is read."""
    _opcode: int
    """The first byte of the frames that go out."""
    address: str
    """The address that this connection counts for; empty if it is not counted."""
    is_one_too_many = False
    on_echo: Callable[[Micros, Micros], None] | None
    """Called with the round trip of the ping that follows a trigger, and the time of its pong."""
    on_message: Callable[[bytes, Micros], bool] | None
    """Called with a message that came in one frame. False: it was not handled, and `recv` returns it."""
    trigger: Trigger | None
    """None behind a proxy: there the kernel tells only about the proxy."""
    on_acked: Callable[[Micros], None] | None
    """Called when the kernel has the ACK of a trigger, or has waited for it long enough."""
    on_part: Callable[["Connection", int], bool] | None
    """Called with the bytes by which an unfinished request grows, or shrinks when it ends. False: too many."""
    on_open: Callable[["Connection"], None] | None
    on_lost: Callable[["Connection"], None] | None
    on_gone: Callable[[], None] | None
    """Called when the socket is closed, even while the session is busy."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.is_flooding, self._opcode, self.on_message, self.trigger = False, FIN | BINARY, None, None
        self.on_echo = self.on_acked = self.on_part = self.on_open = self.on_lost = self.on_gone = None
        self.address = ""
        super().__init__(*args, **kwargs)

    def connection_made(self, transport: BaseTransport) -> None:
        self.arrivals: deque[Micros] = deque()
        self.pings: dict[bytes, Micros] = {}
        self.round_trips: list[Micros] = []
        self._echo = b""
        """The payload of the ping that followed the newest trigger."""
        self.retransmits = 0
        """TCP retransmissions so far, when the kernel was last asked."""
        self.pongs = 0
        """Pongs so far that answered a ping of ours."""
        self._unwritten = b""
        """Short frames that are written with the next one, or by `Flushes`."""
        self._stamp = Micros(0)
        self._fragments = 0
        began = clock()
        self._control = Bucket(BURST, BURST * SECOND // RATE, began)
        """Counts pings, pongs and fragments of messages."""
        # The session refuses ten messages before it closes the connection. This limit is just above that: it stops
        # a client that sends faster than the session can answer.
        most = BURST + MAX_REFUSALS + 1
        self._messages = Bucket(most, most * SECOND // (RATE + MAX_REFUSALS), began)
        self._scanner = FrameScanner()
        self._rest = bytearray()
        """Bytes that were read and are not parsed yet. While there are any, nothing more is read."""
        self._is_held = False
        """The library's queue of messages is full."""
        self._is_paused = False
        self._is_triggering = False
        """Between `begin_trigger` and `end_trigger`."""
        self._is_queued = False
        self._postponed = 0
        """The size of the move at the begin of `_rest` that waits for its turn in `moves`."""
        self._postponed_at = Micros(0)
        self._is_inside = False
        """What was read so far ends within a frame."""
        self._has_request = False
        self.unfinished = 0
        """Bytes of the HTTP request received so far, while its end is missing."""
        self._tail = b""
        """The last bytes of the HTTP request received so far."""
        sock = transport.get_extra_info("socket")
        if sock is not None and sock.family in {socket.AF_INET, socket.AF_INET6}:
            # Nagle would hold a trigger back behind an unacknowledged frame, and decide races.
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if UNSENT_OPTION is not None:
                sock.setsockopt(socket.IPPROTO_TCP, UNSENT_OPTION, MOST_UNSENT)
        super().connection_made(transport)
        self.recv_messages.pause, self.recv_messages.resume = self._hold, self._resume
        if self.on_open is not None:
            self.on_open(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._unfinished(0)
        if self.on_lost is not None:
            self.on_lost(self)
        if self.on_gone is not None:
            self.on_gone()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.is_flooding:
            return
        self._stamp = stamp = clock()
        # Nearly every read is exactly one short message that the session can take, or one pong. The library would
        # parse it with a generator, queue it and wake a task: 30 µs. It is passed by only while it waits for the first
        # byte of a frame, so it never notices.
        size = len(data) - HEADER
        if (
            0 < size < EXTENDED
            and data[1] == MASKED | size
            and not self._rest
            and not self._is_inside
            and self.protocol._state is OPEN  # noqa: SLF001 - `state` is a call; a test watches it
            and self._handled_at_once(data, stamp)
        ):
            return
        if self.protocol.state is State.CONNECTING:
            data = self._request_part(data)
        self._rest += data
        if self.protocol.state is not State.CONNECTING and not self._is_queued:
            self._parse()
        else:
            self._set_flow()

    def eof_received(self) -> None:
        if self._postponed:
            self._parse()  # it came whole before the end
        self._rest.clear()
        # The library would close it again. Python 3.11.2 cannot abort a TLS transport that was closed twice.
        if not self.transport.is_closing():
            super().eof_received()

    def opened(self) -> None:
        """The handshake is done: parse the bytes that came with it."""
        if self._rest and not self._is_queued:
            self._parse()

    def _request_part(self, data: bytes) -> bytes:
        """Give the library the HTTP request only. Returns the bytes after it, which wait for the handshake."""
        if self._has_request:
            return data
        seen = self._tail + data
        end = seen.find(END_OF_HEADERS)
        self._has_request = end >= 0
        size = end + len(END_OF_HEADERS) - len(self._tail) if self._has_request else len(data)
        self._tail = seen[1 - len(END_OF_HEADERS) :]
        whole = self.unfinished + size
        if whole > MOST_REQUEST or not self._unfinished(0 if self._has_request else whole):
            self._refuse_request()
            return b""
        super().data_received(data[:size])
        return data[size:]

    def _unfinished(self, size: int) -> bool:
        """So many bytes of an unfinished request are held now. False if the address holds too many."""
        more, self.unfinished = size - self.unfinished, size
        return not more or self.on_part is None or self.on_part(self, more)

    def _refuse_request(self) -> None:
        """Answer without the library, and read nothing more."""
        self.is_flooding = True
        self._unfinished(0)
        if self.protocol.eof_sent:  # it was answered before
            self.transport.abort()
        else:
            self.transport.write(TOO_LARGE)
            self.transport.close()

    def _parse(self) -> None:
        """Count and parse the next few frames. The rest waits in `Turns`."""
        self._is_queued, self._postponed = False, 0
        rest, at, frames = self._rest, 0, 0
        while at < len(rest) and frames < FRAMES_AT_ONCE:
            end, first = self._scanner.step(rest, at)
            if first is not None:
                frames += 1
                if not self._is_within_limits(first):
                    self.is_flooding = True
                    break
            at = end
        if self._scanner.is_in_payload and not self.is_flooding and at < len(rest):
            at, _ = self._scanner.step(rest, at)  # the available payload of the last frame
        self._is_inside = self._scanner.is_inside
        data = bytes(rest[:at])
        del rest[:at]
        if self.is_flooding or self.protocol.state is State.CLOSED or self.protocol.eof_sent:
            rest.clear()  # in the last two cases the library would discard it
        if self.protocol.state is not State.CLOSED and not self.protocol.eof_sent:
            super().data_received(data)
        if rest:
            self._is_queued = True
            self.turns.call(self._parse)
        self._set_flow()
        if self.is_flooding:
            self.loop.call_later(CLOSE_SECONDS, self.transport.abort)
            if not self.arrivals:
                self.cut_off()

    def _handled_at_once(self, data: bytes, stamp: Micros) -> bool:
        """Handle a read that is one short frame, without the library. False: the library must parse it.

        A message is not counted in `_messages`: the session counts it, and has answered it or posted it.
        """
        if data[0] == self._opcode:
            on_message = self.on_message
            if on_message is not None and not self.arrivals and not self._fragments:
                if self.moves.is_now():
                    return on_message(apply_mask(data[HEADER:], data[2:HEADER]), stamp)
                self._postpone(data, stamp)
                return True
        elif data[0] == FIN | PONG and self._control.may(stamp):
            self._ponged(apply_mask(data[HEADER:], data[2:HEADER]))
            return True
        return False

    def _postpone(self, data: bytes, stamp: Micros) -> None:
        """This turn of the loop has had its share of moves: handle this one in a later turn, with its own stamp.

        The library would take it too, with a task and two wake-ups. With 60 busy rooms that was a third of
        all moves.
        """
        self._rest += data
        self._is_queued, self._postponed, self._postponed_at = True, len(data), stamp
        self.moves.call(self._handle_postponed)

    def _handle_postponed(self) -> None:
        size, self._postponed = self._postponed, 0
        if not size:
            return  # the connection has ended
        self._is_queued = False
        data = bytes(self._rest[:size])
        if self.on_message is not None and self.on_message(
            apply_mask(data[HEADER:], data[2:HEADER]), self._postponed_at
        ):
            del self._rest[:size]
        if self._rest:
            self._parse()
        else:
            self._set_flow()

    def _is_within_limits(self, first: int) -> bool:
        """Whether a frame with this first byte is within the limit of its kind."""
        opcode = first & OPCODE
        if opcode == CLOSE:
            return True
        if opcode not in DATA:  # a ping costs us a pong
            return self._control.may(self._stamp)
        if first & FIN:
            self._fragments = 0
            return self._messages.may(self._stamp)
        self._fragments += 1  # a fragment takes memory before there is a message to count
        return self._fragments < MAX_FRAGMENTS and self._control.may(self._stamp)

    def cut_off(self) -> None:
        """Close a connection that floods, after the frames before the flood are answered. Does not wait."""
        self._say_close(Close.TOO_FAST)
        self.loop.call_later(FLOOD_CLOSE_SECONDS, self.transport.abort)

    def _hold(self) -> None:
        self._is_held = True
        self._set_flow()

    def _resume(self) -> None:
        self._is_held = False
        self._set_flow()

    def _set_flow(self) -> None:
        """Pause reading while there are unparsed bytes or the message queue is full; else resume it."""
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
        if self.pings:  # a pong answers all pings before it (RFC 6455 §5.5.3)
            self.pings = {other: at for other, at in self.pings.items() if at > sent}
        self.pongs += 1
        trip = Micros(self._stamp - sent)
        self.round_trips.append(trip)
        if payload == self._echo and self.on_echo is not None:
            self.on_echo(trip, self._stamp)

    def use_text(self, is_text: bool) -> None:
        """Whether messages go out as text frames."""
        self._opcode = FIN | (TEXT if is_text else BINARY)

    # The methods that the outbox needs.

    def write(self, frame: bytes) -> None:
        """Send one message. The library's `broadcast` does the same with ten calls more.

        A short one is written with the next, or in the next turn of the loop (`Flushes`): an ack is nearly always
        followed by a view, and each write is a system call.
        """
        if self.protocol._state is not OPEN:  # noqa: SLF001 - as in `data_received`
            return
        size, unwritten = len(frame), self._unwritten
        if self._is_triggering and self.trigger is not None:
            self.trigger.wrote(size)
            # `send_echo` writes it, with the ping.
            self._unwritten = unwritten + header(size, self._opcode) + frame
        elif size < EXTENDED:
            if not unwritten:
                self.flushes.add(self)
            self._unwritten = unwritten + bytes((self._opcode, size)) + frame
        else:
            # As `header`, without the call.
            head = medium_header(self._opcode, EXTENDED, size) if size < LARGE else header(size, self._opcode)
            if unwritten:
                self._unwritten, head = b"", unwritten + head
            self.transport.write(head + frame)

    def flush(self) -> None:
        """Write the short frames that wait."""
        if self._unwritten:
            data, self._unwritten = self._unwritten, b""
            if self.protocol.state is State.OPEN:
                self.transport.write(data)

    def buffered(self) -> int:
        return self.transport.get_write_buffer_size() + len(self._unwritten)

    def close_with(self, code: Close) -> None:
        """Send a close frame, and abort after `CLOSE_SECONDS`. Does not wait."""
        self._say_close(code)
        self.loop.call_later(CLOSE_SECONDS, self.transport.abort)

    def _say_close(self, code: Close) -> None:
        self.flush()
        if self.protocol.state is State.OPEN:
            self.protocol.send_close(int(code), CLOSES[code].sentence)
            self.send_data()

    def begin_trigger(self) -> None:
        """The next frame is a trigger. `send_echo` or `end_trigger` must follow."""
        if self.trigger is not None and self.protocol.state is State.OPEN:
            self.flush()
            self.trigger.begin(clock())
            self._is_triggering = True

    def send_echo(self) -> None:
        """Send a ping directly after a trigger, unless too many pings are unanswered; then watch for the ACK.

        The trigger, the ping and the padding are one write. With the library's pongs each pad was one more.
        """
        if len(self.pings) < UNANSWERED - 1 and self.protocol.state is State.OPEN:
            self._echo = self._new_ping()
            self._unwritten += PING_HEAD + self._echo
        if self.trigger is not None:
            self._unwritten += PAD_FRAME * self.trigger.padding()
        self.end_trigger()
        if self.trigger is not None and self.trigger.is_watched:
            self.loop.call_later(SECOND_BURST, self._send_pads, self.trigger.burst())
            self.loop.call_later(self.trigger.first_look(), self._look_again)

    def end_trigger(self) -> None:
        self._is_triggering = False
        self.flush()
        if self.trigger is not None:
            self.trigger.sent(clock(), is_buffered=self.buffered() > 0)

    def _send_pads(self, count: int) -> None:
        if count and self.protocol.state is State.OPEN:
            self.transport.write(PAD_FRAME * count)

    def look(self) -> None:
        """A claim has arrived, and it carries the ACK of the trigger: end the watch if it still runs."""
        self._later()

    def _look_again(self) -> None:
        later = self._later()
        if later is not None:
            self.loop.call_later(later, self._look_again)

    def _later(self) -> float | None:
        """Ask the kernel whether the trigger is acknowledged. Returns the seconds until the next look, if any."""
        if self.trigger is None or not self.trigger.is_watched:
            return None
        now = clock()
        later = self.trigger.look(now)
        if later is None and self.on_acked is not None:
            self.on_acked(now)
        return later

    def send_ping(self) -> bool:
        """Send a ping with an unpredictable payload. False if too many pings are unanswered."""
        if self.protocol._state is not OPEN:  # noqa: SLF001 - as in `data_received`
            return True
        if len(self.pings) >= UNANSWERED:
            return False
        self.transport.write(PING_HEAD + self._new_ping())
        return True

    def _new_ping(self) -> bytes:
        payload = next(payloads)
        self.pings[payload] = clock()
        return payload

    def kernel_min_rtt(self) -> Micros | None:
        """The shortest round trip that the kernel has measured on this socket; None if the kernel does not tell."""
        info = tcp_info(self.transport.get_extra_info("socket"))
        if info is None:
            return None
        self.retransmits = info.retransmits
        return info.min_rtt
