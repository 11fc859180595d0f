"""The clock of a node. Everything that is timed uses it: frames, pings, races, timers."""

import time

from photofinish.engine import Micros


def clock() -> Micros:
    """Microseconds of a steady clock: never the wall clock, never the event loop's."""
    return time.perf_counter_ns() // 1000  # type: ignore[return-value]  # `Micros(…)` would be a call more
