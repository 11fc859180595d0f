"""How much is measured: everything, for a quiet machine, or a little, to see that it runs."""

import msgspec


class Effort(msgspec.Struct, frozen=True):
    rounds: int = 7
    seconds: float = 3.0
    warm_up: float = 1.0
    many: int = 5_000
    """Connections, rooms, moves: the upper end of each growth."""
    racing_tables: int = 1_000
    """Rooms of a game with races. Its clocks and holds decide how many moves there are, one or two per second and room:
    with 240 rooms the server had little to do, and what a commit and a turn of the event loop cost was not shared."""
    orphans: int = 1_000
    """Rooms that are taken over after a crash."""


FULL = Effort()
SHORT = Effort(rounds=2, seconds=0.5, warm_up=0.3, many=150, racing_tables=60, orphans=30)
