"""An entry that the rules of §3 do not allow. In the director it is a bug; in `verify` it is a fault of the export."""

from photofinish.tournament.log.entries import Entry


class Illegal(Exception):  # noqa: N818 - a finding
    def __init__(self, entry: Entry, why: str) -> None:
        super().__init__(f"log entry {entry.n} ({type(entry).__name__}): {why}")
        self.entry, self.why = entry, why


def need(fact: bool, entry: Entry, why: str) -> None:
    if not fact:
        raise Illegal(entry, why)
