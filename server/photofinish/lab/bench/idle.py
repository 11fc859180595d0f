"""What a room costs while nobody moves: processor time per second, and memory, with four players connected."""

import asyncio
import contextlib
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from photofinish.lab.bench.cpu import cpu_seconds, memory_bytes
from photofinish.lab.bench.load import Job, Opened
from photofinish.lab.bench.rounds import IDLE, started_load, started_server

SETTLE = 4.0
"""Seconds after the first pings, which are frequent."""


@dataclass(frozen=True, slots=True)
class IdleFigures:
    rooms: int
    cpu_ms: float
    """Per room and second."""
    memory_kb: float
    """Per room with its four connections."""
    empty_cpu_ms: float
    """Per second, of the server without any room."""


async def measure_idle(rooms: int, seconds: float) -> IdleFigures:
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pf-bench-")))
        url, pids = await started_server(stack, IDLE, folder)
        server = pids["server"]
        empty, memory = await _cpu(server, seconds), memory_bytes(server)
        load = await started_load(stack, folder)
        load.say(Job(IDLE.kind, url, rooms, pids))
        await load.hear(Opened)
        await asyncio.sleep(SETTLE)
        full = await _cpu(server, seconds)
        return IdleFigures(
            rooms=rooms,
            cpu_ms=(full - empty) / rooms * 1e3,
            memory_kb=(memory_bytes(server) - memory) / rooms / 1024,
            empty_cpu_ms=empty * 1e3,
        )


def as_line(it: IdleFigures) -> str:
    return (
        f"idle, {it.rooms} rooms with four seats: {it.cpu_ms:.3f} ms of processor time per room and second, "
        f"{it.memory_kb:.0f} KB per room with its connections; the empty server {it.empty_cpu_ms:.0f} ms per second"
    )


def as_plain(it: IdleFigures) -> dict[str, Any]:
    return asdict(it)


async def _cpu(pid: int, seconds: float) -> float:
    """Processor time per second."""
    before = cpu_seconds(pid)
    await asyncio.sleep(seconds)
    return (cpu_seconds(pid) - before) / seconds
