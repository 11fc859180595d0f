"""What the kernel tells about a TCP socket: `TCP_INFO`, the bytes without an ACK, and `TCP_CORK`."""

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
MIN_RTT = 148
"""In µs."""
LEAST = MIN_RTT + 4
"""A shorter `struct tcp_info` (before Linux 4.6) lacks these fields."""
SIOCOUTQ = 0x5411


class TcpInfo(NamedTuple):
    """One reading."""

    mss: int
    bytes_acked: int
    retransmits: int
    min_rtt: Micros


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
    return TcpInfo(mss, acked, retransmits, Micros(least))


def bytes_without_ack(sock: Any) -> int:
    """The bytes in the kernel's send queue: sent without an ACK, or not sent yet."""
    (count,) = struct.unpack("=i", fcntl.ioctl(sock.fileno(), SIOCOUTQ, bytes(4)))
    return int(count)


def cork(sock: Any, *, on: bool) -> None:
    """While it is on, the kernel sends full segments only. Nothing happens if the socket is closed."""
    with suppress(OSError):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, int(on))
