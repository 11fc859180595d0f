"""The shaped links: a process that forwards packets between TUN devices with the delay of each link.

It reads a line of shapes (JSON), creates a namespace for the server and one for each player's host, and prints where
they are. Each further line of shapes replaces the properties of the links. The answer is the punctuality of the
carrier until then. At the end of the input it prints the punctuality and ends.
"""

import heapq
import os
import select
import sys
import time
from random import Random

import msgspec

from photofinish.lab.net.links.netns import die_with_parent, new_space, sharpen, tun
from photofinish.lab.net.links.shape import LatenessRecorder, LinkDirection, Shape, congestion, summary

MTU = 2048
SPIN = 60_000
"""Within this many nanoseconds before a packet is due the carrier polls instead of sleeping."""
IDLE = 500_000_000
"""Longest sleep in nanoseconds."""


class Spaces(msgspec.Struct, frozen=True):
    """Where the namespaces are, and whether the carrier runs at a real-time priority."""

    server: str
    clients: tuple[str, ...]
    hosts: tuple[str, ...]
    """The server's address, seen from each client."""
    is_realtime: bool


class Carrier:
    """All links. Packets wait in one heap, sorted by due time."""

    def __init__(self, shapes: tuple[Shape, ...]) -> None:
        self._rng = Random(1)  # noqa: S311 - repeatable on purpose
        home = new_space()
        ends = [tun(f"lab{n}", f"10.77.{n}.1", f"10.77.{n}.2") for n in range(len(shapes))]
        spaces = []
        self._pairs: list[tuple[int, int]] = []
        for n, here in enumerate(ends):
            spaces.append(new_space())
            self._pairs.append((here, tun("lab", f"10.77.{n}.2", f"10.77.{n}.1")))
        files = f"/proc/{os.getpid()}/fd"
        self.spaces = Spaces(
            f"{files}/{home}",
            tuple(f"{files}/{space}" for space in spaces),
            tuple(f"10.77.{n}.1" for n in range(len(shapes))),
            sharpen(),
        )
        self._heap: list[tuple[int, int, int, bytes]] = []
        self._count = 0
        self._ways: dict[int, tuple[LinkDirection, int]] = {}
        self.noted = LatenessRecorder()
        self.shape(shapes)

    def shape(self, shapes: tuple[Shape, ...]) -> None:
        for (here, there), shape in zip(self._pairs, shapes, strict=True):
            congested = congestion(self._rng)
            for end, other in ((here, there), (there, here)):
                way = LinkDirection(shape, self._rng, is_down=end == here, congested=congested)
                self._ways[end] = way, other
        self.noted = LatenessRecorder()

    def run(self) -> None:
        """Run until the input ends."""
        files = [sys.stdin.fileno(), *self._ways]
        while True:
            now = time.perf_counter_ns()
            wait = self._heap[0][0] - now - SPIN if self._heap else IDLE
            ready = select.select(files, (), (), max(0, min(wait, IDLE)) / 1e9)[0]
            for file in ready:
                if file == files[0]:
                    line = sys.stdin.buffer.readline()
                    _say(summary(self.noted))
                    if not line:
                        return
                    self.shape(msgspec.json.decode(line, type=tuple[Shape, ...]))
                else:
                    self._take(file)
            self._deliver()

    def _take(self, file: int) -> None:
        way, other = self._ways[file]
        while True:
            try:
                packet = os.read(file, MTU)
            except BlockingIOError:
                return
            if way.is_lost():
                self.noted.lost += 1
                continue
            self._count += 1
            heapq.heappush(self._heap, (way.due(time.perf_counter_ns()), self._count, other, packet))

    def _deliver(self) -> None:
        """Send the packets that are due now or within the polling time."""
        while self._heap:
            due, _, file, packet = self._heap[0]
            now = time.perf_counter_ns()
            if due > now + SPIN:
                return
            while now < due:
                now = time.perf_counter_ns()
            heapq.heappop(self._heap)
            os.write(file, packet)
            self.noted.note(due, now)


def _say(it: msgspec.Struct) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(it) + b"\n")
    sys.stdout.buffer.flush()


def main() -> None:
    die_with_parent()
    carrier = Carrier(msgspec.json.decode(sys.stdin.buffer.readline(), type=tuple[Shape, ...]))
    _say(carrier.spaces)
    carrier.run()


if __name__ == "__main__":
    main()
