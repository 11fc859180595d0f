"""`serve --workers N`: several nodes on one machine, one port, one Redis. The parent only supervises them."""

import asyncio
import contextlib
import os
import signal
import socket
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import structlog

from photofinish.config import METRICS_PORT, Settings
from photofinish.doctor.warn import say_losses
from photofinish.store.embedded.child import die_with_us
from photofinish.store.embedded.server import EmbeddedRedis
from photofinish.store.redis import RedisStore

log = structlog.get_logger(__name__)

AGAIN = 0.5
"""Seconds before a dead worker is restarted."""
SHUTDOWN = 7.5
"""Seconds that a worker has to stop after its drain: a little more than its own limit."""
NOT_THEIRS = {"workers", "data", "host", "port", "redis", "reuse_port", "metrics_port"}


async def supervise(settings: Settings, more: list[str], ready: Callable[[str], None]) -> None:
    """Start the workers and keep them up until SIGINT or SIGTERM."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(sign, stop.set)
    workers: list[_Worker] = []
    loop.add_signal_handler(signal.SIGHUP, _tell_all, workers, signal.SIGHUP)
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(asyncio.wait, {asyncio.create_task(say_losses(settings))})
        url = settings.redis
        if url is None:
            embedded = await EmbeddedRedis.start(settings.data)
            stack.push_async_callback(embedded.stop)
            url = embedded.url
            store = await RedisStore.open(url)
            await store.reclaim()  # once, before any worker holds a lease
            await store.close()
        # Reserves the port for all workers, also while one restarts.
        place = stack.enter_context(_bound(settings.host, settings.port))
        port = place.getsockname()[1]
        metrics = metrics_ports(settings)
        workers += [
            _Worker(number, settings, url, port, metrics[number], more) for number in range(settings.workers)
        ]
        await asyncio.gather(*(worker.start() for worker in workers))
        keepers = [asyncio.create_task(worker.keep_up(stop)) for worker in workers]
        scheme = "wss" if settings.tls_cert else "ws"
        ready(f"{scheme}://{settings.host}:{port}")
        await stop.wait()
        log.info("stopping", workers=len(workers))
        for keeper in keepers:
            keeper.cancel()
        await asyncio.gather(*keepers, return_exceptions=True)
        await asyncio.gather(*(worker.end() for worker in workers))


class _Worker:
    def __init__(
        self, number: int, settings: Settings, redis: str, port: int, metrics: int, more: list[str]
    ) -> None:
        self._number = number
        self._words = [
            sys.executable, "-m", "photofinish", "serve", "--host", settings.host,
            "--port", str(port), "--workers", "1", "--reuse-port", "--metrics-port", str(metrics),
            *_words(settings), *more,
        ]  # fmt: skip
        # Not an argument: every user of the machine can read arguments, and the URL may contain a password.
        self._env = {**os.environ, "REDIS_URL": redis}
        self._shutdown = settings.drain_seconds + SHUTDOWN
        self._child: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Returns when the worker accepts players."""
        parent = os.getpid()
        self._child = await asyncio.create_subprocess_exec(
            *self._words,
            env=self._env,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C reaches the parent only, which lets the workers drain
            preexec_fn=die_with_us(parent),
        )
        assert self._child.stdout is not None
        line = await self._child.stdout.readline()
        while line and b"Photofinish is at" not in line:
            line = await self._child.stdout.readline()
        if line:  # else the worker has ended, and `keep_up` logs it
            log.info("worker is up", worker=self._number, pid=self._child.pid)

    async def keep_up(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            assert self._child is not None
            assert self._child.stdout is not None
            while await self._child.stdout.readline():
                pass
            code = await self._child.wait()
            if stop.is_set():
                return
            log.warning("worker died", worker=self._number, code=code)
            await asyncio.sleep(AGAIN)
            await self.start()

    def tell(self, sign: signal.Signals) -> None:
        if self._child is not None and self._child.returncode is None:
            self._child.send_signal(sign)

    async def end(self) -> None:
        child = self._child
        if child is None or child.returncode is not None:
            return
        child.terminate()
        try:
            await asyncio.wait_for(child.communicate(), self._shutdown)
        except TimeoutError:
            child.kill()
            await child.communicate()


def metrics_ports(settings: Settings) -> list[int]:
    """Consecutive ports, one per worker. The default ports are used only if they are free; 0 means no metrics."""
    first = METRICS_PORT if settings.metrics_port is None else settings.metrics_port
    ports = [first + number if first else 0 for number in range(settings.workers)]
    if settings.metrics_port is None:
        try:
            for port in ports:
                _bound(settings.metrics_host, port, is_shared=False).close()
        except OSError:
            log.warning("no metrics: a default port is in use", ports=ports)
            return [0] * settings.workers
    return ports


def _tell_all(workers: list[_Worker], sign: signal.Signals) -> None:
    for worker in workers:
        worker.tell(sign)


def _bound(host: str, port: int, *, is_shared: bool = True) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    place = socket.socket(family, socket.SOCK_STREAM)
    place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT if is_shared else socket.SO_REUSEADDR, 1)
    try:
        place.bind((host, port))
    except OSError:
        place.close()
        raise
    return place


def _words(settings: Settings) -> list[str]:
    """The settings of a worker as command-line arguments."""
    words: list[str] = []
    for field in fields(Settings):
        value = getattr(settings, field.name)
        name = "--" + field.name.replace("_", "-")
        if field.name in NOT_THEIRS or value in (None, False, "", ()):
            continue
        if value is True:
            words.append(name)
        elif isinstance(value, tuple):
            words += [word for part in value for word in (name, str(part))]
        else:
            words += [name, str(value.resolve() if isinstance(value, Path) else value)]
    return words
