"""Start the server. Imported alone: whoever waits for a seat after a crash waits for these imports too."""

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter, validators

from photofinish import app as server
from photofinish.commands.base import app
from photofinish.config import Settings
from photofinish.engine.components import FOLDER, BrokenComponents
from photofinish.gateway.auth import BadAccess
from photofinish.gateway.proxy import BadProxy
from photofinish.store.binary import NoBinary
from photofinish.store.connect import BadUrl
from photofinish.store.datafolder import FolderInUse
from photofinish.store.embedded import EmbeddedFailed
from photofinish.store.ports import StoreAway
from photofinish.telemetry import set_up_logging, shown_url
from photofinish.workers import supervise


@app.command
def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8765,
    redis: Annotated[str | None, Parameter(env_var="REDIS_URL")] = None,
    data: Path = Path("data"),
    components: Path | None = None,
    behind_proxy: bool = False,
    tls_cert: Path | None = None,
    tls_key: Path | None = None,
    trust_proxy: tuple[str, ...] = (),
    metrics_host: str = "127.0.0.1",
    metrics_port: int | None = None,
    drain_seconds: float = 0,
    workers: int = 1,
    public_url: str = "",
    reuse_port: Annotated[bool, Parameter(show=False)] = False,
    origin: tuple[str, ...] = (),
    access_token_file: Path | None = None,
    address_connections: int = 512,
    address_requests: int = 1000,
    address_rooms: int = 240,
    no_limits: Annotated[bool, Parameter(negative="")] = False,
    redis_wait: Annotated[int, Parameter(validator=validators.Number(gte=0, lte=16))] = 0,
    redis_wait_ms: Annotated[int, Parameter(validator=validators.Number(gte=1, lte=1000))] = 200,
    json_logs: bool = False,
    verbose: bool = False,
    lab: Annotated[bool, Parameter(show=False)] = False,
    loop: Annotated[Literal["uvloop", "asyncio"], Parameter(show=False)] = "uvloop",
) -> int:
    """Start the server, on its embedded Redis unless --redis names another one.

    Parameters
    ----------
    host
        Address to listen on. 0.0.0.0 lets other machines in.
    port
        Port to listen on. 0 takes a free one.
    redis
        An existing Redis instead of the embedded one: redis://, rediss://, unix://, redis+sentinel:// or
        redis+cluster://.
    data
        Where the embedded Redis keeps the games.
    components
        A folder with your own decks and boards.
    behind_proxy
        Players come through a proxy, so the kernel's round trips say nothing about them.
    tls_cert
        Certificate chain, to speak wss:// directly. SIGHUP reads it and its key again.
    tls_key
        Its private key.
    trust_proxy
        A proxy's address or network, whose X-Photofinish-RTT header is believed. Implies --behind-proxy.
    metrics_host
        Address for /metrics, /healthz and /readyz.
    metrics_port
        Its port; 0 for none. Unless given, 9464 if that is free.
    drain_seconds
        When told to stop: be unready and open no rooms for so long, then stop.
    workers
        Nodes on this machine, all on one port: one for each core. Players and rooms spread over them.
    public_url
        Where players reach this very node, if each node has an address of its own.
    reuse_port
        One of several nodes on this port.
    origin
        A page elsewhere that may connect, such as https://cards.example.org; * for all. Can be repeated.
    access_token_file
        Tokens, one a line. Who shows none of them is turned away.
    address_connections
        Connections one address may have open.
    address_requests
        Handshakes and pages one address may ask for in ten seconds.
    address_rooms
        Rooms one address may open a minute.
    no_limits
        No limits an address, for load tests.
    redis_wait
        So many replicas of Redis must have a move before it is acknowledged or shown: 1 where a failover must lose
        none. With fewer replicas than that nothing is acknowledged at all.
    redis_wait_ms
        How long one look for their confirmation lasts; then it is looked again.
    json_logs
        Log lines as JSON.
    verbose
        More log lines.
    lab
        Offer the laboratory's own game as well.
    loop
        Which event loop.
    """
    set_up_logging(is_json=json_logs, is_verbose=verbose)
    if components is not None:
        os.environ[FOLDER] = str(components)
    settings = Settings(
        host, port, redis, data, behind_proxy, tls_cert, tls_key, lab, trust_proxy, metrics_host,
        metrics_port, drain_seconds, public_url, workers, reuse_port, origin, access_token_file,
        address_connections, address_requests, address_rooms, no_limits, redis_wait, redis_wait_ms,
    )  # fmt: skip
    try:
        with asyncio.Runner(loop_factory=_loop() if loop == "uvloop" else None) as runner:
            if workers > 1:
                more = [*(["--json-logs"] if json_logs else []), *(["--verbose"] if verbose else [])]
                runner.run(supervise(settings, [*more, "--loop", loop], _greet_at))
            else:
                runner.run(server.serve(settings, lambda running: _greet_at(running.url)))
    except (
        BadAccess, BadProxy, BadUrl, BrokenComponents, NoBinary, FolderInUse, EmbeddedFailed, StoreAway, OSError
    ) as fault:  # fmt: skip
        print(f"photofinish: {shown_url(str(fault))}", file=sys.stderr)
        return 1
    return 0


def _loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Uvloop where there is one."""
    try:
        import uvloop  # noqa: PLC0415 - not on every platform
    except ImportError:
        return None
    return uvloop.new_event_loop


def _greet_at(address: str) -> None:
    url = address.replace("0.0.0.0", "127.0.0.1")  # noqa: S104 - only what to type, not what to bind
    page = url.replace("ws", "http", 1)
    print(
        f"Photofinish is at {url}  (page: {page})\n"
        f"  play in this terminal's neighbour:  photofinish play {url} --game cambio --bots 3\n"
        f"  or join a room with a bot:          photofinish bot {url} --room CODE --player house\n"
        f"Ctrl-C stops it; the games are kept and go on at the next start.",
        flush=True,
    )
