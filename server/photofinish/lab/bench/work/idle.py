"""What connections and rooms cost while nobody moves: processor time per second, and memory."""

import asyncio
import contextlib
import tempfile
from pathlib import Path

from photofinish.lab.bench.cpu import cpu_seconds, memory_bytes
from photofinish.lab.bench.results.figures import Bar, Figure
from photofinish.lab.bench.rounds import Progress, open_tables
from photofinish.lab.bench.servers import started_load, started_server
from photofinish.lab.bench.subjects import Subject
from photofinish.lab.bench.work.effort import Effort

SETTLE = 4.0
"""Seconds to wait before the measurement, because the first pings of a connection are frequent."""
SEATS = 4
FEWER = 4
"""The number of measured rooms is `many` divided by this, because each room has four connections."""
KB = 1024


async def measure(effort: Effort, progress: Progress) -> list[Figure]:
    progress(f"{effort.many} idle connections")
    cpu, memory = await _cost(Subject("idle connections", "connection", effort.many), effort)
    rooms = effort.many // FEWER
    progress(f"{rooms} idle rooms")
    room_cpu, room_memory = await _cost(Subject("idle rooms", "idle", rooms), effort)
    alone = tuple((room - SEATS * memory[0]) / KB for room in room_memory)
    connections, idle = f"{effort.many:,} idle connections", f"{rooms:,} idle rooms of four"
    return [
        Figure(f"{connections}: memory of one", "KB", tuple(it / KB for it in memory), Bar(25, 20)),
        Figure(f"{connections}: CPU of one per second", "ms", _millis(cpu)),
        Figure(f"{idle}: memory of one without its connections", "KB", alone, Bar(60, 40)),
        Figure(f"{idle}: CPU of one per second", "ms", _millis(room_cpu), Bar(0.05, 0.01)),
    ]


def _millis(seconds: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(it * 1e3 for it in seconds)


async def _cost(subject: Subject, effort: Effort) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Seconds of processor time per second, and bytes, of one table, beyond what the empty server costs."""
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pf-bench-")))
        server = await started_server(stack, subject, folder)
        pid = server.pids["server"]
        empty, memory = await _cpu(pid, effort.seconds), memory_bytes(pid)
        load = await started_load(stack, folder)
        await open_tables(load, server, subject)
        await asyncio.sleep(SETTLE)
        cpu = [await _cpu(pid, effort.seconds) - empty for _ in range(effort.rounds)]
        per_table = (memory_bytes(pid) - memory) / subject.tables
        return tuple(it / subject.tables for it in cpu), (per_table,)


async def _cpu(pid: int, seconds: float) -> float:
    """Processor time per second."""
    before = cpu_seconds(pid)
    await asyncio.sleep(seconds)
    return (cpu_seconds(pid) - before) / seconds
