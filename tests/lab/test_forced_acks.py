"""A client that tries to delay the ACK of a trigger, over real links: TUN devices of 80 and 300 ms."""

import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import msgspec
import pytest

from photofinish.gateway.sockets import trigger as trigger_module
from photofinish.gateway.sockets.kernel import bytes_without_ack, may_force_acks
from photofinish.gateway.sockets.trigger import PAD, PROBE_APART, Trigger
from photofinish.lab.net.links import netns
from photofinish.lab.net.links.shape import Shape
from photofinish.lab.net.links.tun import Spaces
from photofinish.node.clock import clock
from photofinish.race.lag import Lag

pytestmark = pytest.mark.skipif(
    netns.missing() is not None or not may_force_acks(), reason="needs root, TUN devices and CAP_NET_ADMIN"
)

TRIPS = (80, 300)
TRIGGERS = 3
BUSY = 4
"""Measurements at most: on a busy machine the links themselves may be late."""
FEW_MS, MANY_MS = 12.0, 25.0
"""An ACK that a program delays is 40 to 75 ms late."""
HEARD = TypeVar("HEARD")


class Cheat(NamedTuple):
    """What a client does to its socket in order to delay its ACKs. It reads nothing until the race is over."""

    name: str
    buffer: int | None = None
    unread: int = 0
    """Bytes that it left unread before the trigger."""


CHEATS = (
    Cheat("a tiny receive buffer", buffer=2_304),
    Cheat("unread data", unread=55_000),
    Cheat("unread data in a buffer of 64 KB", buffer=65_536, unread=40_000),
)


@pytest.fixture(scope="module")
def links() -> Iterator[Spaces]:
    shapes = tuple(Shape(trip, jitter=False) for trip in TRIPS)
    with subprocess.Popen(
        [sys.executable, "-m", "photofinish.lab.net.links.tun"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as carrier:
        assert carrier.stdin is not None
        assert carrier.stdout is not None
        carrier.stdin.write(msgspec.json.encode(shapes) + b"\n")
        carrier.stdin.flush()
        yield msgspec.json.decode(carrier.stdout.readline(), type=Spaces)
        carrier.stdin.close()


def inside(space: str, work: Callable[[], HEARD]) -> HEARD:
    """A socket that a thread makes inside a namespace stays there."""
    with ThreadPoolExecutor(1, initializer=netns.enter, initargs=(space,)) as thread:
        return thread.submit(work).result()


class Line:
    """A connection over one link, as the server's trigger and a cheating client have it."""

    def __init__(self, links: Spaces, trip: int, cheat: Cheat) -> None:
        place = TRIPS.index(trip)
        host = links.hosts[place]
        self.trip, self.cheat = trip, cheat
        listener = inside(links.server, lambda: socket.create_server((host, 0)))
        with listener:
            self.client = inside(links.clients[place], lambda: self._connected(listener.getsockname()))
            self.server, _address = listener.accept()
        self.server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.lag = Lag()
        self.trigger = Trigger(self.server, self.lag)
        self.talk(b"x" * 1_200)

    def _connected(self, address: tuple[str, int]) -> socket.socket:
        client = socket.socket()
        if self.cheat.buffer is not None:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.cheat.buffer)
        client.connect(address)
        return client

    def talk(self, data: bytes) -> None:
        """Some messages, all read: both kernels learn the round trip and leave their first, quick state."""
        for _ in range(4):
            self.server.sendall(data)
            self.drain(len(data))
            self.client.sendall(b"pong")
            self.server.recv(100)

    def drain(self, size: int) -> None:
        self.client.settimeout(5)
        while size > 0:
            size -= len(self.client.recv(size))

    def late_ms(self) -> float:
        """Send one trigger. How many ms beyond the round trip had the kernel no ACK of it?"""
        if self.cheat.unread:
            self.server.sendall(b"u" * self.cheat.unread)
            end = time.monotonic() + 10
            while bytes_without_ack(self.server) and time.monotonic() < end:
                time.sleep(0.01)
        self.lag.kernel(1000 * self.trip, clock())  # type: ignore[arg-type]  # the true round trip
        self.lag.triggered(has_proof=True)
        self.trigger.begin(clock())
        self.server.sendall(b"t" * 400)
        self.trigger.wrote(400)
        pads = (b"\x8a\x7d" + PAD) * self.trigger.padding()
        self.server.sendall(pads)
        self.trigger.sent(clock(), is_buffered=False)
        assert self.trigger.is_watched
        began = time.monotonic()
        time.sleep(self.trigger.first_look())
        while (later := self.trigger.look(clock())) is not None and time.monotonic() < began + 3:
            time.sleep(min(later, 0.002))
        late = (self.lag.path(clock()).acked or 0) / 1000 - self.trip
        self.drain(self.cheat.unread + 400 + len(pads))
        self.client.sendall(b"pong")
        self.server.recv(100)
        time.sleep(max(0.0, began + PROBE_APART / 1e6 - time.monotonic()))
        return late

    def measurements(self) -> Iterator[float]:
        for _ in range(BUSY):
            yield statistics.median([self.late_ms() for _ in range(TRIGGERS)])


@pytest.fixture
def line(links: Spaces, request: pytest.FixtureRequest) -> Iterator[Line]:
    trip, cheat = request.param
    made = Line(links, trip, cheat)
    with made.server, made.client:
        yield made


EVERY = pytest.mark.parametrize(
    "line",
    [(trip, cheat) for trip in TRIPS for cheat in CHEATS],
    indirect=True,
    ids=lambda it: f"{it[0]} ms, {it[1].name}",
)


@EVERY
def test_a_forced_ACK_cannot_be_delayed(line: Line) -> None:
    assert any(it < FEW_MS for it in line.measurements())
    assert not line.trigger.is_delayable


@EVERY
def test_an_ACK_that_is_not_forced_can_be_delayed(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server without the capability: the proof above would be worth nothing if the client did not try."""
    monkeypatch.setattr(trigger_module, "force_ack", lambda _sock: False)

    assert any(it > MANY_MS for it in line.measurements())
    assert line.trigger.is_delayable
