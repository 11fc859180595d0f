"""How long a start takes: to the first accepted connection, and until the rooms of a killed server are open again.

It runs `photofinish serve` as an operator does, with the embedded Redis.
"""

import asyncio
import contextlib
import os
import re
import signal
import tempfile
import urllib.request
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from photofinish.lab.bench.results.figures import Bar, Figure
from photofinish.lab.bench.rounds import Progress, open_tables
from photofinish.lab.bench.servers import Started, free_port, started_load
from photofinish.lab.bench.subjects import Subject
from photofinish.lab.bench.work.effort import Effort
from photofinish.lab.net.child import Child

LONGEST = 60.0
MOST_ROUNDS = 3
"""Few, because each round opens a thousand new rooms."""
LOOK_EVERY = 0.02
ROOMS = re.compile(r"^photofinish_rooms\{.*\} (\d+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Serving:
    child: Child
    port: int
    metrics: int
    seconds: float
    """From the start of the process to the first accepted connection."""


async def measure(effort: Effort, progress: Progress) -> list[Figure]:
    starts, takeovers = [], []
    rounds = min(MOST_ROUNDS, effort.rounds)
    for number in range(rounds):
        progress(f"start and takeover, round {number + 1} of {rounds}")
        with tempfile.TemporaryDirectory(prefix="pf-bench-") as folder:
            start, takeover = await _round(Path(folder), effort.orphans)
        starts.append(start)
        takeovers.append(takeover)
    again = f"{effort.orphans:,} rooms open again after a kill -9, from the first connection"
    return [
        Figure("start to the first accepted connection", "s", tuple(starts), Bar(1, 1)),
        Figure(again, "s", tuple(takeovers), Bar(2, 2)),
    ]


async def _round(folder: Path, rooms: int) -> tuple[float, float]:
    async with contextlib.AsyncExitStack() as stack:
        async with _serving(folder) as first:
            load = await started_load(stack, folder)
            subject = Subject("orphans", "idle cauldron", rooms)
            await open_tables(load, Started([f"ws://127.0.0.1:{first.port}"], {}), subject)
            os.kill(first.child.pid, signal.SIGKILL)
        async with _serving(folder) as second:
            began = perf_counter()
            while await asyncio.to_thread(_rooms, second.metrics) < rooms:
                if perf_counter() - began > LONGEST:
                    raise TimeoutError(f"not all of {rooms} rooms were open again after {LONGEST} s")
                await asyncio.sleep(LOOK_EVERY)
            return first.seconds, perf_counter() - began


@contextlib.asynccontextmanager
async def _serving(folder: Path) -> AsyncIterator[Serving]:
    port, metrics = free_port(), free_port()
    where = ["--port", str(port), "--metrics-port", str(metrics), "--data", str(folder / "data")]
    program = ["-m", "photofinish", "serve", *where, "--no-limits"]
    began = perf_counter()
    async with Child("server", "-", folder / "server.log", *program) as child:
        while True:
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                break
            if perf_counter() - began > LONGEST:
                raise TimeoutError(f"the server accepted no connection in {LONGEST} s")
            await asyncio.sleep(LOOK_EVERY)
        yield Serving(child, port, metrics, perf_counter() - began)


def _rooms(port: int) -> int:
    """Rooms that the server owns; 0 while its port for metrics is not open yet."""
    with (
        contextlib.suppress(OSError),
        urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=LONGEST) as page,
    ):
        return sum(int(it) for it in ROOMS.findall(page.read().decode()))
    return 0
