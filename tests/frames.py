"""Holds every frame that a server of the suite sends against the published JSON Schema.

`watch(off)` wraps the server's write to a socket, which all of them pass. A frame that does not fit is written into the
file `off`, and `tests/conftest.py` fails the test. Servers that the tests start do the same: the variable `OFF` names
the file.
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
"""Environment variables: the file for frames that are off; a folder with other schemas, for the test of this."""
AT_START = Path(__file__).parent / "at_start"
"""On the PYTHONPATH of every process that the tests start."""
LONGEST = 2_000


@functools.cache
def validators() -> dict[str, Any]:
    """One for each `t`. Stricter than the schema for readers: a field that the schema does not name is off too."""
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
    """What is wrong with the payload of a frame; empty: it fits."""
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
    """From now on every frame that a server of this process writes is checked."""
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


def watch_if_told() -> None:
    """For a process that a test starts."""
    if OFF in os.environ:
        watch(Path(os.environ[OFF]))
