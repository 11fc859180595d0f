"""Which node a room should live on: a new one where its host is unless that node is full, an orphan by its code."""

from collections.abc import Collection, Iterable, Mapping
from hashlib import blake2b

from photofinish.store.ports import Neighbour, NodeId, RoomId

SLACK, SHARE = 8, 1.25
"""A new room stays on its host's node until that has a quarter and eight rooms more than the emptiest one: where a
room lives with its host, fewer letters have to travel."""


def heir(room: RoomId, nodes: Collection[NodeId]) -> NodeId:
    """Which of these nodes takes up a room without an owner. All agree without a word, and each gets its share."""
    return max(nodes, key=lambda node: (blake2b(f"{room} {node}".encode(), digest_size=8).digest(), node))


def emptier(rooms: int, neighbours: Iterable[Neighbour], sent: Mapping[Neighbour, int]) -> Neighbour | None:
    """The node a new room should rather live on than here, where there are so many; None if it is well here.

    `sent` counts the rooms each neighbour was given since we heard of it.
    """
    counts = {it: it.rooms + sent.get(it, 0) for it in neighbours if it.is_open}
    least = min(counts, key=lambda it: (counts[it], it.node), default=None)
    return least if least is not None and rooms > SHARE * counts[least] + SLACK else None
