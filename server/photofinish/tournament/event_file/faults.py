"""What is wrong with an event file: every fault at once, each with its place."""

import difflib
from collections.abc import Iterable

import msgspec


class Fault(msgspec.Struct, frozen=True):
    """One fault. `nearest` is a known key that looks like an unknown one."""

    line: int
    key: str
    found: str
    allowed: str
    nearest: str = ""

    @property
    def text(self) -> str:
        hint = f" Did you mean {self.nearest}?" if self.nearest else ""
        return f"line {self.line}: {self.key}: found {self.found}; allowed: {self.allowed}.{hint}"


class BadEvent(Exception):  # noqa: N818 - a refusal (`bad_event`)
    """The file is not a valid event file. Nothing has changed."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(sorted(faults, key=lambda it: (it.line, it.key)))
        super().__init__("\n".join(it.text for it in self.faults))


def shown(value: object) -> str:
    """A value as it appears in a fault: short, whatever was sent."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"' if len(value) <= 40 else f'"{value[:37]}…"'
    if isinstance(value, dict):
        return "a table"
    text = str(value)
    return text if len(text) <= 40 else f"{text[:37]}…"


def nearest(key: str, known: Iterable[str]) -> str:
    """The known key that looks most like this one; empty if none does."""
    close = difflib.get_close_matches(key, sorted(known), n=1, cutoff=0.6)
    return close[0] if close else ""
