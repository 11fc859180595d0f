"""Writes `src/messages.ts` from `protocol/schema`: the types of all messages, and their shapes for the reader.

`python clients/js/tools/messages.py` writes the file; `--check` exits with 1 if it is not up to date.
"""

import json
import sys
from pathlib import Path
from typing import Any

from photofinish_protocol.reasons import CLOSES, REASONS
from photofinish_protocol.version import JSON, MSGPACK, VERSION

SCHEMA = Path(__file__).parents[3] / "protocol" / "schema"
TARGET = Path(__file__).parents[1] / "src" / "messages.ts"
HEAD = "// Generated from protocol/schema by tools/messages.py. Do not edit: `make js-messages` writes it."

Schema = dict[str, Any]


def main() -> None:
    text = generated()
    if "--check" not in sys.argv:
        TARGET.write_text(text, encoding="utf-8")
    elif not TARGET.exists() or TARGET.read_text(encoding="utf-8") != text:
        sys.exit("clients/js/src/messages.ts is not what protocol/schema says: run `make js-messages`")


def generated() -> str:
    """The whole file."""
    client, server = (
        json.loads((SCHEMA / f"{name}.schema.json").read_text(encoding="utf-8"))
        for name in ("client", "server")
    )
    shared = client["$defs"].keys() & server["$defs"].keys()
    if any(client["$defs"][name] != server["$defs"][name] for name in shared):
        sys.exit(f"client and server schema disagree about {sorted(shared)}")
    parts = [
        HEAD,
        f"export const VERSION = {VERSION};",
        f"export const SUBPROTOCOLS = {{ msgpack: {json.dumps(MSGPACK)}, json: {json.dumps(JSON)} }} as const;",
        *(interface(name, it, is_sent=True) for name, it in client["$defs"].items() if name not in shared),
        union("ClientMessage", client),
        *(interface(name, it, is_sent=False) for name, it in server["$defs"].items()),
        union("ServerMessage", server),
        table(
            "REASONS",
            {str(code): {"retry": row.retry, "text": row.sentence} for code, row in REASONS.items()},
        ),
        table(
            "CLOSES", {int(code): {"retry": row.retry, "text": row.sentence} for code, row in CLOSES.items()}
        ),
        shapes(server),
    ]
    return "\n\n".join(parts) + "\n"


def interface(name: str, it: Schema, *, is_sent: bool) -> str:
    """A struct or an enum. In what is sent a default may be left out; in what was read it is filled in."""
    doc = comment(it.get("description"))
    if "properties" not in it:
        return f"{doc}export type {name} =\n  {typed(it)};"
    lines = []
    for key, field in it["properties"].items():
        optional = "?" if is_sent and key not in it.get("required", ()) else ""
        lines.append(f"  {key}{optional}: {typed(field)};")
    return f"{doc}export interface {name} {{\n" + "\n".join(lines) + "\n}"


def union(name: str, schema: Schema) -> str:
    return f"{comment(schema.get('description'))}export type {name} =\n  | " + (
        "\n  | ".join(ref(it) for it in schema["anyOf"]) + ";"
    )


def comment(text: str | None) -> str:
    lines = [line.strip() for line in (text or "").splitlines()]
    if not any(lines):
        return ""
    if len(lines) == 1:
        return f"/** {lines[0]} */\n"
    return "/**\n" + "".join(f" * {line}".rstrip() + "\n" for line in lines) + " */\n"


def ref(it: Schema) -> str:
    return str(it["$ref"]).rsplit("/", 1)[-1]


def typed(it: Schema) -> str:
    """The TypeScript type of a schema."""
    if "$ref" in it:
        return ref(it)
    if "anyOf" in it:
        return " | ".join(dict.fromkeys(typed(each) for each in it["anyOf"]))
    if "enum" in it:
        return " | ".join(json.dumps(value) for value in it["enum"])
    match it.get("type"):
        case "integer":
            return "number"
        case "array":
            inner = typed(it.get("items", {}))
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        case "object":
            return f"Record<string, {typed(it.get('additionalProperties') or {})}>"
        case None:
            return "unknown"
        case plain:
            return str(plain)


def shapes(server: Schema) -> str:
    """What the reader needs at run time: each field's kind, and its default if it has one."""
    defs = server["$defs"]
    found = {
        name: {
            key: {"is": shape(field, defs), **({"else": field["default"]} if "default" in field else {})}
            for key, field in it["properties"].items()
        }
        for name, it in defs.items()
        if "properties" in it
    }
    tags = {defs[ref(it)]["properties"]["t"]["enum"][0]: ref(it) for it in server["anyOf"]}
    rows = [f"  {name}: {json.dumps(fields, ensure_ascii=False)}," for name, fields in found.items()]
    return "\n".join(
        [
            "/** Which shape a message of the server has, by its `t`. */",
            "export const MESSAGE_SHAPES: Readonly<Record<string, string>> = " + json.dumps(tags) + ";\n",
            "export type Shape =",
            '  | "integer"\n  | "string"\n  | "boolean"\n  | "any"\n  | "object"',
            "  | { readonly list: Shape }\n  | { readonly map: Shape }\n  | { readonly maybe: Shape }",
            "  | { readonly ref: string }",
            "  | { readonly by: string; readonly of: Readonly<Record<string, string>> };\n",
            "/** The fields of each shape. `else` is the default of a field that may be left out. */",
            "export const SHAPES: Readonly<",
            "  Record<string, Readonly<Record<string, { readonly is: Shape; readonly else?: unknown }>>>",
            "> = {",
            *rows,
            "};",
        ]
    )


def shape(it: Schema, defs: Schema) -> Any:
    if "$ref" in it:
        target = defs[ref(it)]
        return {"ref": ref(it)} if "properties" in target else shape(target, defs)
    if "anyOf" in it:
        rest = [each for each in it["anyOf"] if each.get("type") != "null"]
        inner = shape(rest[0], defs) if len(rest) == 1 else tagged(rest, defs)
        return inner if len(rest) == len(it["anyOf"]) else {"maybe": inner}
    if "enum" in it:
        return "string" if isinstance(it["enum"][0], str) else "integer"
    match it.get("type"):
        case "array":
            return {"list": shape(it.get("items", {}), defs)}
        case "object" if it.get("additionalProperties"):
            return {"map": shape(it["additionalProperties"], defs)}
        case None:
            return "any"
        case plain:
            return plain


def tagged(several: list[Schema], defs: Schema) -> Any:
    """A union of structs, told apart by the one field that is a constant in each."""
    if not all("$ref" in it for it in several):
        return "any"
    fields = [defs[ref(it)]["properties"] for it in several]
    by = next(key for key, field in fields[0].items() if len(field.get("enum", ())) == 1)
    return {
        "by": by,
        "of": {field[by]["enum"][0]: ref(it) for it, field in zip(several, fields, strict=True)},
    }


def table(name: str, rows: dict[Any, Any]) -> str:
    lines = [f"  {key}: {json.dumps(row, ensure_ascii=False)}," for key, row in rows.items()]
    kind = "number" if isinstance(next(iter(rows)), int) else "string"
    return (
        f"export const {name}: Readonly<Record<{kind}, {{ retry: boolean; text: string }}>> = {{\n"
        + "\n".join(lines)
        + "\n};"
    )


if __name__ == "__main__":
    main()
