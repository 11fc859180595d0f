"""What all tables have in common: an action is started, and is over when all its frames have arrived."""

from collections.abc import Callable
from time import perf_counter

import msgspec

from photofinish.lab.bench.sockets import Socket
from photofinish_protocol.codec import CODECS
from photofinish_protocol.version import MSGPACK

CODEC = CODECS[MSGPACK]
SEATS = 4
VIEW, ACK, REFUSED = b"\xa1t\xa4view", b"\xa1t\xa3ack", b"\xa1t\xa7refused"
"""How these messages begin, after the header of the map."""
HEAD = 12


class Unexpected(Exception):  # noqa: N818 - the fact itself
    """The server sent a message that no action of the bench can cause."""


class _Answered(msgspec.Struct, frozen=True):
    id: int


_answer = msgspec.msgpack.Decoder(_Answered)


def answered(frame: bytes) -> int:
    """The id that this `ack` or `refused` answers. The rest is not decoded: the generator must not be the limit."""
    return _answer.decode(frame).id


class LoadTable:
    """A group of sockets. `done` counts finished actions, `refused` those that the server refused.

    The driver starts each action; `on_done` is called at its end.
    """

    def __init__(self) -> None:
        self.sockets: list[Socket] = []
        self.done = self.refused = 0
        self.times: list[float] = []
        """Seconds from the sending of an action to its last frame."""
        self.is_running = False
        self.on_done: Callable[[LoadTable], None] = lambda _table: None
        self._began = 0.0

    async def open(self, urls: list[str], number: int) -> None:
        """Connect to these addresses, seat after seat in turn, and get ready for the first action."""
        raise NotImplementedError

    def begin(self) -> None:
        self._began = perf_counter()
        self._act()

    def close(self) -> None:
        for socket in self.sockets:
            socket.close()

    def _act(self) -> None:
        raise NotImplementedError

    def _finished(self) -> None:
        self.done += 1
        self.times.append(perf_counter() - self._began)
        self.on_done(self)
