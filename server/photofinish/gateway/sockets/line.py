"""The connection of one client, as its session uses it in a race: evidence from the socket, and calls to the socket."""

from collections.abc import Callable
from typing import Protocol

from photofinish.engine import Micros
from photofinish.gateway.sockets.connection import Connection
from photofinish.gateway.sockets.heartbeat import Heartbeat
from photofinish.gateway.sockets.loop_lag import LoopLag
from photofinish.node.clock import clock
from photofinish_protocol.reasons import Close


class Line(Protocol):
    has_proof: bool
    """Whether the kernel reports when a trigger is acknowledged."""

    def begin_trigger(self) -> None:
        """The next view is the first one of a race. `send_echo` or `end_trigger` must follow."""

    def send_echo(self) -> None:
        """The view is written: send a ping behind it. Its pong calls the session's `echoed`."""

    def end_trigger(self) -> None:
        """The view was not written."""

    def is_delayable(self) -> bool:
        """Whether the client's program can delay the ACK of the last trigger."""

    def move_arrived(self, at: Micros) -> tuple[Micros, int]:
        """A move came at `at` and carries the ACK of the trigger. Returns the loop's lag and the retransmissions."""

    def dealt(self) -> None:
        """The first view of a game is written: measure the path again."""


class NoLine:
    """A session without a socket: nothing is measured."""

    has_proof = False

    def begin_trigger(self) -> None: ...

    def send_echo(self) -> None: ...

    def end_trigger(self) -> None: ...

    def is_delayable(self) -> bool:
        return False

    def move_arrived(self, _at: Micros) -> tuple[Micros, int]:
        return Micros(0), 0

    def dealt(self) -> None: ...


class SocketLine:
    """The line of a websocket."""

    def __init__(self, connection: Connection, heartbeat: Heartbeat, loop_lag: LoopLag) -> None:
        self._connection, self._loop_lag = connection, loop_lag
        self.has_proof = connection.trigger is not None and connection.trigger.has_proof
        self.begin_trigger, self.send_echo = connection.begin_trigger, connection.send_echo
        self.end_trigger = connection.end_trigger
        self.dealt = heartbeat.hasten

    def is_delayable(self) -> bool:
        return self._connection.trigger is not None and self._connection.trigger.is_delayable

    def move_arrived(self, at: Micros) -> tuple[Micros, int]:
        connection = self._connection
        if connection.trigger is not None and connection.trigger.is_watched:
            connection.look()
        return self._loop_lag.lag(at), connection.retransmits


class ConnectionPort:
    """Adapts a connection to the `SocketPort` of an outbox."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.write = connection.write
        # Asked with every view, so without a call of Python. Short frames of this callback are not counted.
        self.buffered: Callable[[], int] = connection.transport.get_write_buffer_size
        self.now = clock

    def close(self, code: Close) -> None:
        self._connection.close_with(code)
