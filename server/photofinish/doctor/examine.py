"""`photofinish doctor`: checks whether a machine is ready for the server, and says how to fix what is wrong."""

import os
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from photofinish.doctor.data_folder import data_folder
from photofinish.doctor.durability import losses
from photofinish.doctor.finding import Finding, State
from photofinish.doctor.replicas import SETTINGS, masters
from photofinish.gateway.sockets.kernel import MIN_RTT, may_force_acks
from photofinish.store.connect import PLAIN
from photofinish.store.embedded.binary import NoBinary, find_binary
from photofinish.store.embedded.datafolder import SOCKET_LIMIT

CLOCKS = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
GOOD_CLOCKS = {"tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page", "xen"}
LEAST_REDIS = (7, 0)
SOME_FILES, MANY_FILES = 1_024, 16_384
SLOW_SYNC, HOPELESS_SYNC = 0.010, 0.100
LITTLE_DISK, NO_DISK = 1 << 30, 64 << 20


def examine(data: Path, url: str | None, redis_wait: int = 0) -> list[Finding]:
    """All checks, in the order an operator would make them. They change nothing."""
    looks: list[Callable[[], Iterator[Finding]]] = [
        _python, _uvloop, _binary, _sockets, _kernel_rtt, _clock_source, _clock_step, _files, _socket_path,
        lambda: iter((data_folder(data),)), lambda: _disk(data),
    ]  # fmt: skip
    if url is not None:
        looks.append(lambda: _redis(url, redis_wait))
    findings: list[Finding] = []
    for look in looks:
        findings += look()
    return findings


def _python() -> Iterator[Finding]:
    found = sys.version.split()[0]
    is_new = sys.version_info >= (3, 11)
    yield Finding(
        "Python", "ok" if is_new else "fail", found, "" if is_new else "Install Python 3.11 or newer."
    )


def _uvloop() -> Iterator[Finding]:
    try:
        found = version("uvloop")
    except PackageNotFoundError:
        yield Finding(
            "uvloop",
            "warn",
            "not installed",
            "pip install uvloop: without it the event loop is half as fast.",
        )
    else:
        yield Finding("uvloop", "ok", found)


def _binary() -> Iterator[Finding]:
    name = "embedded Redis"
    try:
        binary = find_binary()
        said = subprocess.run(  # noqa: S603 - found by us, no shell
            [binary, "--version"], capture_output=True, text=True, timeout=10, check=True
        ).stdout
    except NoBinary as fault:
        yield Finding(name, "warn", "none", str(fault))
    except (OSError, subprocess.SubprocessError) as fault:
        yield Finding(
            name, "fail", f"{binary} does not run: {fault}", "Install valkey or redis, or use --redis."
        )
    else:
        number = next((word.removeprefix("v=") for word in said.split() if word.startswith("v=")), "?")
        yield _aged(name, number, f"{number} at {binary}")


def _aged(name: str, number: str, found: str) -> Finding:
    parts = tuple(int(part) for part in number.split(".")[:2] if part.isdigit())
    if parts < LEAST_REDIS:
        return Finding(name, "fail", found, "Use Redis 7.0 or Valkey 7.2, or newer.")
    return Finding(name, "ok", found)


def _sockets() -> Iterator[Finding]:
    with _pair() as (_, taken):
        taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        is_set = taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
    if is_set:
        yield Finding("TCP_NODELAY", "ok", "kept by accepted sockets")
    else:
        yield Finding(
            "TCP_NODELAY",
            "fail",
            "not kept",
            "Nagle's algorithm would delay frames and decide races: use another kernel or container.",
        )


def _kernel_rtt() -> Iterator[Finding]:
    name, advice = (
        "TCP_INFO",
        "Races credit late lines from a small account, without kernel proof. Use Linux 4.6 or newer.",
    )
    if not sys.platform.startswith("linux"):
        yield Finding(name, "warn", "not on this system", advice)
        return
    with _pair() as (made, taken):
        made.sendall(b"ping")
        taken.recv(4)
        taken.sendall(b"pong")
        made.recv(4)
        info = taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
    if may_force_acks():
        yield Finding("forced ACKs", "ok", "permitted: no client can delay the proof of a late line")
    else:
        yield Finding(
            "forced ACKs",
            "warn",
            "not permitted",
            "Races credit late lines from a small account. Grant CAP_NET_ADMIN for full proof (protocol/RACES.md).",
        )
    least = int.from_bytes(info[MIN_RTT : MIN_RTT + 4], sys.byteorder)
    if len(info) >= MIN_RTT + 4 and least < 0xFFFF_FFFF:
        yield Finding(name, "ok", f"smallest round trip readable ({least} µs on loopback)")
    else:
        yield Finding(name, "warn", "no smallest round trip", advice)


class _pair:  # noqa: N801 - used as a context, like a function
    """Two ends of a TCP connection on loopback: the client's and the server's."""

    def __enter__(self) -> tuple[socket.socket, socket.socket]:
        with socket.create_server(("127.0.0.1", 0)) as server:
            self._made = socket.create_connection(server.getsockname(), timeout=5)
            self._taken, _ = server.accept()
        return self._made, self._taken

    def __exit__(self, *_why: object) -> None:
        self._made.close()
        self._taken.close()


