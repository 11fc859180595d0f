"""What the kernel knows of a socket: `TCP_INFO`, and the round trip of one trigger that no program can stretch."""

import socket
import struct
import sys
from typing import Any, NamedTuple

from photofinish.engine import Micros

# Where the fields stand in Linux' `struct tcp_info`.
SND_MSS = 16
UNACKED = 24
RTT = 68
"""Smoothed, in µs: each sample moves it by an eighth."""
TOTAL_RETRANS = 100
MIN_RTT = 148
"""In µs."""
WIDEST = 9_000
"""A segment that is larger (loopback has 64 KB) is not filled up: there the acknowledgement can be delayed."""


class TcpInfo(NamedTuple):
    """A reading."""

    mss: int
    unacked: int
    """Segments on their way."""
    rtt: Micros
    retransmits: int
    min_rtt: Micros


def tcp_info(sock: Any) -> TcpInfo | None:
    """None where the kernel does not say."""
    if not sys.platform.startswith("linux"):
        return None
    if sock is None or sock.family not in {socket.AF_INET, socket.AF_INET6}:
        return None
    info = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
    if len(info) < MIN_RTT + 4:
        return None
    mss, unacked, rtt, retransmits, least = (
        struct.unpack_from("=I", info, at)[0] for at in (SND_MSS, UNACKED, RTT, TOTAL_RETRANS, MIN_RTT)
    )
    return TcpInfo(mss, unacked, Micros(rtt), retransmits, Micros(least))


def cork(sock: Any, *, on: bool) -> None:
    """While it is on, the kernel sends full segments only."""
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, int(on))


def sample(before: TcpInfo, after: TcpInfo) -> Micros:
    """The one round trip that moved the smoothed one from `before` to `after`."""
    return Micros(max(0, 8 * after.rtt - 7 * before.rtt))
