"""Who was first: the order of the moves in a race, and the proof of it."""

from photofinish.race.arbiter import Arbiter, Claim, Closed, Release, Void
from photofinish.race.evidence import Evidence, RaceRecord
from photofinish.race.lag import Lag
from photofinish.race.params import Params, Path, Standing
from photofinish.race.recompute import Verdict, recompute

__all__ = [
    "Arbiter",
    "Claim",
    "Closed",
    "Evidence",
    "Lag",
    "Params",
    "Path",
    "RaceRecord",
    "Release",
    "Standing",
    "Verdict",
    "Void",
    "recompute",
]
