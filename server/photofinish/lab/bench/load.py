"""The load generator: a process of its own, with one core. Reads orders from standard input, one JSON per line.

First a `Job`: it opens the tables and answers `OpenedSockets`. Then any number of `RoundOrder`, each answered by a
`MeasuredRound`.
"""

import asyncio
import os
import statistics
import sys
from collections.abc import Callable
from functools import partial
from time import perf_counter

import msgspec
import uvloop

from photofinish.lab.bench.cpu import cpu_seconds, memory_bytes
from photofinish.lab.bench.drive import Driver
from photofinish.lab.bench.tables.base import LoadTable
from photofinish.lab.bench.tables.boardgame import BoardgameTable
from photofinish.lab.bench.tables.colyseus import ColyseusTable
from photofinish.lab.bench.tables.connection import ConnectionTable
from photofinish.lab.bench.tables.counter import CounterTable
from photofinish.lab.bench.tables.crowd import CrowdTable
from photofinish.lab.bench.tables.echo import EchoTable
from photofinish.lab.bench.tables.random_play import RandomTable
from photofinish.lab.bench.tables.room import IdleTable
from photofinish.lab.bench.tables.storm import StormTable

KINDS: dict[str, Callable[[], LoadTable]] = {
    "echo": EchoTable, "counter": CounterTable, "counter of three": partial(CounterTable, 3), "idle": IdleTable,
    "idle cauldron": partial(IdleTable, "cauldron15"), "connection": ConnectionTable, "storm": StormTable,
    "crowd": CrowdTable, "colyseus": ColyseusTable, "boardgame": BoardgameTable,
}  # fmt: skip
"""Any other kind is the key of a game, which is played at random."""
LONGEST_END = 1.0
"""At the end of a round, running actions may take this many seconds to finish. 0.1 s is too short on a busy machine."""
AT_A_TIME = 20
"""Tables that are opened at the same time."""


class Job(msgspec.Struct, frozen=True):
    kind: str
    urls: list[str]
    """Each seat connects to the next of these addresses, in turn."""
    tables: int
    pids: dict[str, int]
    """The processes whose processor time is measured."""


class OpenedSockets(msgspec.Struct, frozen=True):
    sockets: int


class RoundOrder(msgspec.Struct, frozen=True):
    warm_up: float
    seconds: float
    active: int = 0
    """Tables that act at a time, in rotation; 0 for all."""
    rate: float = 0.0
    """Actions per second; 0 for no limit."""


class MeasuredRound(msgspec.Struct, frozen=True):
    """One round. Times in seconds."""

    actions: int
    seconds: float
    cpu: dict[str, float]
    """Processor time of each process in this round; `load` is the generator itself."""
    memory: dict[str, int]
    p50: float
    p99: float
    bytes_out: int
    """Bytes that the server sent."""
    refused: int = 0
    """Actions that the server refused."""


async def main() -> None:
    loop = asyncio.get_running_loop()
    lines = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    job = msgspec.json.decode(await lines.readline(), type=Job)
    make = KINDS.get(job.kind, partial(RandomTable, job.kind))
    tables = [make() for _ in range(job.tables)]
    for first in range(0, len(tables), AT_A_TIME):
        group = tables[first : first + AT_A_TIME]
        await asyncio.gather(*(it.open(job.urls, first + n) for n, it in enumerate(group)))
    _say(OpenedSockets(sum(len(it.sockets) for it in tables)))
    while line := await lines.readline():
        _say(await measure(tables, job, msgspec.json.decode(line, type=RoundOrder)))


async def measure(tables: list[LoadTable], job: Job, order: RoundOrder) -> MeasuredRound:
    """Run the tables for a while, and count what happens between the warm-up and the end."""
    pids = job.pids | {"load": os.getpid()}
    driver = Driver(tables, active=order.active, rate=order.rate)
    driver.start()
    await asyncio.sleep(order.warm_up)
    for table in tables:
        table.times.clear()
    began, before = perf_counter(), {name: cpu_seconds(pid) for name, pid in pids.items()}
    done, sent, refused = _counts(tables)
    await asyncio.sleep(order.seconds)
    done_then, sent_then, refused_then = _counts(tables)
    cpu = {name: cpu_seconds(pid) - before[name] for name, pid in pids.items()}
    seconds = perf_counter() - began
    times = sorted(time for table in tables for time in table.times)
    driver.stop()
    await driver.ended(LONGEST_END)
    cuts = statistics.quantiles(times, n=100) if len(times) > 1 else [0.0] * 99
    return MeasuredRound(
        actions=done_then - done,
        seconds=seconds,
        cpu=cpu,
        memory={name: memory_bytes(pid) for name, pid in pids.items()},
        p50=cuts[49],
        p99=cuts[98],
        bytes_out=sent_then - sent,
        refused=refused_then - refused,
    )


def _counts(tables: list[LoadTable]) -> tuple[int, int, int]:
    sent = sum(socket.bytes for it in tables for socket in it.sockets)
    return sum(it.done for it in tables), sent, sum(it.refused for it in tables)


def _say(it: object) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(it) + b"\n")
    sys.stdout.flush()


if __name__ == "__main__":
    uvloop.run(main())
