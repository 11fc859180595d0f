"""Patterns that a whole text must match.

In Python `$` also matches before a final newline; in JSON Schema it does not, and there is no backslash-Z there.
"""

from typing import Any

from msgspec import Meta

END = r"\Z"


def whole(pattern: str, **limits: Any) -> Meta:
    """The text matches from its first to its last character. `limits` are those of `Meta`."""
    return Meta(pattern=f"^{pattern}{END}", **limits)


def in_schema(pattern: str) -> str:
    """The same pattern as JSON Schema writes it."""
    return f"{pattern.removesuffix(END)}$" if pattern.endswith(END) else pattern
