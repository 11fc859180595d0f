"""Which node owns a room.

The host's node owns a new room, unless it is too full. If a room has no owner, its code selects the next one.
"""

from collections.abc import Collection, Iterable, Mapping
from hashlib import blake2b

from photofinish.store.ports import NodeId, OtherNode, RoomId

SLACK, SHARE = 8, 1.25
"""A new room stays on its host's node while that has at most 1.25 times the rooms of the emptiest node, plus 8. A room
on its host's node needs fewer messages between nodes."""


def successor(room: RoomId, nodes: Collection[NodeId]) -> NodeId:
    """Rendezvous hashing: every node computes the same new owner for a room without one, and the load is even."""
    return max(nodes, key=lambda node: (blake2b(f"{room} {node}".encode(), digest_size=8).digest(), node))


def less_loaded_node(
    rooms: int, other_nodes: Iterable[OtherNode], sent: Mapping[OtherNode, int]
) -> OtherNode | None:
    """The other node that should own a new room; None: this node, which has `rooms` rooms.

    `sent` counts the rooms given to each other node since its last report.
    """
    counts = {it: it.rooms + sent.get(it, 0) for it in other_nodes if it.is_open}
    least = min(counts, key=lambda it: (counts[it], it.node), default=None)
    return least if least is not None and rooms > SHARE * counts[least] + SLACK else None
