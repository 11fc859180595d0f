"""How much is measured: everything, for a quiet machine, or a little, to see that it runs."""

import msgspec


class Effort(msgspec.Struct, frozen=True):
    rounds: int = 7
    seconds: float = 3.0
    warm_up: float = 1.0
    many: int = 5_000
    """Connections, rooms, moves: the upper end of each growth."""
    orphans: int = 1_000
    """Rooms that are taken over after a crash."""


FULL = Effort()
SHORT = Effort(rounds=2, seconds=0.5, warm_up=0.3, many=150, orphans=30)
