"""One piece of the hunt: some thousand steps at one table."""

import time
import traceback
from dataclasses import dataclass, field

from photofinish.games import all_games
from tests.games.tables import options_for
from tests.hunt.lines import kept
from tests.hunt.room_driver import RoomDriver
from tests.hunt.worlds.counts import HuntCounts

PORTION = 2_000
"""Steps in one piece of work."""
DELAYS = (0, 0, 3, 0, 0, 20)
"""Seconds by which spectators are behind, table by table."""


@dataclass
class HuntResult:
    """The result of one or several portions."""

    game: str
    portion: int = 0
    seen: HuntCounts = field(default_factory=HuntCounts)
    seconds: float = 0.0
    """Of a processor."""
    fault: str = ""

    def add(self, other: "HuntResult") -> None:
        self.seen.add(other.seen)
        self.seconds += other.seconds
        self.fault = self.fault or other.fault


def hunt_portion(key: str, portion: int, steps: int) -> HuntResult:
    """Run this many steps at the table with this number. If its players cannot continue, use another table like it."""
    game, result, began = all_games()[key], HuntResult(key, portion), time.process_time()
    seats = game.seats[portion % len(game.seats)]
    options = options_for(game, seats, portion // 2) if portion % 2 else game.options()
    room = 0
    with kept() as lines:
        while result.seen.steps < steps and not result.fault:
            seed = f"hunt {key} {portion} {room}"
            driver = RoomDriver(game, seats, options, seed, lines, delay=DELAYS[portion % len(DELAYS)])
            try:
                driver.open()
                driver.run(steps - result.seen.steps)
            except Exception:  # noqa: BLE001 - whatever a room does wrong is what we are here to tell
                result.fault = (
                    f"room {room}, step {driver.seen.steps}, last {driver.doing}\n{traceback.format_exc()}"
                )
            result.seen.add(driver.seen)
            room += 1
        result.seen.lines = lines.count
    result.seconds = time.process_time() - began
    return result
