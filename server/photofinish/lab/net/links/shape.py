"""The delay, jitter and loss of a shaped link in each direction. Shared by the tunnels and the proxies."""

import asyncio
import math
import selectors
from random import Random

import msgspec

from photofinish.lab.sim.noise import NOISY

MIX_A = (10.0, 40.0, 80.0, 150.0, 300.0)
"""Round trips in ms of the five seats of `protocol/RACES.md`."""
MILLI = 1_000_000
"""Nanoseconds."""


class Shape(msgspec.Struct, frozen=True):
    """The properties of one link."""

    rtt_ms: float
    share: float = 0.5
    """The share of the round trip in the direction to the player."""
    jitter: bool = True
    """Jitter in each direction, as in the simulation: lognormal, median 0.4 + 0.012·RTT ms, sigma 0.8."""
    loss: float = 0.0
    """The share of packets that is lost in each direction."""
    is_noisy: bool = False
    """Congestion: for 4 s, once per minute on average, each packet takes 10 to 60 ms longer. Stalls: each direction
    holds its packets for 200 ms, once in 40 s on average, which is 0.5 % of the time.
    """


def shapes(
    rtts: tuple[float, ...], rng: Random, *, jitter: bool, loss: float, is_noisy: bool = False
) -> tuple[Shape, ...]:
    """One link per seat, each with its own asymmetry between 35 and 65 %. A noisy one has the simulation's loss."""
    if is_noisy:
        loss = NOISY.loss
    return tuple(Shape(rtt, rng.uniform(0.35, 0.65), jitter, loss, is_noisy) for rtt in rtts)


class Episodes:
    """Times in which something happens to a link, drawn from the seed.

    The simulation draws a spike for each message on its own. A real link carries many more packets, those of all rooms,
    and keeps their order, so one delayed packet delays all packets behind it. With spikes for each packet a link would
    be noisy ten times as often.
    """

    def __init__(self, rng: Random, pause_ms: float, length_ms: float) -> None:
        self._rng, self._pause_ms, self._length = rng, pause_ms, round(length_ms * MILLI)
        self._begins: int | None = None

    def left_ms(self, now: int) -> float:
        """How long the current episode goes on, by a clock in ns that never goes back; 0 if there is none."""
        if self._begins is None:
            self._begins = now + self._pause()
        while now >= self._begins + self._length:
            self._begins += self._length + self._pause()
        return (self._begins + self._length - now) / MILLI if now >= self._begins else 0.0

    def _pause(self) -> int:
        return round(self._rng.expovariate(1 / self._pause_ms) * MILLI)


def congestion(rng: Random) -> Episodes:
    """Both directions of a link share it."""
    return Episodes(rng, 60_000, 4_000)


class LinkDirection:
    """One direction of a link. It keeps the order of packets."""

    def __init__(
        self, shape: Shape, rng: Random, *, is_down: bool, congested: Episodes | None = None
    ) -> None:
        self._congested = congested
        self._stalls = Episodes(rng, 40_000, 200)
        self.shape = shape
        self._rng = rng
        share = shape.share if is_down else 1 - shape.share
        self._delay = shape.rtt_ms * share
        self._median = math.log(0.4 + 0.012 * shape.rtt_ms)
        self._last = 0

    def is_lost(self) -> bool:
        return self.shape.loss > 0 and self._rng.random() < self.shape.loss

    def due(self, now: int, more_ms: float = 0.0) -> int:
        """When a packet that enters now leaves, in ns of the same clock."""
        if self.shape.jitter:
            more_ms += self._rng.lognormvariate(self._median, 0.8)
        if self.shape.is_noisy:
            more_ms += self._stalls.left_ms(now)
            if self._congested is not None and self._congested.left_ms(now):
                more_ms += self._rng.uniform(10, 60)
        self._last = max(self._last, now + round((self._delay + more_ms) * MILLI))
        return self._last


class LatenessRecorder(msgspec.Struct):
    """Records how late the shaper itself was. This is the error of every measurement over the link."""

    passed: int = 0
    lost: int = 0
    late_us: list[int] = []

    def note(self, due: int, now: int) -> None:
        self.passed += 1
        self.late_us.append((now - due) // 1000)


class LatenessSummary(msgspec.Struct, frozen=True):
    """A summary of it, in µs."""

    passed: int
    lost: int
    p50: int
    p99: int
    most: int


def summary(noted: LatenessRecorder) -> LatenessSummary:
    ordered = sorted(noted.late_us) or [0]
    last = len(ordered) - 1
    half, most = ordered[last // 2], ordered[-1]
    return LatenessSummary(noted.passed, noted.lost, half, ordered[min(last, int(0.99 * len(ordered)))], most)


def sharp_loop() -> asyncio.AbstractEventLoop:
    """An event loop whose timers are good to some microseconds; epoll and libuv round to milliseconds."""
    return asyncio.SelectorEventLoop(selectors.SelectSelector())
