"""What a page keeps of an event that it follows: rows by part and key, patched with every `EventNews`."""

from typing import Any, Final

from photofinish_protocol.messages import EventNews

OVER: Final = frozenset({"finished", "sealed", "cancelled"})
DONE: Final = frozenset({"done", "forfeit", "void"})


class Followed:
    def __init__(self) -> None:
        self.parts: dict[str, dict[str, Any]] = {}
        self.seq = 0

    def take(self, news: EventNews) -> None:
        """Apply a message. The SDK passes on only those that fit."""
        if news.from_ == 0:
            self.parts = {}
        for name, change in news.parts.items():
            rows = self.parts.setdefault(name, {})
            rows.update(change.rows)
            for key in change.gone:
                rows.pop(key, None)
        self.seq = news.seq

    @property
    def info(self) -> dict[str, Any]:
        found: dict[str, Any] = self.parts.get("info", {}).get("", {})
        return found

    @property
    def is_over(self) -> bool:
        return self.info.get("state") in OVER

    @property
    def standings(self) -> list[dict[str, Any]]:
        return sorted(self.parts.get("standings", {}).values(), key=lambda row: (row["rank"], row["number"]))

    @property
    def tables_done(self) -> tuple[int, int]:
        """How many tables of the round are done, and how many there are."""
        tables = self.parts.get("tables", {}).values()
        return sum(it["bye"] or it["state"] in DONE for it in tables), len(tables)
