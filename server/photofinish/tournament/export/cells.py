"""T72: tables as CSV (RFC 4180) and NDJSON. Names are escaped."""

import json
from collections.abc import Iterable, Sequence
from typing import TypeAlias

Cell: TypeAlias = str | int | bool | None

_DANGEROUS = ("=", "+", "-", "@", "\t")


def cell(value: Cell) -> str:
    """A text that a spreadsheet would take for a formula gets a leading quote."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    text = f"'{value}" if value.startswith(_DANGEROUS) and not is_number(value) else value
    if any(ch in text for ch in ',"\r\n'):
        return '"' + text.replace('"', '""') + '"'
    return text


def is_number(text: str) -> bool:
    body = text[1:] if text[:1] in {"-", "+"} else text
    parts = body.split("/") if "/" in body else body.split(".")
    return len(parts) <= 2 and all(part.isascii() and part.isdigit() for part in parts)


def csv(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    lines = [",".join(map(cell, columns)), *(",".join(map(cell, row)) for row in rows)]
    return "".join(f"{line}\r\n" for line in lines).encode()


def ndjson(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    return "".join(
        json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False, separators=(",", ":")) + "\n"
        for row in rows
    ).encode()
