"""Headers of a trusted proxy: the player's address, and the round trip measured by the proxy's kernel (RACES §7)."""

import ipaddress
from collections.abc import Iterable
from typing import TypeAlias

from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request

from photofinish.engine import Micros

HEADER = "X-Photofinish-RTT"
"""In µs, in the upgrade request. nginx: `proxy_set_header X-Photofinish-RTT $tcpinfo_rtt;` overwrites a client's."""
FORWARDED = "X-Forwarded-For"
LONGEST = 60_000_000

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network


class BadProxy(Exception):  # noqa: N818 - the operator reads it as a sentence
    """The value is not an address or a network."""


class Proxies:
    """The addresses of trusted proxies. Headers from any other address are ignored."""

    def __init__(self, trusted: Iterable[str] = ()) -> None:
        try:
            self._trusted: tuple[Network, ...] = tuple(ipaddress.ip_network(it) for it in trusted)
        except ValueError as fault:
            raise BadProxy(
                f"--trust-proxy takes an address or a network such as 10.0.0.0/8: {fault}"
            ) from None

    def round_trip(self, connection: ServerConnection) -> Micros | None:
        """The round trip that a trusted proxy measured; None without one, or if the value is not valid."""
        if not self._trusted or connection.request is None:
            return None
        said = connection.request.headers.get_all(HEADER)
        if (
            len(said) != 1
            or not said[0].isascii()
            or not said[0].isdigit()
            or not self._is_trusted(connection)
        ):
            return None
        micros = int(said[0][:12])
        return Micros(micros) if 0 < micros <= LONGEST else None

    def forwarded(self, connection: ServerConnection, request: Request) -> str | None:
        """The player's address according to a trusted proxy: the last one in the header that is not a trusted proxy."""
        if not self._trusted or not self._is_trusted(connection):
            return None
        said = [it.strip() for line in request.headers.get_all(FORWARDED) for it in line.split(",")]
        for one in reversed(said):
            host = _without_port(one)
            try:
                address = ipaddress.ip_address(host)
            except ValueError:
                return None
            if not any(address in network for network in self._trusted):
                return host
        return None

    def may_be_proxy(self, host: str) -> bool:
        """Whether a connection from this address comes through a proxy: from a trusted one, or any if none is named."""
        return not self._trusted or self._is_named(host)

    def _is_trusted(self, connection: ServerConnection) -> bool:
        peer = connection.remote_address
        return bool(peer) and self._is_named(peer[0])

    def _is_named(self, host: str) -> bool:
        address = ipaddress.ip_address(host.partition("%")[0])
        if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        return any(address in network for network in self._trusted)


def _without_port(said: str) -> str:
    """Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`."""
    if said.startswith("["):
        return said[1:].partition("]")[0]
    return said.partition(":")[0] if said.count(":") == 1 else said
