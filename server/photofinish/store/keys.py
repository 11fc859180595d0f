"""All keys in Redis.

The braces keep all keys of one room in one cluster slot. The index has its own slot, so it cannot be written
atomically with a room. It is only a hint, and the store repairs it (see `redis.py`).
"""

from functools import lru_cache

from photofinish.store.ports import NodeId, RoomId

LEASES = "photofinish:{index}:leases"
"""Sorted set: room, scored by the end of its lease."""
SUMMARIES = "photofinish:{index}:summaries"
"""Hash: room to `epoch:version:summary`."""
NODES = "photofinish:{index}:nodes"
"""Hash: node to its status (see `membership.py`)."""


def room_of(room: RoomId) -> str:
    """Hash: state, version, game, summary, epoch, node, until, and the command ids `c0`… of the last commits."""
    return f"photofinish:{{{room}}}:room"


def logs_of(room: RoomId) -> str:
    """The common prefix of this room's log keys; `lease.lua` appends the number of each game."""
    return f"photofinish:{{{room}}}:log:"


def log_of(room: RoomId, game: int) -> str:
    """Stream: the entries of one game, with ids `version-n`."""
    return f"{logs_of(room)}{game}"


@lru_cache(maxsize=8_192)
def commit_keys(room: RoomId, game: int) -> tuple[str, str]:
    """The keys of a commit. They are cached: a room is committed many times."""
    return room_of(room), log_of(room, game)


def replay_of(room: RoomId, game: int) -> str:
    return f"photofinish:{{{room}}}:replay:{game}"


def claim_of(claim: str) -> str:
    """String that expires: the room that this `create` of a client has opened."""
    return f"photofinish:{{claim {claim}}}:room"


def standing_of(key: str) -> str:
    """String that expires: the race standing of a player's public key."""
    return f"photofinish:{{player {key}}}:standing"


def mail_of(node: NodeId) -> str:
    """Stream: messages to this node."""
    return f"photofinish:{{node {node}}}:mail"


def unread_of(node: NodeId) -> str:
    """List: the last envelopes to this node that it could not decode."""
    return f"photofinish:{{node {node}}}:unread"


def node_status_of(node: NodeId) -> str:
    """String that expires: the address where players reach this node. No key means that the node is dead."""
    return f"photofinish:{{node {node}}}:card"


EVENTS = "photofinish:{index}:events"
"""The codes of the events that are not over."""
ENDED_EVENTS = "photofinish:{index}:events:ended"
"""Set: the codes of all events."""


HERE = "photofinish:{index}:here"
"""Sorted set: the keys of players who are connected to some node, scored by when the entry expires (µs)."""


def event_of(code: str) -> str:
    """Hash: secret, file, lease (node, until, epoch) and last command of an event."""
    return f"photofinish:{{event {code}}}:event"


def event_log_of(code: str) -> str:
    """List: the entries of an event, each with hash and body."""
    return f"photofinish:{{event {code}}}:log"


def event_shared_addresses_of(code: str) -> str:
    """Set: the entrants of a table of an event that share an address. For officials only."""
    return f"photofinish:{{event {code}}}:houses"


def ratings_of(game: str) -> str:
    """Hash: public key to rating."""
    return f"photofinish:{{ratings}}:{game}"
