"""A subject of the bench: a server and its workload."""

from dataclasses import dataclass

TABLES = 60


@dataclass(frozen=True, slots=True)
class Subject:
    name: str
    kind: str
    """The kind of table (`load.KINDS`), or the game that is played at random."""
    tables: int = TABLES
    server: tuple[str, ...] = ("nodes", "1")
    """`echo WAY LOOP`: a bare echo; `nodes N`: N servers with an address each; `workers N`: N servers on one port;
    `peer NAME WAY`: another game server (`tests/bench/peers`)."""


ECHO_SEND = Subject("websockets echo, send", "echo", server=("echo", "send", "asyncio"))
ECHO_BROADCAST = Subject("websockets echo, broadcast", "echo", server=("echo", "broadcast", "asyncio"))
ECHO_UVLOOP = Subject("websockets echo, send, uvloop", "echo", server=("echo", "send", "uvloop"))
COLYSEUS_SENDS = Subject("Colyseus, sends (memory)", "colyseus", server=("peer", "colyseus.mjs", "sends"))
COLYSEUS_SCHEMA = Subject("Colyseus, schema (memory)", "colyseus", server=("peer", "colyseus.mjs", "schema"))
BOARDGAME = Subject("boardgame.io (memory)", "boardgame", server=("peer", "boardgame.mjs", ""))
COUNTER = Subject("counter, 60 rooms", "counter")
