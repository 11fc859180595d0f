"""The kernel's proof that a trigger was late: when did the client's kernel acknowledge it?

The trigger, the ping behind it and padding leave together, in more than one full segment. A receiver's kernel
acknowledges that without delay, unless its program leaves data unread or has a small receive buffer. So a window
probe follows, which forces the ACK; it needs the capability `CAP_NET_ADMIN`. 10 ms later a second padded burst
follows: ACKs are cumulative, so one lost ACK does not look like a late line. The padding is unsolicited pongs, which
every websocket client ignores.
"""

import sys
from typing import Any

from photofinish.engine import Micros
from photofinish.gateway.sockets.kernel import (
    TcpInfo,
    bytes_without_ack,
    cork,
    force_ack,
    may_force_acks,
    tcp_info,
)
from photofinish.race.lag import LOOKS, Lag
from photofinish.race.params import Params

PAD = bytes(125)
"""The longest payload of a control frame."""
FRAMED = len(PAD) + 2
SPARE = 64
"""Bytes beyond one segment: TCP options and TLS may take some of it."""
WIDEST = 9_000
"""A larger segment (loopback has 64 KB) is not padded: such a line is never late."""
SECOND_BURST = 0.01
"""Seconds between the trigger and the second padded burst."""
PROBE_APART = Micros(550_000)
"""A kernel answers one probe in 500 ms. One that follows sooner does not force an ACK."""
CAP = Params().cap


def missing_proof(*, behind_proxy: bool) -> str:
    """Why this server has no full proof of late lines, in words; empty if it has it."""
    if behind_proxy:
        return "behind a proxy: the kernel tells only about the proxy"
    if not sys.platform.startswith("linux"):
        return "this platform has no TCP_INFO"
    if not may_force_acks():
        return "not permitted to force ACKs (CAP_NET_ADMIN): a native client can delay them"
    return ""


class Trigger:
    """Watches the newest trigger of one socket."""

    def __init__(self, sock: Any, lag: Lag) -> None:
        self._sock = sock
        self._lag = lag
        info = tcp_info(sock)
        self.has_proof = info is not None
        """Whether the kernel reports anything about this socket."""
        self.is_watched = False
        """Whether the ACK of a trigger is awaited."""
        self.is_delayable = False
        """Whether a program at the other end can delay that ACK: it was not forced."""
        self._probed: Micros | None = None
        self._is_corked = False
        self._mss = self._written = self._awaited = 0
        self._sent = self._base = Micros(0)

    def begin(self, now: Micros) -> None:
        """The next frame is a trigger."""
        info = tcp_info(self._sock)
        self.is_watched = self.is_delayable = False
        self._mss = 0 if info is None or info.mss > WIDEST else info.mss
        if info is None or not self._mss:
            return
        self._awaited = info.bytes_acked + bytes_without_ack(self._sock) + 1
        self._base = self._lag.path(now).base(CAP)
        self._written = 0
        cork(self._sock, on=True)
        self._is_corked = True

    def wrote(self, size: int) -> None:
        """A frame was written to the socket."""
        self._written += size

    def padding(self) -> int:
        """How many pads must follow, so that more than one segment is filled."""
        return max(0, -(-(self._mss + SPARE - self._written) // FRAMED)) if self._mss else 0

    def burst(self) -> int:
        """How many pads the second burst has."""
        return -(-(self._mss + SPARE) // FRAMED) if self._mss else 0

    def sent(self, now: Micros, *, is_buffered: bool) -> None:
        """Everything is written. `is_buffered`: a part did not fit into the kernel's queue; its ACK is not awaited."""
        if self._is_corked:
            self._is_corked = False
            cork(self._sock, on=False)
            self._sent = now
            self.is_watched = not is_buffered
            self.is_delayable = self.is_watched and not self._force_ack(now)

    def _is_out(self, info: TcpInfo) -> bool:
        """Whether the trigger was sent. A client can keep its receive window closed, and that is no late line."""
        return info.bytes_acked + bytes_without_ack(self._sock) - info.notsent >= self._awaited

    def _force_ack(self, now: Micros) -> bool:
        if self._probed is not None and now - self._probed < PROBE_APART:
            return False
        self._probed = now
        return force_ack(self._sock)

    def first_look(self) -> float:
        """Seconds until the first look."""
        return max(0, self._base + LOOKS[0]) / 1_000_000

    def look(self, now: Micros) -> float | None:
        """Is the ACK there? Returns the seconds until the next look; None: the watch is over."""
        if not self.is_watched:
            return None
        info = tcp_info(self._sock)
        passed = Micros(now - self._sent)
        later = next((it for it in LOOKS if self._base + it > passed), None)
        if info is not None and info.bytes_acked < self._awaited and self._is_out(info):
            self._lag.unacked(passed)
            if later is not None:
                return (self._base + later - passed) / 1_000_000
        self.is_watched = False
        self._lag.acked(passed)
        return None
