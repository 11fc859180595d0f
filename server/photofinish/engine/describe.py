"""JSON Schemas of a game's options and moves, with a description of each field.

The description is the string below the field in the source code.
The unit comes from the name: `_seconds` is s, `_ms` is ms.
"""

import ast
import inspect
import sys
from functools import cache
from typing import Any

import msgspec

UNITS = {"_seconds": "s", "_ms": "ms", "_us": "µs"}
SAFE = 2**53 - 1
"""The largest n for which a double, and so JavaScript, holds every whole number up to n exactly."""


def schema(kind: Any) -> dict[str, Any]:
    """The JSON Schema of a struct, or of a union of structs, with descriptions, units and defaults.

    Made once per type: do not change it.
    """
    return _schema(kind)


@cache
def _schema(kind: Any) -> dict[str, Any]:
    made = msgspec.json.schema(kind)
    for struct in _structs(kind):
        described = made["$defs"][struct.__name__]["properties"]
        for name, text in field_texts(struct).items():
            described[name]["description"] = text
            for ending, unit in UNITS.items():
                if name.endswith(ending):
                    described[name]["unit"] = unit
    return made


@cache
def field_texts(struct: type[msgspec.Struct]) -> dict[str, str]:
    """The text below each field, by the field's name in messages. Fields of base classes are included."""
    texts: dict[str, str] = {}
    for base in reversed(struct.__mro__):
        if issubclass(base, msgspec.Struct) and base is not msgspec.Struct:
            texts |= _texts_in(base.__module__)[base.__qualname__]
    return {it.encode_name: texts[it.name] for it in msgspec.structs.fields(struct) if it.name in texts}


@cache
def _texts_in(module: str) -> dict[str, dict[str, str]]:
    """The texts below the fields of every class in a module, by qualified name.

    A module is parsed once. `inspect.getsource(struct)` parses it for every class: 0.5 of 0.65 s of a server's start.
    """
    found = {}

    def visit(node: ast.AST, path: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef):
                found[f"{path}{child.name}"] = _texts_of(child)
                visit(child, f"{path}{child.name}.")
            elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                visit(child, f"{path}{child.name}.<locals>.")
            elif isinstance(child, ast.stmt):
                visit(child, path)

    visit(ast.parse(inspect.getsource(sys.modules[module])), "")
    return found


def _texts_of(struct: ast.ClassDef) -> dict[str, str]:
    found = {}
    for node, below in zip(struct.body, struct.body[1:], strict=False):
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
            continue
        if (
            isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
            and isinstance(below.value.value, str)
        ):
            found[node.target.id] = " ".join(below.value.value.split())
    return found


def _structs(kind: Any) -> list[type[msgspec.Struct]]:
    """Every struct that the schema of this type describes."""
    found: dict[str, type[msgspec.Struct]] = {}

    def visit(it: Any) -> None:
        if isinstance(it, msgspec.inspect.StructType):
            if it.cls.__name__ not in found:
                found[it.cls.__name__] = it.cls
                for field in it.fields:
                    visit(field.type)
        elif isinstance(it, msgspec.inspect.UnionType):
            for part in it.types:
                visit(part)
        elif isinstance(it, msgspec.inspect.VarTupleType | msgspec.inspect.ListType):
            visit(it.item_type)
        elif isinstance(it, msgspec.inspect.TupleType):
            for part in it.item_types:
                visit(part)
        elif isinstance(it, msgspec.inspect.DictType):
            visit(it.value_type)
        elif isinstance(it, msgspec.inspect.Metadata):
            visit(it.type)

    visit(msgspec.inspect.type_info(kind))
    return list(found.values())
