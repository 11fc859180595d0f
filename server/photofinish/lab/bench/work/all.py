"""All workloads by name, in the order of a whole run."""

from collections.abc import Awaitable, Callable

from photofinish.lab.bench.results.figures import Figure
from photofinish.lab.bench.rounds import Progress
from photofinish.lab.bench.work import (
    cluster,
    counter,
    crowd,
    games,
    growth,
    idle,
    latency,
    peers,
    start,
    storm,
)
from photofinish.lab.bench.work.effort import Effort

Workload = Callable[[Effort, Progress], Awaitable[list[Figure]]]

WORKLOADS: dict[str, Workload] = {
    "counter": counter.measure, "games": games.measure, "storm": storm.measure, "latency": latency.measure,
    "crowd": crowd.measure, "cluster": cluster.measure, "start": start.measure, "idle": idle.measure,
    "growth": growth.measure, "peers": peers.measure,
}  # fmt: skip
