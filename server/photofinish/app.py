"""Puts the server together: store, directory, gateway; and takes it apart again in the right order."""

import asyncio
import contextlib
import gc
import secrets
import signal
import ssl
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

import structlog

from photofinish.config import Settings
from photofinish.games import shelf
from photofinish.gateway.server import Gateway
from photofinish.lab.flash import FLASH
from photofinish.room.directory import Directory
from photofinish.store.embedded import EmbeddedRedis
from photofinish.store.ports import NodeId
from photofinish.store.redis import RedisStore

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class App:
    """A running server."""

    directory: Directory
    gateway: Gateway
    url: str


@contextlib.asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[App]:
    """The server, from the first bind to the last lease."""
    games = shelf() | ({FLASH.key: FLASH} if settings.lab else {})
    node = NodeId(secrets.token_hex(4))
    async with contextlib.AsyncExitStack() as stack:
        embedded = None
        if settings.redis is None:
            embedded = await EmbeddedRedis.start(settings.data)
            stack.push_async_callback(embedded.stop)
        store = await RedisStore.open(settings.redis or embedded.url)  # type: ignore[union-attr]  # one of the two
        stack.push_async_callback(store.close)
        if embedded is not None:
            await store.reclaim()  # nobody else can hold a lease in a store of our own
        directory = Directory(store, node, games)
        gateway = Gateway(directory, node, behind_proxy=settings.behind_proxy)
        await directory.start()
        stack.push_async_callback(directory.stop)
        await gateway.start(settings.host, settings.port, tls=_tls(settings))
        stack.push_async_callback(gateway.stop)
        scheme = "wss" if settings.tls_cert else "ws"
        # What exists now lives as long as the server: keep the collector off it, and so off the race path.
        gc.collect()
        gc.freeze()
        yield App(directory, gateway, f"{scheme}://{settings.host}:{gateway.ports[0]}")


async def serve(settings: Settings, ready: Callable[[App], None]) -> None:
    """Run until SIGINT or SIGTERM."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(sign, stop.set)
    async with running(settings) as app:
        ready(app)
        await stop.wait()
        log.info("stopping")


def _tls(settings: Settings) -> ssl.SSLContext | None:
    if settings.tls_cert is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(settings.tls_cert, settings.tls_key)
    return context
