"""What the kernel reports about a TCP socket, and what we request of it: `TCP_INFO`, `TCP_CORK`, and forced ACKs."""

import fcntl
import socket
import struct
import sys
from contextlib import suppress
from typing import Any, NamedTuple

from photofinish.engine import Micros

_fields = struct.Struct("=16x I 80x I 16x Q 16x II")
"""Of Linux' `struct tcp_info`, at their offsets: snd_mss 16, total_retrans 100, bytes_acked 120, notsent_bytes 144,
min_rtt (in µs) 148. One call for all: this is read with every ping and every trigger."""
MIN_RTT = 148
LEAST = MIN_RTT + 4
"""A shorter `struct tcp_info` (before Linux 4.6) lacks these fields."""
IS_LINUX = sys.platform.startswith("linux")
SIOCOUTQ = 0x5411
TCP_REPAIR = 19
REPAIR_ON, REPAIR_OFF, REPAIR_OFF_SILENTLY = 1, 0, -1


class TcpInfo(NamedTuple):
    """One reading."""

    mss: int
    bytes_acked: int
    retransmits: int
    min_rtt: Micros
    notsent: int
    """Bytes that are queued and were never sent: the receive window of the other end is full, or the path is."""


def tcp_info(sock: Any) -> TcpInfo | None:
    """None if the kernel does not tell: not Linux, not TCP, or the socket is closed."""
    if not IS_LINUX or sock is None or sock.fileno() < 0:
        return None
    try:  # any other kind of socket has no such option. To ask for its family takes as long as this
        info = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
    except OSError:
        return None
    if len(info) < LEAST:
        return None
    mss, retransmits, acked, notsent, least = _fields.unpack_from(info)
    return TcpInfo(mss, acked, retransmits, Micros(least), notsent)


def bytes_without_ack(sock: Any) -> int:
    """The bytes in the kernel's send queue: sent without an ACK, or not sent yet."""
    (count,) = struct.unpack("=i", fcntl.ioctl(sock.fileno(), SIOCOUTQ, bytes(4)))
    return int(count)


def cork(sock: Any, *, on: bool) -> None:
    """While it is on, the kernel sends full segments only. Nothing happens if the socket is closed."""
    with suppress(OSError):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, int(on))


def force_ack(sock: Any) -> bool:
    """Send a window probe: a segment whose number lies before the window. The other end's kernel must answer it at once
    with an ACK of all that it has (RFC 9293 §3.10.7.4), whatever its program does or leaves unread.

    Linux sends one when a socket leaves repair mode. That takes the capability `CAP_NET_ADMIN`. False: not permitted.
    """
    try:
        sock.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, REPAIR_ON)
        sock.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, REPAIR_OFF)
        # Repair mode clears this. Without it the port could not be bound again while old connections end.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    except OSError:
        return False
    return True


def may_force_acks() -> bool:
    """Whether this process may force ACKs."""
    if not sys.platform.startswith("linux"):
        return False
    with socket.socket() as sock:
        try:
            sock.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, REPAIR_ON)
            sock.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, REPAIR_OFF_SILENTLY)
        except OSError:
            return False
    return True
