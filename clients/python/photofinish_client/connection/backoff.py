"""How long a client waits before it connects again."""

from typing import Final

FIRST_WAIT: Final = 0.05
LONGEST_WAIT: Final = 2.0
SHARE: Final = 0.25
"""The back-off is this share of the time since the cut."""


def pause(away: float, chance: float) -> float:
    """Seconds until the next attempt, `away` seconds after the cut. `chance` is random, from 0 to 1.

    Half of the pause is random jitter, so that the players of a restarted server do not all reconnect at once.
    """
    return min(LONGEST_WAIT, max(FIRST_WAIT, SHARE * away)) * (1 + chance) / 2
