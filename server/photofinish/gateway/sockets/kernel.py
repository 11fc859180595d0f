"""What the kernel reports about a TCP socket, and what we request of it: `TCP_INFO`, `TCP_CORK`, and forced ACKs."""

import fcntl
import socket
import struct
import sys
from contextlib import suppress
from typing import Any, NamedTuple

from photofinish.engine import Micros

# Offsets in Linux' `struct tcp_info`.
SND_MSS = 16
TOTAL_RETRANS = 100
BYTES_ACKED = 120
NOTSENT_BYTES = 144
MIN_RTT = 148
"""In µs."""
LEAST = MIN_RTT + 4
"""A shorter `struct tcp_info` (before Linux 4.6) lacks these fields."""
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
    if not sys.platform.startswith("linux"):
        return None
    if sock is None or sock.fileno() < 0 or sock.family not in {socket.AF_INET, socket.AF_INET6}:
        return None
    try:
        info = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
    except OSError:
        return None
    if len(info) < LEAST:
        return None
    (mss,) = struct.unpack_from("=I", info, SND_MSS)
    (acked,) = struct.unpack_from("=Q", info, BYTES_ACKED)
    (retransmits,) = struct.unpack_from("=I", info, TOTAL_RETRANS)
    (least,) = struct.unpack_from("=I", info, MIN_RTT)
    (notsent,) = struct.unpack_from("=I", info, NOTSENT_BYTES)
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
