"""What an operator can set, on the command line or by environment variables of the same name."""

from dataclasses import dataclass, field
from pathlib import Path

METRICS_PORT = 9464


def default_data() -> Path:
    return Path("data")


@dataclass(frozen=True, slots=True)
class Settings:
    host: str = "127.0.0.1"
    port: int = 8765
    redis: str | None = None
    data: Path = field(default_factory=default_data)
    behind_proxy: bool = False
    tls_cert: Path | None = None
    tls_key: Path | None = None
    lab: bool = False
    """Offer the laboratory's own game as well."""
    trust_proxy: tuple[str, ...] = ()
    """Addresses or networks of proxies whose word on a player's round trip is believed."""
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = 0
    """0: no metrics. None: the usual port, if it is free."""
    drain_seconds: float = 0
    """How long a server that was told to stop says so to probes before it does."""
    public_url: str = ""
    """Where players reach this very node, if that is another address than the other nodes'."""
    workers: int = 1
    """Nodes on this machine, on one port."""
    reuse_port: bool = False
    """This node is one of several on its port."""
    origin: tuple[str, ...] = ()
    """Pages elsewhere that may connect; `*` for all."""
    access_token_file: Path | None = None
    """Tokens, one a line: who shows none of them is turned away."""
    address_connections: int = 512
    address_requests: int = 1000
    address_rooms: int = 240
    """What one address may have: connections at a time, requests in ten seconds, rooms a minute."""
    no_limits: bool = False
    """No limits an address, for load tests."""
    redis_wait: int = 0
    """So many replicas must have a move before it is acknowledged."""
    redis_wait_ms: int = 200
    """How long one look for them lasts; then it is looked again, and nothing is acknowledged meanwhile."""
