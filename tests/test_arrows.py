"""The arrows of ARCHITECTURE.md: reads every import of the three packages and fails on one that is not allowed."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
SERVER = TOP / "server" / "photofinish"
SOURCES = (
    SERVER,
    TOP / "protocol" / "photofinish_protocol",
    TOP / "clients" / "python" / "photofinish_client",
)

# What each folder may import. "protocol" and "client" are the other two packages.
MAY_IMPORT: dict[str, set[str]] = {
    "engine": {"protocol.offers", "protocol.offered_moves"},
    "games": {"engine"},
    "race": {"engine"},
    "backoff": set(),
    "store": {"backoff"},
    "replay": {"engine", "race"},
    "room": {"engine", "race", "replay.log", "protocol"},
    "bots": {"engine", "race.params", "replay", "room", "protocol"},
    "node": {"engine", "race", "replay", "room", "bots", "store.ports", "protocol"},
    "gateway": {"backoff", "engine", "race", "room", "node", "protocol"},
    "tournament": {"engine"},
    "protocol": set(),
    "client": {"protocol"},
}
# The shell of events drives rooms and talks to players; the rest of its folder sees the engine alone.
MAY_IMPORT_TOO = {
    "tournament.director": {"node", "room", "replay", "store.events", "store.ports", "protocol"}
}
# The top of the server sees all of it; nothing below imports it.
ABOVE = {
    "app",
    "cli",
    "commands",
    "config",
    "conformance",
    "doctor",
    "shutdown",
    "lab",
    "telemetry",
    "workers",
    "__main__",
}

# The laboratory measures the server. Nothing of the server may need it; two commands start it.
MAY_IMPORT_LAB = {"lab", "commands.bench", "commands.measure"}

# Time, chance, sockets and threads come in as arguments (DESIGN §4).
IMPURE = {
    "asyncio", "datetime", "logging", "os", "random", "redis", "secrets", "socket", "structlog", "subprocess",
    "threading", "time", "uvloop", "websockets",
}  # fmt: skip
PURE = ("engine", "games", "race", "replay", "room", "tournament")
PURE_EXCEPT = {"tournament.director"}
# Where a host keeps its own decks; dates of an event file (a date is read, the clock is not).
MAY_LOOK_OUTSIDE = {"engine.decks.components": {"os"}, "tournament.event_file.checks": {"datetime"}}

# `async` belongs to the shells.
SHELLS = {
    "app", "bots", "cli", "commands", "conformance", "doctor", "shutdown", "gateway", "lab", "node", "store",
    "telemetry",    "tournament.director", "workers", "client",
}  # fmt: skip


def module_of(file: Path) -> str:
    """`engine.rng`, `protocol.codec`, `client.session`, `app`."""
    if SERVER in file.parents:
        parts = file.relative_to(SERVER).with_suffix("").parts
    else:
        top = next(top for top in SOURCES if top in file.parents)
        parts = (top.name.removeprefix("photofinish_"), *file.relative_to(top).with_suffix("").parts)
    return ".".join(part for part in parts if part != "__init__")


def imports_of(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def under(module: str, tops: set[str] | tuple[str, ...]) -> bool:
    return any(module == top or module.startswith(top + ".") for top in tops)


def is_pure(module: str) -> bool:
    return under(module, PURE) and not under(module, PURE_EXCEPT)


def faults(module: str, source: str) -> list[str]:
    """Every wrong arrow in one module."""
    tree = ast.parse(source)
    room = module.split(".", maxsplit=1)[0]
    found = []
    for name in imports_of(tree):
        if name.startswith("photofinish."):
            target = name.removeprefix("photofinish.")
        elif name.startswith(("photofinish_protocol", "photofinish_client")):
            target = name.removeprefix("photofinish_")
        else:
            if is_pure(module) and name.split(".")[0] in IMPURE - MAY_LOOK_OUTSIDE.get(module, set()):
                found.append(f"{module} imports {name}: it must stay pure")
            continue
        if under(target, {"lab"}) and not under(module, MAY_IMPORT_LAB):
            found.append(f"{module} imports {name}: only {sorted(MAY_IMPORT_LAB)} may see the laboratory")
            continue
        own = ".".join(module.split(".")[:2]) if room == "games" else room
        more = {it for shell, targets in MAY_IMPORT_TOO.items() if under(module, {shell}) for it in targets}
        if room in ABOVE or room == "" or under(target, {own}) or under(target, MAY_IMPORT[room] | more):
            continue
        found.append(f"{module} imports {name}: {room} may see {sorted(MAY_IMPORT[room]) or 'nothing'}")
    if not under(module, SHELLS):
        found += [
            f"{module} line {node.lineno}: async belongs to the shells"
            for node in ast.walk(tree)
            if isinstance(node, ast.AsyncFunctionDef | ast.Await | ast.AsyncFor | ast.AsyncWith)
        ]
    return found


def test_every_import_follows_an_arrow() -> None:
    files = [file for top in SOURCES for file in sorted(top.rglob("*.py"))]

    assert [
        fault for file in files for fault in faults(module_of(file), file.read_text(encoding="utf-8"))
    ] == []
    assert len(files) > 400


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("games.cambio.rules", "import time"),
        ("games.cambio.rules", "from photofinish.games.kodiak import rules"),
        ("games.cambio.view", "from photofinish.room import core"),
        ("games.cambio.view", "import photofinish_protocol.messages"),
        ("engine.rng", "from random import randint"),
        ("race.arbiter", "from photofinish.games import all_games"),
        ("room.core", "from photofinish.store import redis"),
        ("room.core", "import asyncio"),
        ("room.core", "async def act(): ..."),
        ("gateway.session", "from photofinish.store.redis import RedisStore"),
        ("gateway.session", "from photofinish.app import App"),
        ("client.session", "from photofinish.engine import Game"),
        ("app", "from photofinish.lab.net.run import real_lab"),
        ("commands.replay", "from photofinish.lab.sim.simulate import simulate"),
    ],
)
def test_a_planted_wrong_arrow_is_found(module: str, source: str) -> None:
    assert faults(module, source)
