"""The line of each key in a TOML text. `tomllib` returns values without their lines."""

import re

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(
    r"""^\s*((?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*'))*)\s*="""
)
_PART = re.compile(r"""[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*'""")
_LEXEME = re.compile(
    r'''"""(?:\\.|(?!""").)*(?:""")?|\'\'\'(?:(?!\'\'\').)*(?:\'\'\')?|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|\#[^\n]*|[\[\]{}]|\n''',
    re.DOTALL,
)


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _PART.findall(dotted))


def _continued(text: str) -> set[int]:
    """The lines (from 1) that begin inside a multi-line string or an open bracket of a value."""
    inside: set[int] = set()
    line, depth, start_of_line = 1, 0, 0
    for found in _LEXEME.finditer(text):
        part = found.group()
        if part == "\n":
            line += 1
            start_of_line = found.end()
            if depth > 0:
                inside.add(line)
        elif part.startswith(('"""', "'''")):
            for _ in range(part.count("\n")):
                line += 1
                inside.add(line)
        elif part in "[{":
            is_header = part == "[" and not text[start_of_line : found.start()].strip(" \t[")
            depth += not (is_header and depth == 0)
        elif part in "]}":
            depth = max(0, depth - 1)
    return inside


def key_lines(text: str) -> dict[tuple[str, ...], int]:
    """The line of every key and table, by its path. A key of an inline table has the line of the table."""
    inside = _continued(text)
    at: tuple[str, ...] = ()
    found: dict[tuple[str, ...], int] = {}
    counted: dict[tuple[str, ...], int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if number in inside:
            continue
        if header := _HEADER.match(line):
            at = _parts(header.group(2))
            if header.group(1) == "[[":
                counted[at] = counted.get(at, -1) + 1
                found.setdefault(at, number)
                at = (*at, str(counted[at]))
            found.setdefault(at, number)
        elif key := _KEY.match(line):
            path = (*at, *_parts(key.group(1)))
            found.setdefault(path, number)
            for shorter in range(len(at) + 1, len(path)):
                found.setdefault(path[:shorter], number)
    return found


def line_of(lines: dict[tuple[str, ...], int], path: tuple[str, ...]) -> int:
    """The line of a key, or of the nearest table around it; 1 if none is there."""
    while path:
        if path in lines:
            return lines[path]
        path = path[:-1]
    return 1
