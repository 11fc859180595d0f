"""Every scenario by name, with the repetitions of the long form."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any

from tests.chaos.faults import clocks, cuts, disks, drains, failovers, kills, nodes, powercuts, redisfaults
from tests.chaos.findings import Findings
from tests.chaos.shim import compiler


@dataclass(frozen=True)
class Scenario:
    """What is done, how often, and what the machine must have for it."""

    run: Callable[..., Coroutine[Any, Any, Findings]]
    times: int
    promise: str
    is_possible: Callable[[], Any] = lambda: True


SCENARIOS: dict[str, Scenario] = {
    "server": Scenario(
        partial(kills.kill_server, within=3.0),
        200,
        "nothing lost, doubled or reordered; seats back p99 ≤ 3 s",
    ),
    "node": Scenario(nodes.kill_node, 50, "the other node goes on with every hand"),
    "worker": Scenario(
        nodes.kill_worker, 50, "the other workers go on with every hand; seats back p99 ≤ 3 s"
    ),
    "redis": Scenario(
        partial(redisfaults.kill_redis, acks=30_000),
        100,
        "nothing lost; play goes on ≤ 2 s after Redis answers",
    ),
    "power": Scenario(powercuts.cut_power, 100, "nothing lost, nothing torn", compiler),
    "stall": Scenario(redisfaults.stall_redis, 200, "no move made twice"),
    "zombie": Scenario(nodes.freeze_owner, 200, "no stale write"),
    "full": Scenario(disks.fill_disk, 50, "no false ack, play goes on when there is room", disks.may_mount),
    "aof": Scenario(disks.cut_logs, 1_000, "a clean start, every room whole"),
    "cut": Scenario(cuts.cut_clients, 10_000, "no broken chain, no move lost or doubled"),
    "halfopen": Scenario(cuts.half_open, 50, "noticed within 10 s"),
    "still": Scenario(
        partial(cuts.stand_still, most_more=0.1),
        50,
        "≤ 1 MiB held for each, let go within 10 s, others' p99 within 10 %",
    ),
    "restart": Scenario(nodes.restart_nodes, 50, "no hand lost, each stop ≤ 10 s"),
    "drain": Scenario(drains.drain, 20, "1012 with a hint, back in the seat, ended ≤ 10 s"),
    "clock": Scenario(clocks.step_clock, 200, "no order changes, nobody cut off", compiler),
    "failover": Scenario(
        partial(failovers.fail_over, kind="sentinel", wait=2),
        20,
        "Sentinel, both replicas confirm: nothing lost",
    ),
    "failover-cluster": Scenario(
        partial(failovers.fail_over, kind="cluster", wait=1),
        20,
        "Cluster, the replica confirms: nothing lost",
    ),
    "failover-nodes": Scenario(
        partial(failovers.fail_over, kind="cluster", wait=1, nodes=2),
        20,
        "likewise, with two nodes: nothing lost",
    ),
    "failover-one": Scenario(
        partial(failovers.fail_over, kind="sentinel", wait=1),
        20,
        "Sentinel, one of two replicas confirms: what is lost is counted, every game verifies",
    ),
    "failover-bare": Scenario(
        partial(failovers.fail_over, kind="sentinel", wait=0),
        20,
        "Sentinel, none is asked: what is lost is counted, every game verifies",
    ),
    "lease": Scenario(clocks.step_clock_of_nodes, 30, "a lease from the future holds nobody up", compiler),
}
