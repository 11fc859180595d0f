"""What waits for one socket. Bounded: the newest view wins, and a reader that stops reading is let go."""

import asyncio
from collections import deque
from typing import Protocol

from photofinish.engine import Micros
from photofinish.gateway.shared_frames import SHARED
from photofinish.node.actor import newer
from photofinish_protocol.codec import Codec
from photofinish_protocol.messages import ServerMessage, View
from photofinish_protocol.reasons import Close

FULL = 64 * 1024
"""Bytes in the transport's buffer beyond which a view waits here instead, where a newer one can replace it."""
MOST_WAITING = 256
MOST_BYTES = 256 * 1024
"""Messages other than views that may wait for a slow reader, and how long they may be together."""
LOOK_AGAIN = 0.05
PATIENCE = 8.0
"""Seconds a reader may stand still before it is let go."""


class SocketPort(Protocol):
    """The socket as the outbox sees it."""

    def write(self, frame: bytes) -> None: ...

    def buffered(self) -> int: ...

    def close(self, code: Close) -> None: ...

    def now(self) -> Micros: ...


class Outbox:
    """Keeps the chain: each view's `from` is the `seq` last handed to this socket."""

    def __init__(self, wire: SocketPort, codec: Codec) -> None:
        self._wire, self._frames = wire, SHARED[codec.subprotocol]
        self._seq = 0
        self._room = ""
        self._view: View | None = None
        self._waiting: deque[bytes] = deque()
        self._held = 0
        self._stalled: float | None = None
        self._again: asyncio.TimerHandle | None = None
        self.is_closed = False

    def send(self, message: ServerMessage) -> None:
        if not self.is_closed:
            self.send_frame(self._frames.message(message))

    def send_frame(self, frame: bytes) -> None:
        """Send a message that is encoded already."""
        if self.is_closed:
            return
        if self._is_full():
            self._waiting.append(frame)
            self._held += len(frame)
            if len(self._waiting) > MOST_WAITING or self._held > MOST_BYTES:
                self.give_up(Close.TOO_SLOW)
            return
        self._wire.write(frame)

    def show(self, view: View) -> Micros | None:
        """Hand the view over now, or keep it until the reader has caught up. Says when it was handed over."""
        if self.is_closed:
            return None
        if self._view is not None:
            view = newer(self._view, view)
            self._view = None
        if self._is_full():
            self._view = view
            return None
        return self._hand(view)

    def give_up(self, code: Close) -> None:
        self.is_closed = True
        self._waiting.clear()
        self._view = None
        if self._again is not None:
            self._again.cancel()
        self._wire.close(code)

    def now(self) -> Micros:
        return self._wire.now()

    def forget(self) -> None:
        """The session is in another room now, or in none: the chain begins anew."""
        self._seq, self._view = 0, None

    def _hand(self, view: View) -> Micros:
        frame = self._frames.view(view, self._seq)
        self._seq = view.seq
        at = self._wire.now()
        self._wire.write(frame)
        return at

    def _is_full(self) -> bool:
        """Must it wait? Then look again soon."""
        if self._waiting or self._wire.buffered() > FULL:
            if self._again is None:
                loop = asyncio.get_running_loop()
                self._stalled = loop.time() if self._stalled is None else self._stalled
                self._again = loop.call_later(LOOK_AGAIN, self._look)
            return True
        self._stalled = None
        return False

    def _look(self) -> None:
        self._again = None
        loop = asyncio.get_running_loop()
        if self._wire.buffered() > FULL:
            if self._stalled is not None and loop.time() - self._stalled > PATIENCE:
                self.give_up(Close.TOO_SLOW)
            else:
                self._again = loop.call_later(LOOK_AGAIN, self._look)
            return
        self._stalled = None
        while self._waiting and self._wire.buffered() <= FULL:
            self._held -= len(self._waiting[0])
            self._wire.write(self._waiting.popleft())
        if self._waiting:
            self._is_full()
        elif self._view is not None:
            view, self._view = self._view, None
            self._hand(view)
