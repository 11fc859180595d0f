"""How slow this machine is now: bounds on processor time are for a machine of usual speed.

A virtual core may be three times slower an hour later, and other workers take its caches. A bound that knows this
still finds a server that works longer than it should: it works longer than a fixed loop of Python does.
"""

import os
import time

LOOPS = 100_000
USUAL = 5.5e-3
"""Seconds of processor time for that many turns of the loop below, on the idle cores of our figures."""
BESIDE = 2.0 if "PYTEST_XDIST_WORKER" in os.environ else 1.0
"""Workers beside this one take its caches, and the same work costs up to twice as much."""


def slowness() -> float:
    """How many times slower than usual a fixed loop is. At least 1."""
    return max(1.0, min(_loop() for _ in range(5)) / USUAL)


def allowed(milliseconds: float) -> float:
    """The bound for this machine as it is now."""
    return milliseconds * BESIDE * slowness()


def _loop() -> float:
    before, total = time.thread_time(), 0
    for n in range(LOOPS):
        total += n
    return time.thread_time() - before
