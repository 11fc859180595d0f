"""Bad networks and human reactions, drawn from a seed. All in milliseconds."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

MEAN, SPREAD, QUICKEST = 350.0, 80.0, 150.0
"""A person reacts to a trigger in 350 ± 80 ms, never in less than 150."""

_SIGMA = math.sqrt(math.log(1 + (SPREAD / MEAN) ** 2))
_MU = math.log(MEAN) - _SIGMA**2 / 2


def reaction(rng: Random) -> float:
    return max(QUICKEST, rng.lognormvariate(_MU, _SIGMA))


@dataclass(frozen=True, slots=True)
class NetworkNoise:
    """How bad the networks are. Asymmetry and jitter are always there."""

    name: str
    loss: float = 0.0
    """The share of messages that is lost and sent again, a round trip and 200 ms later."""
    spikes: float = 0.0
    """The share of messages that takes 200 ms longer."""
    congestion: bool = False
    """For 4 s, once a minute on average, each message takes 10 to 60 ms longer."""


CLEAN = NetworkNoise("clean")
NOISY = NetworkNoise("noisy", loss=0.005, spikes=0.005, congestion=True)


class SimLine:
    """The line between one player and a node: the delay of each packet.

    It keeps packets in order in each direction, like the links of `lab/net`. Only a lost packet arrives after packets
    that were sent later.
    """

    def __init__(self, rng: Random, rtt: float, noise: NetworkNoise) -> None:
        self.rtt = rtt
        self._rng = rng
        self._noise = noise
        share = rng.uniform(0.35, 0.65)
        self._ways = (rtt * share, rtt * (1 - share))
        self._last = [0.0, 0.0]
        self._jitter = math.log(0.4 + 0.012 * rtt)
        # A separate schedule: the messages of one side must not change the delays of the other.
        self._storms = Random(rng.random())  # noqa: S311 - a simulation, repeatable on purpose
        self._congested_from = self._storms.expovariate(1 / 60_000)

    def down(self, *times: float) -> list[float]:
        """The arrival times of packets that are sent to the player at these times."""
        return self._carry(0, times)

    def up(self, *times: float) -> list[float]:
        """The arrival times of packets that the player sends at these times."""
        return self._carry(1, times)

    def _carry(self, way: int, times: Sequence[float]) -> list[float]:
        """Draws in the order of the arguments, not of the times. So two runs that differ in one lie can be compared."""
        drawn = [(at, at + self._ways[way] + self._extra(at), self._lost()) for at in times]
        came = [0.0] * len(times)
        for place in sorted(range(len(times)), key=lambda place: times[place]):
            _at, due, again = drawn[place]
            self._last[way] = max(self._last[way], due)
            came[place] = self._last[way] + again
        return came

    def _extra(self, at: float) -> float:
        rng, noise = self._rng, self._noise
        extra = rng.lognormvariate(self._jitter, 0.8)
        if noise.spikes and rng.random() < noise.spikes:
            extra += 200
        if noise.congestion:
            while at > self._congested_from + 4_000:
                self._congested_from += 4_000 + self._storms.expovariate(1 / 60_000)
            if at >= self._congested_from:
                extra += rng.uniform(10, 60)
        return extra

    def _lost(self) -> float:
        """How much later a packet comes because it was lost and sent again."""
        return self.rtt + 200 if self._noise.loss and self._rng.random() < self._noise.loss else 0.0