def _clock_source() -> Iterator[Finding]:
    if not CLOCKS.exists():
        yield Finding(
            "clock source", "warn", "cannot be read", "Nothing to do, unless the next line is bad too."
        )
        return
    source = CLOCKS.read_text(encoding="ascii").strip()
    if source in GOOD_CLOCKS:
        yield Finding("clock source", "ok", source)
    else:
        yield Finding(
            "clock source", "warn", source, "Each reading is a system call; boot with clocksource=tsc if you can."
        )  # fmt: skip


def _clock_step() -> Iterator[Finding]:
    steps = set()
    before = begun = time.perf_counter_ns()
    looks = 20_000
    for _ in range(looks):
        now = time.perf_counter_ns()
        if now != before:
            steps.add(now - before)
        before = now
    cost = (before - begun) / looks
    step = min(steps, default=0)
    found = f"steps of {step} ns, {cost:.0f} ns per reading"
    if 0 < step <= 10_000 and cost < 5_000:
        yield Finding("clock", "ok", found)
    else:
        yield Finding("clock", "fail", found, "Too coarse for dead heats of 2 ms; see the clock source.")


def _files() -> Iterator[Finding]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    found = f"{_limit(soft)} (up to {_limit(hard)})"
    advice = (
        f"Each player needs one: raise the limit with ulimit -n {MANY_FILES}, or LimitNOFILE= in the unit."
    )
    if soft == resource.RLIM_INFINITY or soft >= MANY_FILES:
        yield Finding("open files", "ok", found)
    else:
        yield Finding("open files", "warn" if soft >= SOME_FILES else "fail", found, advice)


def _limit(number: int) -> str:
    return "no limit" if number == resource.RLIM_INFINITY else str(number)


def _socket_path() -> Iterator[Finding]:
    parents = [it for it in (os.environ.get("XDG_RUNTIME_DIR"), tempfile.gettempdir()) if it]
    fitting = [it for it in parents if len(os.fsencode(it)) + 35 <= SOCKET_LIMIT and os.access(it, os.W_OK)]
    if fitting:
        yield Finding("socket path", "ok", f"{fitting[0]} is short enough for the embedded Redis' socket")
    else:
        yield Finding(
            "socket path",
            "fail",
            ", ".join(parents),
            "Set TMPDIR to a short path that the server can write to.",
        )


def _disk(data: Path) -> Iterator[Finding]:
    place = next(it for it in (data.absolute(), *data.absolute().parents) if it.is_dir())
    free = shutil.disk_usage(place).free
    found = f"{free >> 20} MiB free at {place}"
    if free >= LITTLE_DISK:
        yield Finding("disk space", "ok", found)
    else:
        state: State = "warn" if free >= NO_DISK else "fail"
        yield Finding(
            "disk space",
            state,
            found,
            "Free some space, or use another folder for --data: a full disk stops every table.",
        )
    try:
        took = sorted(_synced(place))
    except OSError as fault:
        yield Finding(
            "fsync", "fail", f"{place}: {fault}", "Give the server a data folder it may write to: --data."
        )
        return
    middle, worst = took[len(took) // 2], took[-1]
    found = f"{middle * 1000:.2f} ms median, {worst * 1000:.2f} ms maximum, at {place}"
    if middle < SLOW_SYNC:
        yield Finding("fsync", "ok", found)
    else:
        state = "warn" if middle < HOPELESS_SYNC else "fail"
        yield Finding(
            "fsync",
            state,
            found,
            "Every move waits for the disk: put --data on an SSD, not on a network drive.",
        )


def _synced(place: Path) -> Iterator[float]:
    with tempfile.TemporaryFile(dir=place) as file:
        for _ in range(20):
            file.write(b"a commit of about two hundred bytes ".ljust(200, b"."))
            file.flush()
            begun = time.perf_counter()
            os.fsync(file.fileno())
            yield time.perf_counter() - begun


def _redis(url: str, redis_wait: int) -> Iterator[Finding]:
    if not url.startswith(tuple(f"{scheme}:" for scheme in PLAIN)):
        yield from masters(url, redis_wait)
        return
    try:
        with redis.from_url(
            url, socket_timeout=3, socket_connect_timeout=3, retry=Retry(NoBackoff(), 0)
        ) as client:
            yield from _asked(client, redis_wait)
    except (RedisError, OSError, ValueError) as fault:
        yield Finding(
            "Redis",
            "fail",
            f"does not answer: {fault}",
            "Start it, or correct the address, the account or the firewall.",
        )


def _asked(client: redis.Redis, redis_wait: int) -> Iterator[Finding]:
    info: dict[str, Any] = client.info()
    number = str(info.get("valkey_version") or info.get("redis_version", "?"))
    yield _aged("Redis", number, number)
    begun = time.perf_counter()
    for _ in range(20):
        client.ping()
    trip = (time.perf_counter() - begun) / 20
    advice = "" if trip < 0.005 else "Every move waits for this: put Redis into the same network."
    yield Finding("Redis round trip", "ok" if trip < 0.005 else "warn", f"{trip * 1000:.2f} ms", advice)
    try:
        settings: dict[Any, Any] = client.config_get(*SETTINGS)
    except RedisError:
        settings = {}
    yield from losses("Redis", {**info, **settings}, redis_wait, has_failovers=False)
