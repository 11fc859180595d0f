"""What is counted for the operator. Rooms and the gateway call it; `telemetry` counts. The default does nothing."""

from photofinish.race.evidence import RaceRecord
from photofinish_protocol.reasons import Reason


class MetricsPort:
    """Counts nothing. A call must not wait, and must be cheap."""

    def committed(self, micros: int) -> None:
        """A room was stored; it took `micros` µs."""

    def raced(self, record: RaceRecord) -> None:
        """A race has closed, and its record is stored."""

    def quarantined(self) -> None:
        """A room was quarantined because of a bug in our code."""

    def unreadable(self, kind: str) -> None:
        """Data of another node could not be read: a `room`, a `line` of the list, a `letter` (a node message)."""

    def refused(self, reason: Reason) -> None:
        """A request of a client was refused."""

    def closed(self, code: int) -> None:
        """A connection has ended, with this close code (1006: without any)."""

    def late(self, micros: int) -> None:
        """A tick of the event loop was late by this much."""
