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
"""Seconds; a race's evidence counts from the moment a frame arrived, so only lateness of this order can be felt."""


async def note(server: ServerProcess, findings: Findings) -> None:
    """Add what this server's loop says. Once for each life of a server, shortly before its end."""
    page = await asyncio.to_thread(_page, server.metrics_port)
    counts = buckets(page)
    ticks = counts[float("inf")]
    findings.count(TICKS, ticks)
    for seconds in TOLD:
        findings.count(LATER.format(round(seconds * 1000)), ticks - counts[seconds])
    findings.time(P99, quantile(counts, 0.99))


def buckets(page: str) -> dict[float, int]:
    """Ticks that were at most so late, by seconds."""
    found = re.findall(rf'^{NAME}_bucket{{le="([^"]+)"}} (\S+)$', page, re.MULTILINE)
    return {float(le): int(float(number)) for le, number in found}


def quantile(counts: dict[float, int], share: float) -> float:
    """The bound of the first bucket that holds this share of all ticks; the last finite one if none does."""
    ticks = counts[float("inf")]
    finite = sorted(le for le in counts if le != float("inf"))
    return next((le for le in finite if counts[le] >= share * ticks), finite[-1])


def _page(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as reply:
        return str(reply.read(), "utf-8")
