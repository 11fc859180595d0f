"""The pings of one connection: they measure the path to the player, and find out that a peer is dead.

They are callbacks of one timer for all connections: an idle connection must cost next to nothing.
"""

from typing import Protocol

from photofinish.engine import Micros
from photofinish.gateway.sockets.connection import Connection
from photofinish.gateway.sockets.outbox import Outbox
from photofinish.gateway.sockets.ping_timer import PingTimer
from photofinish.node.clock import clock
from photofinish.race.lag import Lag
from photofinish_protocol.reasons import Close

FIRST_BEATS, FIRST_EVERY = 5, 0.1
"""The first pings after the handshake and after a deal are frequent, so that an early race is fair too."""
RACING_EVERY = 1.0
"""Seconds between two pings while a race can open."""
IDLE_EVERY = 4.6
"""Seconds between two pings while no race can open. Two thirds of what an idle room costs are pings."""
REPORT_EVERY = 4
"""Beats between two reports while no race can open."""
SOON = 0.2
"""Seconds to the next ping if an idle peer did not answer the last one."""
SILENCE, IDLE_SILENCE = 6.3, 4.7
"""A peer that has answered no ping for this many seconds is dead. `IDLE_SILENCE` holds while no race can open: a peer
that dies is then noticed after 2 × `IDLE_EVERY` + `SOON`, 9.5 s at most.

Only the time between beats counts, and it takes two beats in silence: if this process was stopped for a while, the
pongs have come and are not read yet.
"""


class HeartbeatSession(Protocol):
    """A session as its heartbeat sees it."""

    lag: Lag
    outbox: Outbox

    @property
    def may_race(self) -> bool:
        """Whether a race can open for this session."""

    def measured(self, now: Micros) -> None:
        """There are new measurements in `lag`."""


class Heartbeat:
    def __init__(self, connection: Connection, timer: PingTimer, *, is_kernel_asked: bool) -> None:
        self._connection, self._timer = connection, timer
        self._is_kernel_asked = is_kernel_asked
        self._beats = 0
        self._every = FIRST_EVERY
        self._silence = 0.0
        self._pongs = 0
        """Pongs that had come at the last beat."""
        self._slot: int | None = None
        """Of the next beat. None: there is none."""

    def start(self, session: HeartbeatSession) -> None:
        """`session` gets what the pings measure."""
        self._session = session
        self.beat()

    def stop(self) -> None:
        if self._slot is not None:
            self._timer.remove(self, self._slot)
            self._slot = None

    def hasten(self) -> None:
        """A game was dealt: measure again soon."""
        if self._slot is not None and self._beats >= FIRST_BEATS:
            self._beats = 0
            self._timer.remove(self, self._slot)
            self.beat()

    def beat(self) -> None:
        """Send a ping, unless the peer is dead."""
        connection, session = self._connection, self._session
        is_silent = bool(connection.pings) and connection.pongs == self._pongs
        self._pongs = connection.pongs
        self._silence = self._silence + self._every if is_silent else 0.0
        is_idle = not session.may_race
        if self._silence >= (IDLE_SILENCE if is_idle else SILENCE) or not connection.send_ping():
            self._slot = None
            session.outbox.give_up(Close.TOO_SLOW)
            connection.transport.abort()
            return
        self._beats += 1
        if self._beats <= FIRST_BEATS:
            self._every = FIRST_EVERY
        elif is_idle:
            self._every = SOON if is_silent else IDLE_EVERY
        else:
            self._every = RACING_EVERY
        if self._beats > 1 and (self._every < IDLE_EVERY or not self._beats % REPORT_EVERY):
            self._report(clock())
        self._slot = self._timer.add(self, self._every)

    def _report(self, now: Micros) -> None:
        """Pass on what the pings and the kernel have measured since the last beat."""
        connection, lag = self._connection, self._session.lag
        for trip in connection.round_trips:
            lag.ponged(trip, now)
        connection.round_trips.clear()
        # Behind a proxy the kernel measures the path to the proxy, not to the player.
        kernel = connection.kernel_min_rtt() if self._is_kernel_asked else None
        if kernel is not None:
            lag.kernel(kernel, now)
        self._session.measured(now)
