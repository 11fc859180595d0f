"""Renders the AsyncAPI document as a page: every message with its direction, its fields and an example."""

import json
from collections.abc import Mapping
from typing import Any


def page(document: Mapping[str, Any], examples: Mapping[str, str]) -> str:
    """`examples` has one JSON text per message."""
    parts = document["components"]["schemas"]
    asked = {it.partition("_")[2] for it in document["operations"] if it.startswith("receive_")}
    info = document["info"]
    made_from = (
        f"Made from `schema/asyncapi.full.json`, AsyncAPI {document['asyncapi']}, version {info['version']}."
    )
    lines = ["# AsyncAPI reference", "", f"{info['description']} {made_from}", ""]
    for title, is_ask in (("The client sends", True), ("The server sends", False)):
        lines += [f"## {title}", ""]
        for name, message in document["components"]["messages"].items():
            if (name in asked) is is_ask:
                lines += _message(name, message, parts, examples.get(name, ""))
    lines += ["## Parts of messages", ""]
    for name, part in sorted(parts.items()):
        if not _is_message(name, document):
            lines += [f"### {name}", "", *_fields(part)]
    return "\n".join(lines)


def _is_message(name: str, document: Mapping[str, Any]) -> bool:
    own = (it["payload"]["$ref"].rpartition("/")[2] for it in document["components"]["messages"].values())
    return name in set(own)


def _message(name: str, message: Mapping[str, Any], parts: Mapping[str, Any], example: str) -> list[str]:
    part = parts[message["payload"]["$ref"].rpartition("/")[2]]
    shown = ["```json", example, "```", ""] if example else []
    return [f"### `{name}`", "", message["summary"], "", *_fields(part), *shown]


def _fields(part: Mapping[str, Any]) -> list[str]:
    rows = ["| field | type | default |", "| --- | --- | --- |"]
    needed = set(part.get("required", ()))
    for name, field in part.get("properties", {}).items():
        default = (
            f"`{json.dumps(field['default'])}`" if "default" in field else "" if name in needed else "none"
        )
        rows.append(f"| `{name}` | {_kind(field)} | {default} |")
    return [*rows, ""] if len(rows) > 2 else [_kind(part), ""]


def _kind(field: Mapping[str, Any]) -> str:
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        return f"`{name}`"
    if "anyOf" in field:
        return " or ".join(_kind(it) for it in field["anyOf"])
    if "enum" in field:
        return ", ".join(f"`{it}`" for it in field["enum"])
    if field.get("type") == "array":
        return f"list of {_kind(field.get('items') or {})}"
    bounds = {"minimum": "≥", "maximum": "≤", "minLength": "length ≥", "maxLength": "length ≤"}
    said = [f"{sign} {field[key]}" for key, sign in bounds.items() if key in field]
    return " ".join([str(field.get("type", "anything")), *said])
