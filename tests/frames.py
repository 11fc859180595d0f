"""Holds every frame of the suite against the published JSON Schemas: what servers and the Python SDK send.

`watch(off)` wraps the two functions that all of them pass: the server's write to a socket, and the encoder of the SDK.
A frame that does not fit is written into the file `off`, and `tests/conftest.py` fails the test. Servers that the tests
start do the same: the variable `OFF` names the file.
"""

import functools
import json
import os
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
from websockets.frames import Opcode

from photofinish.gateway.connection import Connection
from photofinish_protocol.codec import Codec
from photofinish_protocol.messages import ClientMessage
from photofinish_protocol.schema import CLIENT, SERVER, TOP

OFF, SCHEMAS = "PHOTOFINISH_TESTS_FRAMES_OFF", "PHOTOFINISH_TESTS_SCHEMAS"
"""Environment variables: the file for frames that are off; a folder with other schemas, for the test of this."""
AT_START = Path(__file__).parent / "at_start"
"""On the PYTHONPATH of every process that the tests start."""
LONGEST = 2_000
ASKS = ClientMessage.__args__


@functools.cache
def validators(path: str) -> dict[str, Any]:
    """One for each `t`. Stricter than the schema for readers: a field that the schema does not name is off too."""
    schema = json.loads((Path(os.environ.get(SCHEMAS, TOP)) / path).read_text("utf-8"))
    parts = schema["$defs"]
    for part in parts.values():
        if "properties" in part:
            part.setdefault("additionalProperties", False)
    found = {}
    for name in (it["$ref"].rpartition("/")[2] for it in schema["anyOf"]):
        whole = {"$schema": schema["$schema"], "$defs": parts, "$ref": f"#/$defs/{name}"}
        found[parts[name]["properties"]["t"]["enum"][0]] = jsonschema_rs.validator_for(whole)
    return found


def fault(frame: bytes, *, is_text: bool, path: str) -> str:
    """What is wrong with the payload of a frame; empty: it fits."""
    try:
        plain = msgspec.json.decode(frame) if is_text else msgspec.msgpack.decode(frame)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return f"not of its encoding ({error})"
    checker = validators(path).get(str(plain.get("t"))) if isinstance(plain, dict) else None
    if checker is None:
        return "not a message"
    first = next(checker.iter_errors(plain), None)
    return "" if first is None else f"{first.message} at {first.instance_path}"


def watch(off: Path) -> None:
    """From now on every frame of this process is checked."""
    write = getattr(Connection.write, "__wrapped__", Connection.write)
    encode = getattr(Codec.encode, "__wrapped__", Codec.encode)
    last = b""

    def look(frame: bytes, *, is_text: bool, path: str) -> None:
        if wrong := fault(frame, is_text=is_text, path=path):
            with off.open("a", encoding="utf-8") as file:
                file.write(f"{wrong}: {frame[:LONGEST]!r}\n")

    @functools.wraps(write)
    def writing(connection: Connection, frame: bytes) -> None:
        nonlocal last
        if frame is not last:  # the same for many sockets
            look(frame, is_text=connection._opcode & 0xF == Opcode.TEXT, path=SERVER)
            last = frame
        write(connection, frame)

    @functools.wraps(encode)
    def encoding(codec: Codec, message: Any) -> bytes:
        frame: bytes = encode(codec, message)
        if isinstance(message, ASKS):
            look(frame, is_text=codec.is_text, path=CLIENT)
        return frame

    for kind, name, checking in ((Connection, "write", writing), (Codec, "encode", encoding)):
        setattr(kind, name, checking)


def watch_if_told() -> None:
    """For a process that a test starts."""
    if OFF in os.environ:
        watch(Path(os.environ[OFF]))
