"""Which node owns a room: evenly spread, and on the host's node where possible."""

from collections import Counter

from photofinish.node.placement import less_loaded_node, successor
from photofinish.store.ports import NodeId, OtherNode, RoomId

NODES = [NodeId(name) for name in ("north", "east", "south", "west")]
ROOMS = [RoomId(f"ROOM{number}") for number in range(400)]


def other_node(name: str, rooms: int, *, is_open: bool = True) -> OtherNode:
    return OtherNode(NodeId(name), 1, rooms, is_open)


def test_the_rooms_of_a_dead_node_are_spread_evenly_over_the_others() -> None:
    shares = Counter(successor(room, NODES) for room in ROOMS)

    assert all(70 <= shares[node] <= 130 for node in NODES)


def test_all_nodes_compute_the_same_next_owner() -> None:
    assert all(successor(room, NODES) == successor(room, NODES[::-1]) for room in ROOMS)


def test_when_a_node_leaves_only_its_own_rooms_get_another_owner() -> None:
    left = NODES[1:]

    assert all(
        successor(room, left) == successor(room, NODES) for room in ROOMS if successor(room, NODES) in left
    )


def test_a_new_room_stays_on_the_hosts_node_while_the_nodes_are_about_equally_full() -> None:
    assert less_loaded_node(20, [other_node("east", 15), other_node("south", 40)], {}) is None
    assert less_loaded_node(1_000, [], {}) is None


def test_a_new_room_of_a_host_on_a_full_node_goes_to_the_emptiest_node() -> None:
    closed, east, south = (
        other_node("closed", 0, is_open=False),
        other_node("east", 9),
        other_node("south", 4),
    )

    assert less_loaded_node(50, [closed, east, south], {}) is south
    assert less_loaded_node(50, [closed, east, south], {south: 6}) is east
