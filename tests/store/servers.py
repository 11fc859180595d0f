"""Real servers for the tests, on loopback ports: a cluster of three masters, a master with a sentinel."""

import contextlib
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from photofinish.store.embedded.binary import find_binary
from tests.waiting import wait_until

HOST = "127.0.0.1"
SERVICE = "tables"
"""The name under which sentinels know a master."""
SLOTS = 16_384
ONCE = Retry(NoBackoff(), 0)


HIGHEST = 55_535
"""A server of a cluster also listens on its port + 10,000."""


def free_port() -> int:
    with contextlib.ExitStack() as tried:  # all stay bound until one is low enough: none comes twice
        while True:
            probe = tried.enter_context(socket.socket())
            probe.bind((HOST, 0))
            if (port := int(probe.getsockname()[1])) <= HIGHEST:
                return port


def answers(port: int, password: str | None = None) -> bool:
    with redis.Redis(HOST, port, password=password, retry=ONCE) as client:
        try:
            return bool(client.ping())
        except redis.ConnectionError:
            return False


@contextmanager
def server(
    folder: Path, port: int, *settings: str, password: str | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    folder.mkdir(parents=True)
    words = ["--port", str(port), "--bind", HOST, "--save", "", "--dir", ".", *settings]
    if password:
        words += ["--requirepass", password]
    with subprocess.Popen([find_binary(), *words], cwd=folder, stdout=subprocess.DEVNULL) as process:
        try:
            wait_until(lambda: answers(port, password), f"the server on port {port} answers")
            yield process
        finally:
            process.kill()


@contextmanager
def cluster(folder: Path) -> Iterator[list[int]]:
    """The ports of three masters that share the slots."""
    ports = [free_port() for _ in range(3)]
    share = SLOTS // len(ports) + 1
    with ExitStack() as stack:
        for place, port in enumerate(ports):
            settings = (
                "--cluster-enabled",
                "yes",
                "--cluster-port",
                str(free_port()),
                "--cluster-node-timeout",
                "5000",
            )
            stack.enter_context(server(folder / str(place), port, *settings))
        clients = [stack.enter_context(redis.Redis(HOST, port)) for port in ports]
        for place, client in enumerate(clients):
            client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", place + 1)
            last = min(SLOTS, (place + 1) * share) - 1
            client.execute_command("CLUSTER", "ADDSLOTSRANGE", place * share, last)
        for port, client in zip(ports[1:], clients[1:], strict=True):
            bus = client.config_get("cluster-port")["cluster-port"]
            clients[0].execute_command("CLUSTER", "MEET", HOST, port, bus)
        wait_until(lambda: all(_is_whole(client) for client in clients), "the cluster is whole")
        yield ports


def _is_whole(client: redis.Redis) -> bool:
    info = client.execute_command("CLUSTER", "INFO").decode().split()
    return {"cluster_state:ok", "cluster_known_nodes:3", "cluster_size:3"} <= set(info)


@contextmanager
def sentinel(folder: Path, master: int, agreeing: int, *settings: str) -> Iterator[int]:
    """A sentinel that watches one master. It is replaced if so many sentinels agree that it is dead."""
    folder.mkdir(parents=True)
    port = free_port()
    config = folder / "sentinel.conf"
    first = (f"port {port}", f"bind {HOST}", f"sentinel monitor {SERVICE} {HOST} {master} {agreeing}")
    config.write_text("\n".join([*first, *(f"sentinel {it}" for it in settings)]) + "\n")
    words: list[str | Path] = [find_binary(), config, "--sentinel"]
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen(words, cwd=folder, stdout=log, stderr=log) as process,
    ):
        try:
            wait_until(lambda: answers(port), "the sentinel answers")
            yield port
        finally:
            process.kill()
