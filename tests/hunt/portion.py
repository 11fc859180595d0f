"""One piece of the hunt: some thousand steps at one table."""

import time
import traceback
from dataclasses import dataclass, field

from photofinish.games import all_games
from tests.games.tables import options_for
from tests.hunt.chase import Chase
from tests.hunt.lines import kept
from tests.hunt.worlds.seen import Seen

PORTION = 2_000
"""Steps in one piece of work."""
DELAYS = (0, 0, 3, 0, 0, 20)
"""Seconds by which spectators are behind, table by table."""


@dataclass
class Told:
    """The result of one or several portions."""

    game: str
    portion: int = 0
    seen: Seen = field(default_factory=Seen)
    seconds: float = 0.0
    """Of a processor."""
    fault: str = ""

    def add(self, other: "Told") -> None:
        self.seen.add(other.seen)
        self.seconds += other.seconds
        self.fault = self.fault or other.fault


def hunt_portion(key: str, portion: int, steps: int) -> Told:
    """Run this many steps at the table with this number. If its players cannot continue, use another table like it."""
    game, told, began = all_games()[key], Told(key, portion), time.process_time()
    seats = game.seats[portion % len(game.seats)]
    options = options_for(game, seats, portion // 2) if portion % 2 else game.options()
    room = 0
    with kept() as lines:
        while told.seen.steps < steps and not told.fault:
            seed = f"hunt {key} {portion} {room}"
            chase = Chase(game, seats, options, seed, lines, delay=DELAYS[portion % len(DELAYS)])
            try:
                chase.open()
                chase.run(steps - told.seen.steps)
            except Exception:  # noqa: BLE001 - whatever a room does wrong is what we are here to tell
                told.fault = (
                    f"room {room}, step {chase.seen.steps}, last {chase.doing}\n{traceback.format_exc()}"
                )
            told.seen.add(chase.seen)
            room += 1
        told.seen.lines = lines.count
    told.seconds = time.process_time() - began
    return told
