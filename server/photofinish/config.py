"""What an operator can set: the options of `photofinish serve`, each written once, here.

The command line reads this class. `PHOTOFINISH_` and the option's name in capitals is its environment variable:
`PHOTOFINISH_PORT`, `PHOTOFINISH_DRAIN_SECONDS`. `--redis` is also read from `REDIS_URL`.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter, validators

METRICS_PORT = 9464

AnyPort = Annotated[int, Parameter(validator=validators.Number(gte=0, lte=65_535))]
Many = Annotated[tuple[str, ...], Parameter(negative=())]
Count = Annotated[int, Parameter(validator=validators.Number(gte=0))]


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A field is an option; the text below it is the option's help."""

    host: str = "127.0.0.1"
    """Address to listen on. With 0.0.0.0 other machines can connect."""
    port: AnyPort = 8765
    """Port to listen on. 0 takes a free one."""
    redis: Annotated[str | None, Parameter(env_var=("PHOTOFINISH_REDIS", "REDIS_URL"))] = None
    """An existing Redis instead of the embedded one: redis://, rediss://, unix://, redis+sentinel:// or
    redis+cluster://."""
    data: Path = Path("data")
    """Folder in which the embedded Redis keeps the games."""
    components: Path | None = None
    """Folder with your own decks and boards."""
    behind_proxy: Annotated[bool, Parameter(negative="")] = False
    """Players connect through a proxy, so the kernel's round-trip times are the proxy's."""
    tls_cert: Path | None = None
    """Certificate chain, to serve wss:// directly. SIGHUP reloads it and its key."""
    tls_key: Path | None = None
    """Private key of the certificate."""
    trust_proxy: Many = ()
    """Address or network of a proxy whose X-Photofinish-RTT header is trusted. Implies --behind-proxy.
    Can be repeated."""
    metrics_host: str = "127.0.0.1"
    """Address for /metrics, /healthz and /readyz."""
    metrics_port: AnyPort | None = None
    """Port for metrics; 0 for none. Default: 9464 if it is free."""
    drain_seconds: Annotated[float, Parameter(validator=validators.Number(gte=0))] = 0
    """On SIGTERM: report not ready and open no rooms for this long, then stop."""
    workers: Annotated[int, Parameter(validator=validators.Number(gte=1, lte=256))] = 1
    """Processes on this machine that share one port, one per core. Players and rooms spread over them."""
    public_url: str = ""
    """Where players reach this node, if every node has an address of its own."""
    reuse_port: Annotated[bool, Parameter(show=False)] = False
    """This node shares its port with others (set by --workers)."""
    origin: Many = ()
    """Origin of a web page elsewhere that may connect, such as https://cards.example.org; * for all.
    Can be repeated."""
    host_name: Many = ()
    """Name by which players reach this server, such as cards.example.org. A proof of a key that was made
    for another name is then refused. Can be repeated."""
    access_token_file: Path | None = None
    """File with access tokens, one per line. Clients without one of them are rejected."""
    address_connections: Count = 512
    """Open connections per address."""
    address_requests: Count = 1000
    """Handshakes and page requests per address per ten seconds."""
    address_rooms: Count = 240
    """Rooms opened per address per minute."""
    address_open_rooms: Count = 200
    """Rooms that one address keeps open at a time, on one node."""
    address_bots: Count = 150
    """House bots in the rooms that one address has opened, on one node."""
    address_events: Count = 20
    """Events created per address per day."""
    rehearsal_bots: Count = 64
    """House bots in all rehearsals of events together."""
    no_limits: Annotated[bool, Parameter(negative="")] = False
    """Disable per-address limits and the limit of rehearsals (for load tests)."""
    redis_wait: Annotated[int, Parameter(validator=validators.Number(gte=0, lte=16))] = 0
    """Replicas of Redis that must confirm a move before it is acknowledged or shown: as many as the master has
    if a failover must lose nothing. With fewer replicas than that nothing is acknowledged."""
    redis_wait_ms: Annotated[int, Parameter(validator=validators.Number(gte=1, lte=1000))] = 200
    """Time to wait for their confirmation in one attempt; it is retried until enough replicas confirm."""
