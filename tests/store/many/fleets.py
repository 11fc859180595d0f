"""Redis servers with failover: plain replicas, replicas under three sentinels, or a cluster."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import redis

from photofinish.store.embedded.binary import find_binary
from tests.store.servers import HOST, ONCE, SERVICE, SLOTS, answers, free_port, sentinel
from tests.waiting import wait_until

SAFE = ("--appendonly", "yes", "--appendfsync", "always", "--repl-diskless-sync-delay", "0")
PING = ("--repl-ping-replica-period", "1", "--repl-timeout", "5")

Front = Callable[[int], int]
"""Maps a server's port to the port by which others reach it."""


def itself(port: int) -> int:
    return port


class RedisServer:
    """A server that can be killed, paused, and started again with the data on its disk."""

    def __init__(self, folder: Path, *settings: str, front: Front = itself) -> None:
        folder.mkdir(parents=True)
        self._folder, self._settings = folder, settings
        self.own = free_port()
        self.port = front(self.own)
        """Where others reach it."""
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def is_up(self) -> bool:
        return self._process is not None

    @property
    def client(self) -> redis.Redis:
        return redis.Redis(HOST, self.own, retry=ONCE, socket_timeout=2)

    def start(self, *more: str) -> "RedisServer":
        words = ["--port", str(self.own), "--bind", HOST, "--save", "", "--dir", ".", *SAFE, *PING]
        with (self._folder / "redis.log").open("ab") as log:
            self._process = subprocess.Popen(
                [find_binary(), *words, *self._settings, *more], cwd=self._folder, stdout=log, stderr=log
            )
        wait_until(lambda: answers(self.own), f"the server on port {self.own} answers")
        return self

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def freeze(self) -> None:
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGCONT)

    def said(self, words: str) -> int:
        """How often its log contains this text."""
        return (self._folder / "redis.log").read_text(encoding="utf-8", errors="replace").count(words)

    def info(self, name: str) -> Any:
        with self.client as client:
            return client.info("replication").get(name)


@contextmanager
def family(folder: Path, replicas: int, front: Front = itself) -> Iterator[list[RedisServer]]:
    """A master and its replicas, the master first. All are connected."""
    with ExitStack() as stack:
        servers: list[RedisServer] = []
        for place in range(replicas + 1):
            server = RedisServer(folder / f"redis{place}", front=front)
            server._settings += ("--replica-announce-ip", HOST, "--replica-announce-port", str(server.port))
            stack.callback(server.kill)
            servers.append(server.start(*(_follow(servers[0]) if servers else ())))
        wait_until(lambda: _is_followed(servers[0], replicas), "the replicas have what the master has")
        yield servers


def _follow(master: RedisServer) -> tuple[str, str]:
    return ("--replicaof", f"{HOST} {master.port}")


def _is_followed(master: RedisServer, replicas: int) -> bool:
    with master.client as client:
        info = client.info("replication")
        online = [n for n in range(info["connected_slaves"]) if info[f"slave{n}"]["state"] == "online"]
        return len(online) >= replicas


class Fleet:
    """Servers with replicas that can take over."""

    def __init__(self, servers: list[RedisServer]) -> None:
        self.servers = servers

    def promotions(self) -> int:
        """How often a server was promoted to master so far."""
        return sum(server.said(self.promoted) for server in self.servers)

    promoted = ""
    """What a server's log says then."""


class SentinelFleet(Fleet):
    """A master, two replicas, three sentinels."""

    promoted = "PRIMARY MODE enabled"

    def __init__(self, servers: list[RedisServer], sentinels: list[int]) -> None:
        super().__init__(servers)
        self.sentinels = sentinels

    @property
    def url(self) -> str:
        return f"redis+sentinel://{','.join(f'{HOST}:{port}' for port in self.sentinels)}/{SERVICE}"

    @property
    def master(self) -> RedisServer:
        """The server that most sentinels report as master."""
        said = [self._asked(port) for port in self.sentinels]
        port = max(set(said), key=said.count)
        return next(server for server in self.servers if server.port == port)

    def is_whole(self) -> bool:
        """All sentinels agree on a master, and all other servers are its replicas."""
        if len({self._asked(port) for port in self.sentinels}) > 1 or not self.master.is_up:
            return False
        try:
            return bool(
                self.master.info("role") == "master" and _is_followed(self.master, len(self.servers) - 1)
            ) and all(self._knows(port) for port in self.sentinels)
        except redis.RedisError:
            return False

    def start_again(self, server: RedisServer) -> None:
        """As a replica: it may be behind, and Sentinel takes ten seconds to say so."""
        server.start(*_follow(self.master))

    def _asked(self, port: int) -> int:
        with redis.Redis(HOST, port) as client:
            return int(client.sentinel_get_master_addr_by_name(SERVICE)[1])

    def _knows(self, port: int) -> bool:
        with redis.Redis(HOST, port) as client:
            peers = client.sentinel_sentinels(SERVICE)
            replicas = [it for it in client.sentinel_slaves(SERVICE) if not it["is_disconnected"]]
            is_calm = not client.sentinel_master(SERVICE)["is_sdown"]
        return is_calm and len(peers) == len(self.sentinels) - 1 and len(replicas) == len(self.servers) - 1


