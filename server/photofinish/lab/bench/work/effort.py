"""How much is measured: everything, for a quiet machine, or a little, to see that it runs."""

import msgspec


class Effort(msgspec.Struct, frozen=True):
    rounds: int = 7
    seconds: float = 3.0
    warm_up: float = 1.0
    many: int = 5_000
    """The largest number of connections, of rooms, and of moves in a game that is measured."""
    racing_tables: int = 1_000
    """Rooms of a game with races. Clocks and held moves limit such a room to one or two moves per second. With 240
    rooms the server had little to do, so few moves shared the cost of a commit and of a turn of the event loop."""
    orphans: int = 1_000
    """Rooms that are taken over after a crash."""


FULL = Effort()
SHORT = Effort(rounds=2, seconds=0.5, warm_up=0.3, many=150, racing_tables=60, orphans=30)
