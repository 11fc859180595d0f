"""The values of a file while they are checked. All faults are collected; the check does not stop at the first."""

from typing import Any

from photofinish.tournament.event_file.checks import BadValue, Check
from photofinish.tournament.event_file.faults import BadEvent, Fault, nearest, shown
from photofinish.tournament.event_file.keys import KNOWN, TABLES, TOP
from photofinish.tournament.event_file.lines import line_of

MOST_FAULTS = 40
"""The most faults that are reported: nobody reads more, and each costs a search for similar words."""


class CheckedValues:
    def __init__(self, raw: dict[str, Any], lines: dict[tuple[str, ...], int]) -> None:
        self.raw, self.lines = raw, lines
        self.faults: list[Fault] = []
        self.values: dict[str, Any] = {}
        """Checked values by dotted key; a key that is missing or faulty is not in here."""

    def fault(self, path: tuple[str, ...], found: object, allowed: str, close: str = "") -> None:
        text = found if isinstance(found, str) and found.startswith("nothing") else shown(found)
        self.faults.append(Fault(line_of(self.lines, path), ".".join(path), text, allowed, close))

    def check(self, path: tuple[str, ...], value: Any, check: Check) -> Any:
        """The checked value, or None with a fault noted."""
        try:
            return check(value)
        except BadValue as no:
            self.fault(path, value, str(no))
            return None

    def read(self) -> None:
        """Check every key that can be checked by itself; note the unknown ones."""
        for key, value in self.raw.items():
            if len(self.faults) >= MOST_FAULTS:
                return
            if key in TABLES:
                self._table(key, value)
            elif key in TOP:
                check = TOP[key]
                if check is not None and (made := self.check((key,), value, check)) is not None:
                    self.values[key] = made
            else:
                self.unknown((key,), value)

    def unknown(self, path: tuple[str, ...], value: Any) -> None:
        key = ".".join(path)
        own = TABLES[path[0]] if len(path) > 1 and path[0] in TABLES else TOP | dict.fromkeys(TABLES)
        close = self._elsewhere(path[-1]) or nearest(path[-1], own) or nearest(key, KNOWN)
        self.fault(path, value, "a known key: " + ", ".join(sorted(own)) if own else "a known key", close)

    def get(self, key: str, default: Any) -> Any:
        return self.values.get(key, default)

    def has_fault(self, key: str) -> bool:
        return any(it.key == key or it.key.startswith(f"{key}.") for it in self.faults)

    def finish(self) -> None:
        if self.faults:
            raise BadEvent(self.faults)

    def _elsewhere(self, key: str) -> str:
        """For a key in the wrong table: `deals` at the top level belongs into `[slapoff]`."""
        return next((f"{table}.{key}" for table, keys in TABLES.items() if key in keys), "")

    def _table(self, name: str, value: Any) -> None:
        if not isinstance(value, dict):
            self.fault((name,), value, f"a table [{name}]")
            return
        if name == "options":  # the game's own, checked by the game
            return
        for key, inner in value.items():
            if len(self.faults) >= MOST_FAULTS:
                return
            if key not in TABLES[name]:
                self.unknown((name, key), inner)
                continue
            check = TABLES[name][key]
            if check is not None and (made := self.check((name, key), inner, check)) is not None:
                self.values[f"{name}.{key}"] = made
