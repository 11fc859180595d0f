"""A simulated table: players on lines, nodes with different clocks, and pings between the races."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from photofinish.engine import Micros, Seat
from photofinish.lab.sim.noise import NetworkNoise, SimLine
from photofinish.lab.sim.screens import HZ_60, Screen
from photofinish.race import Arbiter, Lag, Params
from photofinish.race.lag import LOOKS

NODES = 3
WARM = 40
"""The number of answered pings before the first race."""


def micros(millis: float) -> Micros:
    return Micros(round(millis * 1000))


@dataclass(slots=True)
class Node:
    """A server. Its clock shows `offset` when the simulation begins; a message to the owner takes `relay`."""

    offset: float
    relay: float

    def clock(self, at: float) -> Micros:
        return micros(at + self.offset)


@dataclass(frozen=True, slots=True)
class ClientHabit:
    """The screen of a player, and how its client answers pings."""

    screen: Screen = HZ_60
    holds_pings: float = 0.0
    """By how many ms it holds back its answers to the pings between races."""
    holds_echo: float = 0.0
    """And to the ping behind a trigger."""
    holds_ack: float = 0.0
    """By how many ms it delays the ACK of a trigger, by what a program may do to its receive buffer."""
    is_unforced: bool = False
    """The server may not force ACKs."""
    is_blind: bool = False
    """Behind a proxy: the kernel gives no proof."""


USUAL = ClientHabit()


SECOND = 10.0
"""The second padded burst is sent this many ms after the trigger, so that one lost ACK is no proof of a late line."""


class Shown(NamedTuple):
    """The times of a trigger and of the ping behind it."""

    drawn: float
    """When the screen shows it."""
    screen: float
    """How long the screen took to show it."""
    answered: float
    """When the program answers the ping; what it sends later does not come earlier."""
    back: float
    trip: Micros
    """How long the ping took, as the node sees it."""
    acked: float | None
    """When the node's kernel has the ACK of the trigger; None if it gives no proof."""


class SimSeat:
    """One player at the table. It has its own random source, so other players do not change its random numbers."""

    def __init__(self, rng: Random, rtt: float, noise: NetworkNoise, node: Node, habit: ClientHabit) -> None:
        self._rng = Random(rng.random())  # noqa: S311 - a simulation, repeatable on purpose
        self.wire = SimLine(self._rng, rtt, noise)
        self.node = node
        self.lag = Lag(behind_proxy=habit.is_blind)
        self._habit = habit
        self.holds_ack = habit.holds_ack

    @property
    def is_delayable(self) -> bool:
        return self._habit.is_unforced

    def ping(self, at: float) -> None:
        """The node pings the socket. Its kernel times the ACK of the ping, which no program can hold back."""
        (there,) = self.wire.down(at)
        (back,) = self.wire.up(there)
        self.lag.ponged(micros(back - at + self._habit.holds_pings), self.node.clock(at))
        self.lag.kernel(micros(back - at), self.node.clock(at))

    def show(self, at: float) -> Shown:
        """The node hands a trigger to the socket, a ping right behind it, and a second burst."""
        habit = self._habit
        # The trigger and the ping leave in one segment, except behind a proxy, which may split them.
        there, behind, burst = self.wire.down(at, at, at + SECOND)
        wakes, draws = habit.screen.delay(self._rng)
        answered = (max(there, behind) if habit.is_blind else there) + wakes + habit.holds_echo
        # The probe leaves with the trigger and forces its ACK. No program can delay that one.
        forced = there + (self.holds_ack if habit.is_unforced else 0.0)
        # ACKs are cumulative: that of the second burst covers the trigger too.
        again = max(there, burst) + self.holds_ack
        first, second, back = self.wire.up(forced, again, answered)
        seen = None if habit.is_blind else min(first, second, back)
        return Shown(there + draws, draws, answered, back, micros(back - at), seen)

    def look(self, took: Micros) -> None:
        """The node looks for the ACK of the trigger again and again, until it is there after `took`."""
        base = self.lag.path(self.node.clock(0)).base(Params().cap)
        for after in LOOKS:
            if base + after >= took:
                self.lag.acked(Micros(base + after))
                return
            self.lag.unacked(Micros(base + after))
        self.lag.acked(took)


NOBODY: Mapping[int, ClientHabit] = {}


class SimTable:
    """Seats, nodes and the room's arbiter. The owner is the first node, and its clock is the simulation's."""

    def __init__(
        self,
        rng: Random,
        rtts: Sequence[float],
        noise: NetworkNoise,
        habits: Mapping[int, ClientHabit] = NOBODY,
    ) -> None:
        nodes = [Node(0.0, 0.0)]
        nodes += [Node(rng.uniform(-1e6, 1e6), rng.uniform(4, 24)) for _ in range(NODES - 1)]
        self.rng = rng
        self.seats = tuple(Seat(n) for n in range(len(rtts)))
        self.places = [
            SimSeat(rng, rtt, noise, rng.choice(nodes), habits.get(n, USUAL)) for n, rtt in enumerate(rtts)
        ]
        self.coin = rng.randbytes(32)
        self.arbiter = Arbiter(Params(), self.coin)
        self.now = 0.0
        self.rest(WARM * 1000)

    def rest(self, millis: float) -> None:
        """The time between two races: everybody gets one ping per second."""
        end = self.now + millis
        for place in self.places:
            at = self.now + self.rng.random() * 1000
            while at < end:
                place.ping(at)
                at += 1000
        self.now = end
        for seat, place in zip(self.seats, self.places, strict=True):
            self.arbiter.path(seat, place.lag.path(place.node.clock(end)))
