"""How many replicas must confirm a write before it counts as stored (`--redis-wait`).

`WAIT` covers only the writes of *its own connection*. So `pipeline.py` sends it on the connection of the writes, in
the same pipeline. A write that is repeated on another connection changes nothing there, so `WAIT` would not cover it;
it is followed by a mark, a small write that `WAIT` does cover. Without the mark `WAIT` counts replicas that do not
have the write (measured on Valkey 9.1).
"""

from collections.abc import Sequence
from dataclasses import dataclass

Part = str | bytes | int
Words = tuple[Part, ...]

MARK_MS = 60_000
"""When a mark expires. It is not needed any more once it is replicated."""


@dataclass(frozen=True, slots=True)
class Replication:
    """`replicas` must confirm. One `WAIT` lasts at most `wait_ms`; it is retried until enough replicas confirm."""

    replicas: int = 0
    wait_ms: int = 200

    @property
    def wait_command(self) -> Words:
        return ("WAIT", self.replicas, self.wait_ms)


NONE = Replication()


class TooFewReplicas(Exception):  # noqa: N818 - not an error of the caller: it is only logged
    """The write is done, but fewer replicas than required have confirmed it."""

    def __init__(self, have: int, wanted: int) -> None:
        super().__init__(f"{have} of {wanted} replicas have the last writes")


def mark(words: Sequence[Part]) -> Words:
    """The mark for this command: a write in the cluster slot of its key."""
    key = words[3] if words[0] in ("EVAL", "EVALSHA") else words[1]
    text = key.decode() if isinstance(key, bytes) else str(key)
    tag = text[text.index("{") : text.index("}") + 1]
    return ("SET", f"photofinish:{tag}:copied", b"", "PX", MARK_MS)
