"""What a hunt has looked at, counted honestly."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Seen:
    """What was looked at."""

    steps: int = 0
    games: int = 0
    looks: int = 0
    twins: int = 0
    parted: int = 0
    """Worlds that a step lawfully told apart."""
    other: int = 0
    """Worlds in which the next input was another one."""
    lines: int = 0
    hidden: Counter[str] = field(default_factory=Counter)
    """Acts whose room went on beside one without them, by what came of them."""
    frames: Counter[str] = field(default_factory=Counter)

    def add(self, it: "Seen") -> None:
        for name in ("steps", "games", "looks", "twins", "parted", "other", "lines"):
            setattr(self, name, getattr(self, name) + getattr(it, name))
        self.frames.update(it.frames)
        self.hidden.update(it.hidden)
