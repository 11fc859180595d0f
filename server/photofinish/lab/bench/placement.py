"""Which nodes own the rooms of a large cluster: runs the real code of `node/placement.py` on simulated nodes.

Players connect to nodes at random. Each opens a room on its own node unless that is too full; nodes know each other's
numbers from the last report. Then nodes die, and their rooms go to the node that each room's code selects.
"""

import random
from collections import Counter
from dataclasses import dataclass

from photofinish.node.placement import SHARE, SLACK, less_loaded_node, successor
from photofinish.store.ports import NodeId, OtherNode, RoomId

SEATS = 4
REPORT_EVERY = 0.5
"""Seconds between two reports of a node (the lease's renewal)."""


@dataclass(frozen=True, slots=True)
class PlacedRooms:
    nodes: int
    rooms: int
    fullest: float
    """The number of rooms of the fullest node, divided by the mean."""
    moved: float
    """Share of the rooms that were opened on another node than their host's."""
    after_death: float
    """The same as `fullest`, after the deaths of some nodes."""
    adopted: int
    """The largest number of rooms that one node took over."""


def simulate(
    nodes: int, seats: int, deaths: int, *, skew: float = 0.0, per_second: int = 5_000, seed: int = 1
) -> PlacedRooms:
    """`skew`: for this share of the rooms the host is always on the first tenth of the nodes; else on any node."""
    chance = random.Random(seed)  # noqa: S311 - a simulation
    names = [NodeId(f"{number:08x}") for number in range(nodes)]
    rooms: dict[NodeId, list[RoomId]] = {it: [] for it in names}
    reported, least = dict.fromkeys(names, 0), 0
    sent: dict[NodeId, Counter[OtherNode]] = {it: Counter() for it in names}
    crowd = names[: max(1, nodes // 10)]
    moved, wanted = 0, seats // SEATS
    between = max(1, int(per_second * REPORT_EVERY))
    nodes_seen = [OtherNode(it, 0, 0, is_open=True) for it in names]
    for number in range(wanted):
        if number % between == 0:
            reported = {it: len(rooms[it]) for it in names}
            nodes_seen = [OtherNode(it, number, reported[it], is_open=True) for it in names]
            sent = {it: Counter() for it in names}
            least = min(reported.values())
        host = chance.choice(crowd if chance.random() < skew else names)
        # Look at the other nodes only if this node is above its limit. The answer is the same, and it takes less time.
        is_full = reported[host] > SHARE * least + SLACK
        others = (it for it in nodes_seen if it.node != host)
        other = less_loaded_node(reported[host], others, sent[host]) if is_full else None
        if other is not None:
            sent[host][other] += 1
            moved += 1
        rooms[host if other is None else other.node].append(RoomId(f"R{number}"))
    before = _fullest(rooms)
    dead = set(chance.sample(names, deaths))
    alive = [it for it in names if it not in dead]
    orphans = Counter(successor(room, alive) for it in dead for room in rooms[it])
    left = {it: [*rooms[it], *[RoomId("")] * orphans[it]] for it in alive}
    return PlacedRooms(
        nodes, wanted, before, moved / wanted, _fullest(left), max(orphans.values(), default=0)
    )


def _fullest(rooms: dict[NodeId, list[RoomId]]) -> float:
    counts = [len(it) for it in rooms.values()]
    return max(counts) / (sum(counts) / len(counts))


def main() -> None:
    for skew in (0.0, 0.5):
        print(simulate(200, 1_000_000, 2, skew=skew))  # noqa: T201 - a script


if __name__ == "__main__":
    main()
