"""Detects when a core stalls: `python -m photofinish.lab.net.stall_monitor CORE`.

It sleeps for short, fixed times. It is pinned to its core and has a higher priority than links, server and players.
So if it wakes late, the core stalled for every process: the host took the core away, or the kernel did not schedule
it. The first line that it prints says whether it got core and priority. It answers each line of input with the stalls
since the last one, and ends with its input. Its clock is that of the server's race times (CLOCK_MONOTONIC, the same
in every process).
"""

import gc
import os
import select
import sys
import time
from array import array
from collections.abc import Iterable
from pathlib import Path

import msgspec

from photofinish.lab.net.links.netns import die_with_parent, go_ahead

PLACE = 99
"""The highest priority of the laboratory; see `links/netns.py`."""
NAP_MS = 2
"""Each wake-up costs 30 µs on the virtual machine where this was developed, and hardly less in C. 500 per second are
enough."""
NOTED = 500_000
"""Nanoseconds by which a wake-up must be late to be recorded."""
HALF_A_NAP = NAP_MS * 500_000
"""Nanoseconds."""
PAGES = 1 << 14
"""Most stalls that can be recorded between two requests."""


class MonitorStarted(msgspec.Struct, frozen=True):
    """The first line of output."""

    core: int
    is_realtime: bool
    """Without it a late wake-up proves nothing: another process may have had the core."""


class Stall(msgspec.Struct, frozen=True, array_like=True):
    """A stall of a core, in µs of the server's clock.

    It ended when the monitor woke. It began between the start of the sleep and the planned wake-up. The middle is
    used, so that the length is right on average and wrong by at most half a sleep.
    """

    core: int
    began: int
    ended: int


class Stalls(msgspec.Struct, frozen=True):
    """The answer to a line of input."""

    stalls: tuple[Stall, ...]
    cpu_s: float
    """The processor time of the monitor since its start."""


class StallLog:
    """Records stalls without allocating memory. If it is full, the last stall is extended."""

    def __init__(self, core: int, pages: int = PAGES) -> None:
        self._core, self._pages, self._used = core, pages, 0
        self._began = array("q", bytes(8 * pages))
        self._ended = array("q", bytes(8 * pages))

    def note(self, due: int, woke: int) -> None:
        """Record a late wake-up, in nanoseconds of the clock."""
        if self._used == self._pages:
            self._ended[-1] = woke
            return
        self._began[self._used], self._ended[self._used] = due - HALF_A_NAP, woke
        self._used += 1

    def read(self) -> tuple[Stall, ...]:
        """Return the recorded stalls and clear them."""
        used, self._used = self._used, 0
        return tuple(Stall(self._core, self._began[n] // 1000, self._ended[n] // 1000) for n in range(used))


def stood_still(stalls: Iterable[Stall], begins: int, ends: int) -> int:
    """The longest continuous stall of any one core between these times, in µs."""
    return max(0, max((min(it.ended, ends) - max(it.began, begins) for it in stalls), default=0))


def stolen(stat: str) -> int:
    """Steal ticks of all cores together (the host ran something else), from the text of /proc/stat."""
    whole = next((line.split() for line in stat.splitlines() if line.startswith("cpu ")), [])
    return int(whole[8]) if len(whole) > 8 else 0


def stolen_s() -> float:
    """The steal time so far in seconds; 0 where the kernel does not report it."""
    file = Path("/proc/stat")
    return stolen(file.read_text(encoding="utf-8")) / os.sysconf("SC_CLK_TCK") if file.exists() else 0.0


def watch(book: StallLog) -> None:
    """Run until the input ends."""
    asked = select.poll()
    asked.register(sys.stdin.fileno(), select.POLLIN)
    nap, clock = 2 * HALF_A_NAP, time.perf_counter_ns
    woke = clock()
    while True:
        due = woke + nap  # not from now: the core may also stall between two lines of this loop
        is_asked = asked.poll(NAP_MS)
        woke = clock()
        if woke - due > NOTED:
            book.note(due, woke)
        if not is_asked:
            continue
        if not os.read(sys.stdin.fileno(), 4096):
            return
        _say(Stalls(book.read(), time.process_time()))
        woke = clock()


def _say(it: msgspec.Struct) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(it) + b"\n")
    sys.stdout.buffer.flush()


def main() -> None:
    die_with_parent()
    core = int(sys.argv[1])
    os.sched_setaffinity(0, {core})
    book = StallLog(core)
    gc.disable()
    _say(MonitorStarted(core, go_ahead(PLACE)))
    watch(book)


if __name__ == "__main__":
    main()
