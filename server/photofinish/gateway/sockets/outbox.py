"""The send queue of one socket. It is bounded: a newer view replaces an older one, and a stalled reader is closed."""

import asyncio
from typing import Protocol

from photofinish.engine import Micros
from photofinish.gateway.sockets.shared_frames import SHARED
from photofinish.node.actor import newer
from photofinish_protocol.codec import Codec
from photofinish_protocol.messages import ServerMessage, View
from photofinish_protocol.reasons import Close

FULL = 64 * 1024
"""Bytes in the transport's buffer above which a view waits here, where a newer one can replace it."""
MAX_WAITING = 256
MAX_BYTES = 256 * 1024
"""Messages other than views that may wait for a slow reader: how many, and their bytes together."""
POLL_EVERY = 0.05
"""Seconds between two checks of the transport's buffer while something waits."""
UNTIMED = Micros(0)
STALL_SECONDS = 8.0
"""A connection whose buffer stays full for this long is closed."""


class SocketPort(Protocol):
    """The socket as the outbox sees it."""

    def write(self, frame: bytes) -> None: ...

    def buffered(self) -> int: ...

    def close(self, code: Close) -> None: ...

    def now(self) -> Micros: ...


class Outbox:
    """Sends messages and views. The `from` of each view is the `seq` of the view written before it."""

    def __init__(self, socket: SocketPort, codec: Codec) -> None:
        self._socket, self._frames = socket, SHARED[codec.subprotocol]
        self._write, self._buffered, self._now = socket.write, socket.buffered, socket.now
        self._encode = codec.encode
        self._seq = 0
        self._room = ""
        self._view: View | None = None
        self._waiting: list[bytes] = []
        self._waiting_bytes = 0
        self._stalled_since: float | None = None
        self._again: asyncio.TimerHandle | None = None
        """The next check of the buffer. None: nothing waits, and the socket takes more."""
        self.is_closed = False

    def send(self, message: ServerMessage) -> None:
        if not self.is_closed:
            self.send_frame(self._frames.message(message))

    def send_alone(self, message: ServerMessage) -> None:
        """Send a message that no other socket gets, such as an answer: its frame is not kept."""
        if self.is_closed:
            return
        if self._again is None and self._buffered() <= FULL:
            self._write(self._encode(message))
        else:
            self.send_frame(self._encode(message))

    def send_frame(self, frame: bytes) -> None:
        """Send an encoded message."""
        if self.is_closed:
            return
        if self._is_full():
            self._waiting.append(frame)
            self._waiting_bytes += len(frame)
            if len(self._waiting) > MAX_WAITING or self._waiting_bytes > MAX_BYTES:
                self.give_up(Close.TOO_SLOW)
            return
        self._write(frame)

    def show(self, view: View) -> Micros | None:
        """Write the view now, or keep it until the reader has caught up. Returns when it was written, or None.

        Without a race nobody asks for the time, and it may be `UNTIMED`.
        """
        if self.is_closed:
            return None
        if self._again is None and self._buffered() <= FULL:
            if view.from_ != self._seq or view.you is None:
                return self._write_view(view)
            # Nearly all views. Each call that is spared counts four times per move.
            frame = self._encode(view)
            self._seq = view.seq
            at = UNTIMED if view.race is None else self._now()
            self._write(frame)
            return at
        if self._view is not None:
            view = newer(self._view, view)
            self._view = None
        if self._is_full():
            self._view = view
            return None
        return self._write_view(view)

    def give_up(self, code: Close) -> None:
        self.is_closed = True
        self._waiting.clear()
        self._view = None
        if self._again is not None:
            self._again.cancel()
        self._socket.close(code)

    def now(self) -> Micros:
        return self._socket.now()

    def forget(self) -> None:
        """The session has changed its room: the next view has `from` 0."""
        self._seq, self._view = 0, None

    def _write_view(self, view: View) -> Micros:
        frame = self._frames.view(view, self._seq)
        self._seq = view.seq
        at = self._now()
        self._write(frame)
        return at

    def _is_full(self) -> bool:
        """Whether the next frame must wait. If so, the buffer is checked again soon."""
        if self._waiting or self._buffered() > FULL:
            if self._again is None:
                loop = asyncio.get_running_loop()
                self._stalled_since = loop.time() if self._stalled_since is None else self._stalled_since
                self._again = loop.call_later(POLL_EVERY, self._poll)
            return True
        self._stalled_since = None
        return False

    def _poll(self) -> None:
        self._again = None
        loop = asyncio.get_running_loop()
        if self._socket.buffered() > FULL:
            if self._stalled_since is not None and loop.time() - self._stalled_since > STALL_SECONDS:
                self.give_up(Close.TOO_SLOW)
            else:
                self._again = loop.call_later(POLL_EVERY, self._poll)
            return
        self._stalled_since = None
        while self._waiting and self._socket.buffered() <= FULL:
            self._waiting_bytes -= len(self._waiting[0])
            self._socket.write(self._waiting.pop(0))
        if self._waiting:
            self._is_full()
        elif self._view is not None:
            view, self._view = self._view, None
            self._write_view(view)
