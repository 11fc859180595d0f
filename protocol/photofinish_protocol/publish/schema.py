"""Writes what other languages read: schemas, AsyncAPI, examples and diagrams. `--check` says what is out of date."""

import json
import sys
from pathlib import Path
from typing import Any, Final

import msgspec

from photofinish_protocol.codec import CODECS
from photofinish_protocol.messages import ClientMessage, ServerMessage
from photofinish_protocol.patterns import in_schema
from photofinish_protocol.publish.asyncapi import document, in_one_file
from photofinish_protocol.publish.diagrams import DIAGRAMS, svg
from photofinish_protocol.publish.example_parts import Example
from photofinish_protocol.publish.examples import EXAMPLES
from photofinish_protocol.version import JSON, MSGPACK, VERSION

TOP: Final = Path(__file__).parents[2]
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
CLIENT: Final = "schema/client.schema.json"
SERVER: Final = "schema/server.schema.json"
ASYNCAPI: Final = "schema/asyncapi.json"
RECORD: Final = "race-record.schema.json"
"""In the same folder, but made from the server's types: `tests/race/record_page.py`."""
WHOLE: Final = "schema/asyncapi.full.json"
"""The same document in one file, for tools that read no other."""


def json_schema(kinds: Any, title: str) -> dict[str, Any]:
    """The JSON Schema of a union of messages."""
    made = msgspec.json.schema(kinds)
    return {
        "$schema": DIALECT,
        "title": title,
        "description": f"Version {VERSION} of the wire. Fields that are not listed are ignored.",
        **_plain(made),
    }


def example(it: Example) -> dict[str, Any]:
    """The stored form of an example: readable, and as bytes in both encodings."""
    return {
        "name": it.name,
        "direction": it.direction,
        "message": msgspec.to_builtins(it.message),
        "json": CODECS[JSON].encode(it.message).decode(),
        "hex": CODECS[MSGPACK].encode(it.message).hex(),
    }


def files() -> dict[str, str]:
    """Every generated file by its path under `protocol/`, and what must be in it."""
    made: dict[str, Any] = {
        CLIENT: json_schema(ClientMessage, "What a client may send"),
        SERVER: json_schema(ServerMessage, "What the server may send"),
        ASYNCAPI: document(Path(CLIENT).name, Path(SERVER).name),
    }
    made[WHOLE] = in_one_file(made[ASYNCAPI], {Path(it).name: made[it] for it in (CLIENT, SERVER)})
    made |= {f"examples/{it.name}.json": example(it) for it in EXAMPLES}
    written = {path: json.dumps(it, indent=2, ensure_ascii=False) + "\n" for path, it in made.items()}
    return written | {f"diagrams/{name}.svg": svg(it) for name, it in DIAGRAMS.items()}


def drift(top: Path = TOP) -> list[str]:
    """The files that are missing, differ, or should not be there."""
    wanted = files()
    there = {file.relative_to(top).as_posix() for file in _there(top)}
    differ = {path for path in there & wanted.keys() if (top / path).read_text("utf-8") != wanted[path]}
    return sorted(differ | (there ^ wanted.keys()))


def write(top: Path = TOP) -> None:
    wanted = files()
    for file in _there(top):
        if file.relative_to(top).as_posix() not in wanted:
            file.unlink()
    for path, text in wanted.items():
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text(text, encoding="utf-8")


def _there(top: Path) -> list[Path]:
    kinds = {"schema": "*.json", "examples": "*.json", "diagrams": "*.svg"}
    return [
        file for folder, kind in kinds.items() for file in (top / folder).glob(kind) if file.name != RECORD
    ]


def _plain(schema: Any) -> Any:
    """Without `discriminator`, which is OpenAPI's: the tag of each message is an `enum` of one word anyway.

    And with patterns as JSON Schema writes them.
    """
    if isinstance(schema, dict):
        plain = {key: _plain(it) for key, it in schema.items() if key != "discriminator"}
        if isinstance(pattern := plain.get("pattern"), str):
            plain["pattern"] = in_schema(pattern)
        return plain
    return [_plain(it) for it in schema] if isinstance(schema, list) else schema


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        sys.stderr.write("usage: python -m photofinish_protocol.publish.schema [--check]\n")
        return 2
    if not arguments:
        write()
        return 0
    stale = drift()
    for path in stale:
        sys.stderr.write(f"protocol/{path} is not what the message types say; run `make schema`\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
