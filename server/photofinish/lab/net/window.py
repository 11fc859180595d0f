"""In which races the machine itself stood still. Fixed in advance, and blind to who won.

Nothing about a server can be learnt from a race during which there was no machine. The witnesses say when a core
stood still; a race is disturbed if one did so inside its window, whatever came of it.
"""

from collections.abc import Sequence

from photofinish.lab.net.plan import Hand
from photofinish.race import RaceRecord

STALL = 2_000
"""µs: a race is disturbed if a core stood still for longer than this, at a stretch, inside its window."""
MARGIN = 20_000
"""µs before the opening and after the end that belong to the window: two beats of the loop's pulse."""


def window(record: RaceRecord, hands: Sequence[Hand], commit: int) -> tuple[int, int]:
    """From when to when a standstill could touch this race, in µs of the server's clock.

    It begins before the commit that precedes the first trigger, because that is part of what is measured, and ends
    after the verdict was stored and after the last hand that moved, for a far hand may still move when the verdict
    is on its way.
    """
    moved = [it.drawn + it.pressed for it in hands if it.drawn is not None and it.pressed is not None]
    return record.opened - MARGIN, max([record.closed + commit, *moved]) + MARGIN
