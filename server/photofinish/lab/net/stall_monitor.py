"""A witness a core: `python -m photofinish.lab.net.stall_monitor CORE` takes short naps, before everybody else.

Pinned to its core and ahead of links, server and players, nothing but the machine itself can keep it from waking:
the host took the core away, or the kernel did not give it. So whenever it wakes late, the core stood still for it
and for everybody. It says how it is placed, then answers each line with the stalls since the last one; the end of
the input is its end. Its clock is that of the server's race times (CLOCK_MONOTONIC, the same in every process).
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
"""The highest there is; see the places in `tunspace`."""
NAP_MS = 2
"""A waking costs 30 µs on the virtual machine this was made on, in C hardly less: 500 a second are enough."""
NOTED = 500_000
"""Nanoseconds by which a waking must be late to be written down."""
HALF_A_NAP = NAP_MS * 500_000
"""Nanoseconds."""
PAGES = 1 << 14
"""Stalls that can be written down between two questions."""


class Placed(msgspec.Struct, frozen=True):
    """The first line."""

    core: int
    is_realtime: bool
    """Otherwise it proves nothing: it may have waited behind anybody."""


class Stall(msgspec.Struct, frozen=True, array_like=True):
    """A core stood still, in µs of the server's clock.

    It did so until its witness woke. Since when, only those know who were awake: at the earliest since the witness
    lay down, at the latest since it was to wake. We take the middle, so that the length is right on average, and
    never wrong by more than half a nap.
    """

    core: int
    began: int
    ended: int


class Stalls(msgspec.Struct, frozen=True):
    """An answer."""

    stalls: tuple[Stall, ...]
    cpu_s: float
    """What the witness itself has cost since it began."""


class Book:
    """Where stalls are written down, without asking for memory. In a full book the last stall goes on and on."""

    def __init__(self, core: int, pages: int = PAGES) -> None:
        self._core, self._pages, self._used = core, pages, 0
        self._began = array("q", bytes(8 * pages))
        self._ended = array("q", bytes(8 * pages))

    def note(self, due: int, woke: int) -> None:
        """A waking that was late, in nanoseconds of the clock."""
        if self._used == self._pages:
            self._ended[-1] = woke
            return
        self._began[self._used], self._ended[self._used] = due - HALF_A_NAP, woke
        self._used += 1

    def read(self) -> tuple[Stall, ...]:
        """What it says; then it is empty."""
        used, self._used = self._used, 0
        return tuple(Stall(self._core, self._began[n] // 1000, self._ended[n] // 1000) for n in range(used))


def stood_still(stalls: Iterable[Stall], begins: int, ends: int) -> int:
    """The longest time that any one core stood still at a stretch between these moments, in µs."""
    return max(0, max((min(it.ended, ends) - max(it.began, begins) for it in stalls), default=0))


def stolen(stat: str) -> int:
    """Ticks in which the host ran something else, all cores together, from the text of /proc/stat."""
    whole = next((line.split() for line in stat.splitlines() if line.startswith("cpu ")), [])
    return int(whole[8]) if len(whole) > 8 else 0


def stolen_s() -> float:
    """The same by now, in seconds; 0 where the kernel does not say."""
    file = Path("/proc/stat")
    return stolen(file.read_text(encoding="utf-8")) / os.sysconf("SC_CLK_TCK") if file.exists() else 0.0


def watch(book: Book) -> None:
    """Until the input ends."""
    asked = select.poll()
    asked.register(sys.stdin.fileno(), select.POLLIN)
    nap, clock = 2 * HALF_A_NAP, time.perf_counter_ns
    woke = clock()
    while True:
        due = woke + nap  # not from now: a core may stand still between two lines of this loop, too
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
    book = Book(core)
    gc.disable()
    _say(Placed(core, go_ahead(PLACE)))
    watch(book)


if __name__ == "__main__":
    main()
