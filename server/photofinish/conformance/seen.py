"""Everything that is known about one situation when it is over, and the verdict of a check."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from photofinish.conformance.line import ClientLine, Frame, Message

QUIET: Final = 3.0
"""Seconds for which a client that must not come back is watched."""


@dataclass
class Seen:
    """Every message that passed the line, and what the examiner knows in addition."""

    line: ClientLine
    url: str = ""
    """The address that the client was given."""
    wanted: str = ""
    """The subprotocol that it was asked to speak; empty: either."""
    games: int = 1
    is_over: bool = False
    """The last game came to its end, and the client was shown it."""
    withheld: bool = False
    seats: Sequence[str] = ()
    """The names in the room's seats when the game began."""
    autopilot: bool = False
    last_words: str = ""
    """How the client ended, if not well, and the last line of its standard error."""
    at: dict[str, float] = field(default_factory=dict)
    """When something happened: `taken_over`, `owner_died`."""

    @property
    def frames(self) -> Sequence[Frame]:
        return self.line.frames

    @property
    def opened(self) -> Sequence[float]:
        return self.line.opened

    def of(self, side: str, socket: int | None = None) -> list[Message]:
        return [it.message for it in self.frames if it.side == side and socket in {None, it.socket}]

    def first(self, side: str, kind: str, **fields: object) -> Frame | None:
        """The first message of this kind with these fields."""
        for it in self.frames:
            is_it = it.side == side and it.message.get("t") == kind
            if is_it and all(it.message.get(name) == value for name, value in fields.items()):
                return it
        return None


class CheckVerdict(NamedTuple):
    """`what`: what was wrong; empty if nothing was. `is_seen` False: the situation gave no occasion to observe it."""

    what: str = ""
    is_seen: bool = True


UNSEEN: Final = CheckVerdict(is_seen=False)
