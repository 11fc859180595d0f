"""Starts the parts of the server (store, directory, gateway) and stops them in the reverse order."""

import asyncio
import contextlib
import gc
import hashlib
import os
import secrets
import signal
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass

import structlog

from photofinish.config import METRICS_PORT, Settings
from photofinish.doctor.warn import say_losses
from photofinish.engine import AnyGame
from photofinish.engine.decks.components import FOLDER
from photofinish.games import all_games
from photofinish.gateway.access.admission import Admission
from photofinish.gateway.access.auth import AccessTokens, HostNames, Origins, is_loopback
from photofinish.gateway.access.limits import Allowance
from photofinish.gateway.access.proxy import Proxies
from photofinish.gateway.http.admin import Admin
from photofinish.gateway.server import Gateway
from photofinish.node.directory import Directory
from photofinish.node.relay import Relay
from photofinish.shutdown import Shutdown, end_process_soon
from photofinish.store.embedded.server import EmbeddedRedis
from photofinish.store.mail import RedisMail
from photofinish.store.ports import NodeId
from photofinish.store.redis import RedisStore
from photofinish.store.replication import NONE as NO_REPLICATION
from photofinish.store.replication import Replication
from photofinish.telemetry import METRICS_TYPE, Metrics
from photofinish.tournament.director.events import Events

log = structlog.get_logger(__name__)

COLLECT = (4_000, 50, 200)
"""Thresholds of the garbage collector. With Python's default (700, 10, 10), frames full of small lists from any client
start full collections. A collection of 20,000 young objects takes 5 ms, of 4,000 under 1 ms."""
NO_MORE: Mapping[str, AnyGame] = {}


@dataclass(slots=True)
class App:
    """A running server."""

    directory: Directory
    gateway: Gateway
    url: str
    metrics_url: str | None
    tls: ssl.SSLContext | None


@contextlib.asynccontextmanager
async def running(settings: Settings, more_games: Mapping[str, AnyGame] = NO_MORE) -> AsyncIterator[App]:
    """Run the server inside this context. On exit its sockets are closed and its leases released.

    `more_games` are offered in addition to those in `games/`.
    """
    node = NodeId(secrets.token_hex(4))
    proxies, tls, metrics = Proxies(settings.trust_proxy), _tls(settings), Metrics()
    admission = _admission(settings, proxies)
    shutdown = Shutdown()
    async with contextlib.AsyncExitStack() as stack:
        # Load the games while Redis loads its data: both take time.
        loading = asyncio.create_task(asyncio.to_thread(all_games))
        if FOLDER in os.environ:
            await loading  # the host's own decks and boards may be broken: fail before anything else starts
        embedded = None
        if settings.redis is None:
            embedded = await EmbeddedRedis.start(settings.data)
            stack.push_async_callback(shutdown.step, "embedded Redis", embedded.stop, 2.0)
        url = settings.redis or embedded.url  # type: ignore[union-attr]  # one of the two
        # The embedded Redis has no replicas to wait for.
        replication = (
            Replication(settings.redis_wait, settings.redis_wait_ms) if settings.redis else NO_REPLICATION
        )
        if not settings.reuse_port:  # with several workers the parent logs it once
            stack.push_async_callback(asyncio.wait, {asyncio.create_task(say_losses(settings))})
        store = await RedisStore.open(url, replication=replication)
        stack.push_async_callback(shutdown.step, "store", store.close, 0.5)
        if embedded is not None:
            await store.reclaim()  # no other process can hold a lease in the embedded Redis
        games = {**await loading, **more_games}
        directory = Directory(
            store,
            node,
            games,
            metrics=metrics,
            membership=store.membership(node, _games_hash(games)),
            most_bots=0 if settings.no_limits else settings.address_bots,
        )
        mail = RedisMail(url, node)
        stack.push_async_callback(shutdown.step, "mail", mail.close, 0.5)
        relay = Relay(mail, node, directory, settings.public_url)
        most_bots = None if settings.no_limits else settings.rehearsal_bots
        behind_proxy = settings.behind_proxy or bool(settings.trust_proxy)
        events = Events(store.events(node), directory, relay, games, most_bots, behind_proxy=behind_proxy)
        gateway = Gateway(
            directory,
            node,
            events=events,
            behind_proxy=behind_proxy,
            proxies=proxies,
            relay=relay,
            admission=admission,
            host_names=HostNames(settings.host_name),
        )
        metrics.watch(directory, gateway)
        await relay.start()
        stack.push_async_callback(shutdown.step, "relay", relay.stop, 0.5)
        await directory.start()
        stack.push_async_callback(shutdown.step, "rooms", directory.stop, 2.0)
        events.start()
        stack.push_async_callback(shutdown.step, "events", events.stop, 1.0)
        await gateway.start(settings.host, settings.port, tls=tls, reuse_port=settings.reuse_port)
        stack.push_async_callback(shutdown.step, "gateway", gateway.stop, 3.0)
        metrics_url = await _admin(settings, gateway, metrics, stack, shutdown)
        scheme = "wss" if settings.tls_cert else "ws"
        # What exists now lives as long as the server: exclude it from collections, which would delay races.
        gc.collect()
        gc.freeze()
        gc.set_threshold(*COLLECT)
        yield App(directory, gateway, f"{scheme}://{settings.host}:{gateway.ports[0]}", metrics_url, tls)


