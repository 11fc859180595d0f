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
SPIKE_MS = 200.0
CONGESTED = 4_000 * MILLI
"""Nanoseconds that a congestion lasts."""


class Shape(msgspec.Struct, frozen=True):
    """The properties of one link."""

    rtt_ms: float
    share: float = 0.5
    """The share of the round trip in the direction to the player."""
    jitter: bool = True
    """Jitter in each direction, as in the simulation: lognormal, median 0.4 + 0.012·RTT ms, sigma 0.8."""
    loss: float = 0.0
    """The share of packets that is lost in each direction."""
    spikes: float = 0.0
    """The share of packets that takes 200 ms longer."""
    is_congested: bool = False
    """For 4 s, once a minute on average, each packet takes 10 to 60 ms longer."""


def shapes(
    rtts: tuple[float, ...], rng: Random, *, jitter: bool, loss: float, is_noisy: bool = False
) -> tuple[Shape, ...]:
    """One link per seat, each with its own asymmetry between 35 and 65 %. Noisy as in the simulation."""
    if is_noisy:
        loss = NOISY.loss
    spikes = NOISY.spikes if is_noisy else 0.0
    return tuple(
        Shape(rtt, rng.uniform(0.35, 0.65), jitter, loss, spikes, is_congested=is_noisy) for rtt in rtts
    )


class Congestion:
    """When a link is congested. Both directions share it."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._begins: int | None = None

    def extra_ms(self, now: int) -> float:
        """The additional delay of a packet that enters now, in ns of a clock that never goes back."""
        if self._begins is None:
            self._begins = now + self._pause()
        while now > self._begins + CONGESTED:
            self._begins += CONGESTED + self._pause()
        return self._rng.uniform(10, 60) if now >= self._begins else 0.0

    def _pause(self) -> int:
        return round(self._rng.expovariate(1 / 60_000) * MILLI)


class LinkDirection:
    """One direction of a link. It keeps the order of packets."""

    def __init__(
        self, shape: Shape, rng: Random, *, is_down: bool, congestion: Congestion | None = None
    ) -> None:
        self._congestion = congestion if shape.is_congested else None
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
        if self.shape.spikes and self._rng.random() < self.shape.spikes:
            more_ms += SPIKE_MS
        if self._congestion is not None:
            more_ms += self._congestion.extra_ms(now)
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
