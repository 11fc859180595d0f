"""Screens: the time from the arrival of a message to its drawing, in milliseconds."""

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Screen:
    """Drawing takes `least` and up to `spread` more. In one of `naps` races the program wakes late."""

    name: str
    spread: float
    least: float = 0.0
    naps: float = 0.0
    nap: float = 0.0
    """The longest such delay. It answers pings as late as it draws."""

    @property
    def mean(self) -> float:
        """How long a drawing takes on average."""
        return self.least + self.spread / 2 + self.naps * self.nap / 2

    def delay(self, rng: Random) -> tuple[float, float]:
        """When it answers a ping and when it has drawn. Draws the same random numbers whatever the screen."""
        phase, sleeps, length = rng.random(), rng.random(), rng.random()
        asleep = length * self.nap if sleeps < self.naps else 0.0
        return asleep, asleep + self.least + phase * self.spread


HZ_30 = Screen("30 Hz", 1000 / 30)
HZ_60 = Screen("60 Hz", 1000 / 60)
HZ_144 = Screen("144 Hz", 1000 / 144)
TERMINAL = Screen("terminal", 15.0, least=3.0)
PHONE = Screen("phone that wakes late", 1000 / 60, naps=0.2, nap=60.0)
NO_SCREEN = Screen("bot without a screen", 0.0)
SCREENS = (HZ_30, HZ_60, HZ_144, TERMINAL, PHONE, NO_SCREEN)