@contextmanager
def under_sentinels(folder: Path, front: Front = itself, down_ms: int = 1_000) -> Iterator[SentinelFleet]:
    settings = (
        f"down-after-milliseconds {SERVICE} {down_ms}",
        f"failover-timeout {SERVICE} 5000",
        f"parallel-syncs {SERVICE} 2",
    )
    with family(folder, 2, front) as servers, ExitStack() as stack:
        folders = [folder / f"sentinel{place}" for place in range(3)]
        ports = [stack.enter_context(sentinel(it, servers[0].port, 2, *settings)) for it in folders]
        fleet = SentinelFleet(servers, ports)
        wait_until(fleet.is_whole, "the sentinels know everybody")
        yield fleet


class ClusterFleet(Fleet):
    """Three masters that share the slots, and a replica each."""

    promoted = "Failover election won"

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"{HOST}:{server.port}" for server in self.servers)

    @property
    def masters(self) -> list[RedisServer]:
        return [server for server in self.servers if server.is_up and server.info("role") == "master"]

    def of_key(self, key: str) -> RedisServer:
        """The master of this key's slot."""
        with next(server for server in self.servers if server.is_up).client as client:
            slot = client.execute_command("CLUSTER", "KEYSLOT", key)
            for first, last, master, *_ in client.execute_command("CLUSTER", "SLOTS"):
                if first <= slot <= last:
                    return next(server for server in self.servers if server.port == master[1])
        raise AssertionError(f"nobody has {key}")

    def is_whole(self) -> bool:
        """Three masters with one replica each, and all servers agree on it."""
        try:
            return (
                all(server.is_up for server in self.servers)
                and len(self.masters) == 3
                and all(_is_followed(master, 1) for master in self.masters)
                and all(_sees(server, len(self.servers)) for server in self.servers)
            )
        except redis.RedisError:
            return False

    def start_again(self, server: RedisServer) -> None:
        server.start()


def _sees(server: RedisServer, nodes: int) -> bool:
    with server.client as client:
        said = client.execute_command("CLUSTER", "NODES").decode()
        info = client.execute_command("CLUSTER", "INFO").decode()
    return "fail" not in said and "cluster_state:ok" in info and f"cluster_known_nodes:{nodes}" in info


@contextmanager
def cluster_with_replicas(
    folder: Path, front: Front = itself, timeout_ms: int = 1_500
) -> Iterator[ClusterFleet]:
    with ExitStack() as stack:
        servers = []
        for place in range(6):
            server = RedisServer(folder / f"redis{place}", front=front)
            bus = free_port()
            server._settings += (
                "--cluster-enabled", "yes", "--cluster-port", str(bus), "--cluster-announce-ip", HOST,
                "--cluster-announce-port", str(server.port), "--cluster-announce-bus-port", str(bus),
                "--cluster-node-timeout", str(timeout_ms), "--cluster-allow-replica-migration", "no",
            )  # fmt: skip
            stack.callback(server.kill)
            servers.append(server.start())
        fleet = ClusterFleet(servers)
        clients = [stack.enter_context(server.client) for server in servers]
        share = SLOTS // 3 + 1
        for place, client in enumerate(clients):
            client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", place + 1)
            if place < 3:
                last = min(SLOTS, (place + 1) * share) - 1
                client.execute_command("CLUSTER", "ADDSLOTSRANGE", place * share, last)
        for server, client in zip(servers[1:], clients[1:], strict=True):
            bus = client.config_get("cluster-port")["cluster-port"]
            clients[0].execute_command("CLUSTER", "MEET", HOST, server.own, bus)
        wait_until(lambda: all(_sees(server, 6) for server in servers), "all have met")
        for place in (3, 4, 5):
            master = clients[place - 3].execute_command("CLUSTER", "MYID")
            clients[place].execute_command("CLUSTER", "REPLICATE", master)
        wait_until(fleet.is_whole, "each master has its replica")
        yield fleet