async def serve(
    settings: Settings, ready: Callable[[App], None], more_games: Mapping[str, AnyGame] = NO_MORE
) -> None:
    """Run until SIGINT or SIGTERM. SIGHUP reads the certificate again, if there is one."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    is_up = False

    def told_to_stop() -> None:
        stop.set()
        if not is_up:  # a Redis that hangs can block the start
            end_process_soon()

    for sign in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(sign, told_to_stop)
    loop.add_signal_handler(signal.SIGHUP, _nothing_to_reload)
    async with running(settings, more_games) as app:
        is_up = True
        if app.tls is not None:
            loop.add_signal_handler(signal.SIGHUP, _reload, settings, app.tls)
        ready(app)
        await stop.wait()
        if settings.drain_seconds:
            log.info("draining", seconds=settings.drain_seconds)
            app.directory.is_draining = True
            stop.clear()
            with contextlib.suppress(TimeoutError):  # a second signal ends the drain
                await asyncio.wait_for(stop.wait(), settings.drain_seconds)
        log.info("stopping")
        end_process_soon()


def _nothing_to_reload() -> None:
    log.info("SIGHUP: no certificate to read again")


def _games_hash(games: Mapping[str, AnyGame]) -> str:
    """A hash of the games and their versions. Rooms move freely only between nodes with the same hash."""
    names = " ".join(f"{key}={game.version}" for key, game in sorted(games.items()))
    return hashlib.sha256(names.encode()).hexdigest()[:16]


async def _admin(
    settings: Settings,
    gateway: Gateway,
    metrics: Metrics,
    stack: contextlib.AsyncExitStack,
    shutdown: Shutdown,
) -> str | None:
    """Start the operator's port, unless it is turned off. The default port is used only if it is free."""
    if settings.metrics_port == 0:
        return None
    admin = Admin(gateway.pages, metrics.page, METRICS_TYPE)
    try:
        await admin.start(settings.metrics_host, settings.metrics_port or METRICS_PORT)
    except OSError:
        if settings.metrics_port is not None:
            raise
        log.warning("no metrics: the default port is in use", port=METRICS_PORT)
        return None
    stack.push_async_callback(shutdown.step, "metrics", admin.stop, 0.5)
    return f"http://{settings.metrics_host}:{admin.ports[0]}/metrics"


def _admission(settings: Settings, proxies: Proxies) -> Admission:
    """Origins, access tokens and the limits per address."""
    behind_proxy = settings.behind_proxy or bool(settings.trust_proxy)
    is_local = is_loopback(settings.host)
    tokens = AccessTokens.read(settings.access_token_file)
    if not is_local and not tokens.are_wanted:
        log.warning(
            "ANYBODY who can reach this address can play here; use --access-token-file to require a token",
            host=settings.host,
        )
    if not (is_local or settings.host_name):
        log.warning(
            "a proof of a key that was made for another server is accepted here; name this one with --host-name",
            host=settings.host,
        )
    if behind_proxy and not settings.trust_proxy:
        log.warning(
            "per-address limits are off: the proxy is not named by --trust-proxy, so its headers are not used"
        )
    allowance = Allowance(
        connections=settings.address_connections,
        requests=settings.address_requests,
        rooms=settings.address_rooms,
        open_rooms=settings.address_open_rooms,
        events=settings.address_events,
    )
    return Admission(
        origins=Origins(settings.origin, is_loopback=is_local and not behind_proxy),
        tokens=tokens,
        allowance=Allowance(0, 0, 0, 0, 0, 0) if settings.no_limits else allowance,
        proxies=proxies,
        behind_proxy=behind_proxy,
    )


def _reload(settings: Settings, live: ssl.SSLContext) -> None:
    """Load the certificate again for new handshakes. Open connections keep theirs."""
    assert settings.tls_cert is not None
    try:
        _tls(settings)  # try a separate context first: a wrong pair must not break the live one
        live.load_cert_chain(settings.tls_cert, settings.tls_key)
    except OSError as fault:  # an SSLError is one
        log.error("the certificate cannot be read; the old one stays in use", fault=str(fault))  # noqa: TRY400 - no traceback
    else:
        log.info("certificate read again", file=str(settings.tls_cert))


def _tls(settings: Settings) -> ssl.SSLContext | None:
    if settings.tls_cert is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(settings.tls_cert, settings.tls_key)
    return context
