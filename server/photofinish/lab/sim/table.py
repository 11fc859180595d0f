"""A simulated table: players on wires, nodes whose clocks disagree, and pings between the races."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from random import Random

from photofinish.engine import Micros, Seat
from photofinish.lab.sim.noise import FRAME, Weather, Wire
from photofinish.race import Arbiter, Lag, Params

NODES = 3
PONG_DELAY = 150.0
"""By how many ms a cheat holds back its answers to our pings."""
WARM = 40
"""How many pings have been answered before the first race."""


def micros(millis: float) -> Micros:
    return Micros(round(millis * 1000))


@dataclass(slots=True)
class Node:
    """A server. Its clock shows `offset` when the simulation begins; word of it takes `relay` to the owner."""

    offset: float
    relay: float

    def clock(self, at: float) -> Micros:
        return micros(at + self.offset)


class Place:
    """One player at the table."""

    def __init__(self, rng: Random, rtt: float, weather: Weather, node: Node, *, late_pongs: bool) -> None:
        self.wire = Wire(rng, rtt, weather)
        self.node = node
        self.lag = Lag()
        self._rng = rng
        self._late_pongs = late_pongs

    def ping(self, at: float) -> None:
        """The node pings the socket, and reads the kernel's own figure, which no page can stretch."""
        trip = self.wire.up(self.wire.down(at)) - at
        held = PONG_DELAY if self._late_pongs else 0.0
        self.lag.ponged(micros(trip + held), self.node.clock(at))
        self.lag.kernel(micros(self.wire.up(self.wire.down(at)) - at), self.node.clock(at))

    def drawn(self, there: float) -> float:
        """When the screen first shows what came at that moment."""
        return there + self._rng.random() * FRAME

    def echo(self, at: float, there: float) -> tuple[float, float, Micros]:
        """A ping sent right behind what came at that moment: when it is answered, when the answer is here, and how
        long it seems to have taken.
        """  # fmt: skip
        answered = max(there, self.wire.down(at))
        back = self.wire.up(answered)
        held = PONG_DELAY if self._late_pongs else 0.0
        return answered, back, micros(back + held - at)


class SimTable:
    """Seats, nodes and the room's arbiter. The owner is the first node, and its clock is the simulation's."""

    def __init__(
        self, rng: Random, rtts: Sequence[float], weather: Weather, *, late_pongs: Collection[int] = ()
    ) -> None:
        nodes = [Node(0.0, 0.0)]
        nodes += [Node(rng.uniform(-1e6, 1e6), rng.uniform(4, 24)) for _ in range(NODES - 1)]
        self.rng = rng
        self.seats = tuple(Seat(n) for n in range(len(rtts)))
        self.places = [
            Place(rng, rtt, weather, rng.choice(nodes), late_pongs=n in late_pongs)
            for n, rtt in enumerate(rtts)
        ]
        self.coin = rng.randbytes(32)
        self.arbiter = Arbiter(Params(), self.coin)
        self.now = 0.0
        self.rest(WARM * 1000)

    def rest(self, millis: float) -> None:
        """Time between two races: one ping a second goes to everybody."""
        end = self.now + millis
        for place in self.places:
            at = self.now + self.rng.random() * 1000
            while at < end:
                place.ping(at)
                at += 1000
        self.now = end
        for seat, place in zip(self.seats, self.places, strict=True):
            self.arbiter.path(seat, place.lag.path(place.node.clock(end)))
