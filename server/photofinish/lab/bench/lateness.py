"""How late the server's event loop was, from its own metrics: the histogram of its 10 ms ticks."""

import asyncio
import re
import urllib.request
from dataclasses import dataclass

BUCKET = re.compile(r'^photofinish_loop_lag_seconds_bucket\{le="([^"]+)"\} ([0-9.e+]+)', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Ticks:
    """Ticks so far, by the upper bound of their lateness in seconds."""

    upto: dict[float, float]

    def since(self, before: "Ticks") -> "Ticks":
        return Ticks({bound: count - before.upto.get(bound, 0.0) for bound, count in self.upto.items()})

    def quantile(self, share: float) -> float:
        """At least this share of the ticks was late by at most this many seconds (the bound of a bucket)."""
        total = max(self.upto.values(), default=0.0)
        return min((bound for bound, count in self.upto.items() if count >= share * total), default=0.0)


async def ticks(port: int) -> Ticks:
    return Ticks(
        {float(bound): float(count) for bound, count in BUCKET.findall(await asyncio.to_thread(_page, port))}
    )


def _page(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as page:
        text: str = page.read().decode()
        return text
