"""The measurements of one socket: pings, kernel round trips and ACKs come in, a `Path` comes out."""

from collections.abc import Sequence

from photofinish.engine import Micros
from photofinish.race.params import Path

WINDOW = Micros(300_000_000)
"""How long a smallest round trip is used: the kernel's own window."""
LAST = 16
"""How many pings and ACKs are remembered."""
ENOUGH = 2
"""From this number of ACKs on, they measure the usual jitter; before that, the pings do."""
LOOKS: tuple[int, ...] = (*range(0, 7_000, 1_000), 8_000, 10_000, 12_000, *range(15_000, 400_000, 5_000))
"""When the kernel is asked for the ACK of a trigger: this many µs after the trigger plus the smallest round trip."""


class Lag:
    """The lag of one connection. Times are the node's own clock and must not run backwards."""

    def __init__(self, *, behind_proxy: bool = False) -> None:
        self._behind_proxy = behind_proxy
        self._pings = _Least()
        self._kernel = _Least()
        self._last: list[Micros] = []
        self._echo: Micros | None = None
        self._unacked: Micros | None = None
        self._is_delayable = False
        self._acks: list[Micros] = []

    def ponged(self, round_trip: Micros, at: Micros) -> None:
        """The pong of one of our pings arrived."""
        self._pings.add(round_trip, at)
        self._last.append(round_trip)
        del self._last[:-LAST]

    def triggered(self, *, has_proof: bool = False, is_delayable: bool = False) -> None:
        """A trigger was sent, and a ping behind it. `has_proof`: the kernel will tell when it is acknowledged.
        `is_delayable`: a program at the other end can delay that ACK.
        """
        self._echo = None
        self._unacked = Micros(0) if has_proof else None
        self._is_delayable = is_delayable

    def echoed(self, round_trip: Micros) -> None:
        """The pong of the ping behind the trigger arrived: this is how slow the path is in this race."""
        self._echo = round_trip

    def unacked(self, after: Micros) -> None:
        """The kernel has no ACK of the trigger yet, `after` µs after it was sent."""
        self._unacked = after

    def acked(self, seen: Micros) -> None:
        """The kernel has the ACK of the trigger, and the look `seen` µs after the trigger was the first to see it.

        The last look before is the proof. The usual jitter takes the middle of the two. If there was none before, the
        round trip was about as long as until this look, and not 0.
        """
        if self._unacked is not None:
            self._acks.append(Micros((self._unacked + seen) // 2) if self._unacked else seen)
            del self._acks[:-LAST]

    def kernel(self, min_rtt: Micros, at: Micros) -> None:
        """The kernel's smallest round trip. It is 0 or a huge number if the kernel knows none."""
        if 0 < min_rtt < 0xFFFF_FFFF:
            self._kernel.add(min_rtt, at)

    def path(self, now: Micros) -> Path:
        pings = sorted(self._last)
        slow = _nearest_rank(pings) if self._echo is None else self._echo
        usual = _trimmed_mean(sorted(self._acks) if len(self._acks) >= ENOUGH else pings)
        unacked = None if self._behind_proxy else self._unacked
        return Path(
            self._kernel.least(now),
            self._pings.least(now),
            slow,
            self._behind_proxy,
            usual,
            unacked,
            delayable=unacked is not None and self._is_delayable,
        )


def _trimmed_mean(ordered: Sequence[Micros]) -> Micros | None:
    """The mean without the slowest eighth, of times in ascending order."""
    if not ordered:
        return None
    count = max(1, len(ordered) * 7 // 8)
    return Micros(sum(ordered[:count]) // count)


def _nearest_rank(ordered: Sequence[Micros]) -> Micros | None:
    """The 90th percentile: the fifteenth of sixteen, so that one spike alone does not count."""
    return ordered[-(-9 * len(ordered) // 10) - 1] if ordered else None


class _Least:
    """The smallest reading of the last 300 s. Keeps only readings that are smaller than all later ones."""

    def __init__(self) -> None:
        # A deque takes 0.7 KB, in each of many idle connections.
        self._stairs: list[tuple[Micros, Micros]] = []

    def add(self, reading: Micros, at: Micros) -> None:
        while self._stairs and self._stairs[-1][1] >= reading:
            self._stairs.pop()
        self._stairs.append((at, reading))

    def least(self, now: Micros) -> Micros | None:
        # Keep the newest reading even if it is old: an old value is better than none.
        while len(self._stairs) > 1 and self._stairs[0][0] < now - WINDOW:
            del self._stairs[0]
        return self._stairs[0][1] if self._stairs else None
