"""Decides in which races the machine itself stalled. The rule is fixed in advance and ignores who won.

A race during a stall of the machine shows nothing about the server. The stall monitors report when a core stalled.
A race is disturbed if a core stalled inside its window, whatever the result was.
"""

from collections.abc import Sequence

from photofinish.lab.net.plan import Hand
from photofinish.race import RaceRecord

STALL = 2_000
"""µs. A race is disturbed if a core stalled continuously for longer than this inside its window."""
MARGIN = 20_000
"""µs before the opening and after the end that belong to the window: two ticks of the loop-lag measurement."""


def window(record: RaceRecord, hands: Sequence[Hand], commit: int) -> tuple[int, int]:
    """The time in which a stall could affect this race, in µs of the server's clock.

    It begins before the commit that precedes the first trigger, because that commit is measured too. It ends after the
    verdict was stored and after the last player reacted: a distant player may still react while the verdict is being
    sent.
    """
    moved = [it.drawn + it.pressed for it in hands if it.drawn is not None and it.pressed is not None]
    return record.opened - MARGIN, max([record.closed + commit, *moved]) + MARGIN
