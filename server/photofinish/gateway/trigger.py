"""A trigger on its way: the evidence that the kernel has of its round trip.

Trigger, ping and padding leave together, in more than one full segment. A receiver's kernel acknowledges that at
once, whatever its program does. The padding is pongs that nobody asked for: every websocket client ignores them.
"""

from collections import deque
from typing import Any, NamedTuple

from photofinish.engine import Micros
from photofinish.gateway.kernel import WIDEST, TcpInfo, cork, sample, tcp_info

PAD = bytes(125)
"""The longest payload of a control frame."""
FRAMED = len(PAD) + 2
SPARE = 64
"""So much more than one segment: options and TLS may take some of it."""
JUST_NOW = Micros(5_000)
"""What was sent so shortly before goes in front of the trigger, and is acknowledged with it."""


class Told(NamedTuple):
    """What the kernel says of a trigger. A sample of 0: it saw the line, and nothing that was late."""

    sample: Micros | None
    resent: bool


NOTHING_TOLD = Told(None, resent=False)


class Trigger:
    """The evidence of one socket, one trigger at a time."""

    def __init__(self, sock: Any) -> None:
        self._sock = sock
        self._before: TcpInfo | None = None
        self._is_mixed = False
        self._written: deque[Micros] = deque(maxlen=32)
        self._size = 0
        self._is_corked = False

    def wrote(self, size: int, now: Micros) -> None:
        """A frame is handed to the socket."""
        self._written.append(now)
        self._size += size

    def begin(self, now: Micros) -> None:
        """The trigger is the next frame."""
        self._before = tcp_info(self._sock)
        if self._before is None or self._before.mss > WIDEST:
            self._before = None
            return
        recent = sum(at >= now - JUST_NOW for at in self._written)
        # The acknowledgement of something older could be held back, and would be taken for the trigger's.
        self._is_mixed = self._before.unacked > recent
        self._size = 0
        cork(self._sock, on=True)
        self._is_corked = True

    def padding(self) -> int:
        """How many pads have to follow what was written since, so that it fills more than one segment."""
        if self._before is None:
            return 0
        missing = self._before.mss + SPARE - self._size
        return max(0, -(-missing // FRAMED))

    def sent(self) -> None:
        """All of it is written."""
        if self._is_corked:
            cork(self._sock, on=False)
            self._is_corked = False

    def told(self) -> Told:
        """The ping behind the trigger is back: what did the kernel see?"""
        before, self._before = self._before, None
        after = None if before is None else tcp_info(self._sock)
        if before is None or after is None:
            return NOTHING_TOLD
        resent = after.retransmits != before.retransmits
        return Told(Micros(0) if self._is_mixed else sample(before, after), resent)
