"""A socket for an outbox. It records what is written; the test sets how full its buffer is."""

from photofinish.engine import Micros
from photofinish_protocol.reasons import Close


class Wire:
    def __init__(self, buffered: int = 0) -> None:
        self.frames: list[bytes] = []
        self.fill = buffered
        """Bytes that the reader has not taken yet."""
        self.closed: Close | None = None
        self.time = Micros(0)

    def write(self, frame: bytes) -> None:
        assert self.closed is None, "a frame after the close"
        self.frames.append(frame)

    def buffered(self) -> int:
        return self.fill

    def close(self, code: Close) -> None:
        self.closed = code

    def now(self) -> Micros:
        return self.time
