"""Counts what a hunt has compared."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class HuntCounts:
    """The counts of one hunt."""

    steps: int = 0
    games: int = 0
    looks: int = 0
    twins: int = 0
    parted: int = 0
    """Worlds that ended because a step lawfully showed a difference."""
    other: int = 0
    """Worlds that ended because the next input differed."""
    lines: int = 0
    hidden: Counter[str] = field(default_factory=Counter)
    """Acts that were compared with a world without them, by their result."""
    frames: Counter[str] = field(default_factory=Counter)

    def add(self, it: "HuntCounts") -> None:
        for name in ("steps", "games", "looks", "twins", "parted", "other", "lines"):
            setattr(self, name, getattr(self, name) + getattr(it, name))
        self.frames.update(it.frames)
        self.hidden.update(it.hidden)
