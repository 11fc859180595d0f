"""Finds the boundaries of websocket frames in a stream of bytes without parsing the frames.

The library parses all bytes of one read before it reports any frame, and 256 KB can hold 43,690 empty pings. With
the boundaries known, frames are counted first and parsed a few at a time.
"""

FIN = 0x80
OPCODE = 0x0F
CONT, TEXT, BINARY = 0x0, 0x1, 0x2
CLOSE, PING, PONG = 0x8, 0x9, 0xA
DATA = frozenset({CONT, TEXT, BINARY})

_MASKED = 0x80
_LENGTH = 0x7F
_SHORT, _LONG = 126, 127
"""These values mean that the length follows, in two bytes or in eight."""


class FrameScanner:
    """Scans one stream (RFC 6455 §5.2). A step costs the same for frames of any length."""

    __slots__ = ("_head", "_left")

    def __init__(self) -> None:
        self._head = bytearray()
        """The first bytes of a header whose rest is in the next read."""
        self._left = 0
        """Bytes of the frame's payload still to come."""

    @property
    def is_in_payload(self) -> bool:
        return self._left > 0

    @property
    def is_inside(self) -> bool:
        """The stream stopped within a frame."""
        return self._left > 0 or bool(self._head)

    def step(self, data: bytes | bytearray, at: int) -> tuple[int, int | None]:
        """Where the part that starts at `at` ends, and the first byte of the frame if a header ends there.

        A part is a header, or all or some of a payload. A header is reported once, when it is complete.
        """
        if self._left:
            took = min(self._left, len(data) - at)
            self._left -= took
            return at + took, None
        before = len(self._head)
        head = data[at : at + 14 - before]
        if before:
            head = self._head + head
        size = _header_size(head)
        if size is None or len(head) < size:
            self._head = bytearray(head)
            return len(data), None
        length = head[1] & _LENGTH
        if length >= _SHORT:
            length = int.from_bytes(head[2:4] if length == _SHORT else head[2:10])
        self._left = length
        if before:
            self._head = bytearray()
        return at + size - before, head[0]


def _header_size(head: bytes | bytearray) -> int | None:
    if len(head) < 2:
        return None
    length = head[1] & _LENGTH
    more = 2 if length == _SHORT else 8 if length == _LONG else 0
    return 2 + more + (4 if head[1] & _MASKED else 0)
