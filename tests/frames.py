"""Checks every frame that a server of the test suite sends against the published JSON Schema.

`watch(off)` wraps the server's write to a socket, which every frame passes. An invalid frame is written to the file
`off`, and `tests/conftest.py` fails the test. Servers in other processes do the same: the variable `OFF` names the
file.
"""

import functools
import json
import os
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
from websockets.frames import Opcode

from photofinish.gateway.sockets.connection import Connection
from photofinish_protocol.publish.schema import SERVER, TOP

OFF, SCHEMAS = "PHOTOFINISH_TESTS_FRAMES_OFF", "PHOTOFINISH_TESTS_SCHEMAS"
"""Environment variables: the file for invalid frames; a folder with other schemas, for the test of this module."""
AT_START = Path(__file__).parent / "at_start"
"""On the PYTHONPATH of every process that the tests start."""
LONGEST = 2_000


@functools.cache
def validators() -> dict[str, Any]:
    """One validator per `t`. Stricter than the published schema: an unknown field is invalid too."""
    schema = json.loads((Path(os.environ.get(SCHEMAS, TOP)) / SERVER).read_text("utf-8"))
    parts = schema["$defs"]
    for part in parts.values():
        if "properties" in part:
            part.setdefault("additionalProperties", False)
    found = {}
    for name in (it["$ref"].rpartition("/")[2] for it in schema["anyOf"]):
        whole = {"$schema": schema["$schema"], "$defs": parts, "$ref": f"#/$defs/{name}"}
        found[parts[name]["properties"]["t"]["enum"][0]] = jsonschema_rs.validator_for(whole)
    return found


def fault(frame: bytes, *, is_text: bool) -> str:
    """What is wrong with the payload of a frame; empty if it is valid."""
    try:
        plain = msgspec.json.decode(frame) if is_text else msgspec.msgpack.decode(frame)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return f"not of its encoding ({error})"
    checker = validators().get(str(plain.get("t"))) if isinstance(plain, dict) else None
    if checker is None:
        return "not a message"
    first = next(checker.iter_errors(plain), None)
    return "" if first is None else f"{first.message} at {first.instance_path}"


def watch(off: Path) -> None:
    """From now on check every frame that a server of this process writes."""
    write = getattr(Connection.write, "__wrapped__", Connection.write)
    last = b""

    @functools.wraps(write)
    def writing(connection: Connection, frame: bytes) -> None:
        nonlocal last
        if frame is not last:  # the same for many sockets
            wrong = fault(frame, is_text=connection._opcode & 0xF == Opcode.TEXT)
            if wrong:
                with off.open("a", encoding="utf-8") as file:
                    file.write(f"{wrong}: {frame[:LONGEST]!r}\n")
            last = frame
        write(connection, frame)

    setattr(Connection, "write", writing)  # noqa: B010 - all frames pass here


def watch_if_asked() -> None:
    """Start the check in a process that a test has started."""
    if OFF in os.environ:
        watch(Path(os.environ[OFF]))
