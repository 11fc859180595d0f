"""How late the event loop of the server was, from `/metrics`: the server measures it every 10 ms."""

import asyncio
import re
import urllib.request

from tests.chaos.findings import Findings
from tests.system.conftest import ServerProcess

TICKS = "ticks of the event loop"
LATER = "of these more than {} ms late"
P99 = "the event loop was late at p99 by at most"
NAME = "photofinish_loop_lag_seconds"
TOLD = (0.01, 0.05, 0.1, 0.5)
"""Seconds. Races use the arrival time of frames, so only a lag of this order can be noticed."""


async def note(server: ServerProcess, findings: Findings) -> None:
    """Add the figures of this server. Call it once per server process, shortly before its end."""
    page = await asyncio.to_thread(_page, server.metrics_port)
    counts = buckets(page)
    ticks = counts[float("inf")]
    findings.count(TICKS, ticks)
    for seconds in TOLD:
        findings.count(LATER.format(round(seconds * 1000)), ticks - counts[seconds])
    findings.time(P99, quantile(counts, 0.99))


def buckets(page: str) -> dict[float, int]:
    """Number of ticks per upper bound of lateness in seconds."""
    found = re.findall(rf'^{NAME}_bucket{{le="([^"]+)"}} (\S+)$', page, re.MULTILINE)
    return {float(le): int(float(number)) for le, number in found}


def quantile(counts: dict[float, int], share: float) -> float:
    """The bound of the first bucket that covers this share of all ticks; the last finite bound if none does."""
    ticks = counts[float("inf")]
    finite = sorted(le for le in counts if le != float("inf"))
    return next((le for le in finite if counts[le] >= share * ticks), finite[-1])


def _page(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as reply:
        return str(reply.read(), "utf-8")
