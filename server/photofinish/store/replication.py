"""How many replicas must have a write before anybody hears of it (`--redis-wait`).

`WAIT` answers for what *its own connection* has written. Two things follow, and both are seen to here and in
`line.py`: it is asked on the connection the writes went by, in the same pipeline; and a write that is sent again by
another connection, where it changes nothing any more, is followed by a mark that does. Without the mark `WAIT`
would count replicas that have never heard of the write (measured on Valkey 9.1: it does).
"""

from collections.abc import Sequence
from dataclasses import dataclass

Part = str | bytes | int
Words = tuple[Part, ...]

MARK_MS = 60_000
"""A mark has done its work as soon as it is copied; it goes by itself."""


@dataclass(frozen=True, slots=True)
class Replication:
    """So many replicas must confirm. One look for them lasts `look_ms` at most; then it is looked again."""

    replicas: int = 0
    look_ms: int = 200

    @property
    def question(self) -> Words:
        return ("WAIT", self.replicas, self.look_ms)


NONE = Replication()


class TooFewReplicas(Exception):  # noqa: N818 - a fact: it is told to the log, never to a room
    """It is written, but fewer replicas have it than were asked for."""

    def __init__(self, have: int, wanted: int) -> None:
        super().__init__(f"{have} of {wanted} replicas have the last writes")


def mark(words: Sequence[Part]) -> Words:
    """A write into the slot of this command's key."""
    key = words[3] if words[0] in ("EVAL", "EVALSHA") else words[1]
    text = key.decode() if isinstance(key, bytes) else str(key)
    tag = text[text.index("{") : text.index("}") + 1]
    return ("SET", f"photofinish:{tag}:copied", b"", "PX", MARK_MS)
