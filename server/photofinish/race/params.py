"""The numbers of a race: the table's parameters, a seat's network path, a seat's standing."""

from typing import Literal, NamedTuple, TypeAlias

from photofinish.engine import Micros, Record, replace

Proof: TypeAlias = Literal["full", "partial", "none"]
"""Of a late line. Partial: a program at the other end can delay the ACK, so an account bounds the credit too."""
FORGETS = 90
"""A normaliser loses one part in this number of its distance from `Params.screen` per race. It is not in the record:
if you change it, raise the version of the record, so that verifiers know it."""


class Params(Record, frozen=True):
    """The race parameters of a table. All in microseconds, except `gain`, `jitter_percent` and `jitter_scale`."""

    eps: Micros = Micros(2_000)
    """Scores this close together are a dead heat."""
    hard: Micros = Micros(400_000)
    """The longest time that a move is held after it reached the room's owner."""
    cap: Micros = Micros(350_000)
    """The longest round trip that is subtracted from any time."""
    floor: Micros = Micros(100_000)
    """No hand answers a trigger faster."""
    after_void: Micros = Micros(250_000)
    """After a false start, the lowest score of the seat in this race is `floor + after_void`."""
    screen: Micros = Micros(9_600)
    """What is subtracted for every seat: 8.3 ms, the mean of a 60 Hz screen, and 1.3 ms for the programs."""
    screen_least: Micros = Micros(7_500)
    screen_most: Micros = Micros(11_700)
    """Limits of a seat's normaliser."""
    gain: int = 35
    """The normaliser moves by `soft / gain` per race, and loses a part of its distance from `screen` (`FORGETS`)."""
    jitter_free: Micros = Micros(1_500)
    jitter_percent: int = 5
    """The usual jitter counts up to `jitter_free + jitter_percent % of base`."""
    jitter_scale: int = 120
    """In per cent: the mean of all ACKs is higher than that of the 14 lowest of 16."""
    swing: Micros = Micros(17_000)
    """A claim may differ from the seat's normaliser by `swing + jitter / 2` without proof."""
    late_free: Micros = Micros(8_000)
    """A proven delay counts from `late_free + jitter / 2` on."""
    late_most: Micros = Micros(350_000)
    """The longest proven delay that is credited in one race."""
    unproven: Micros = Micros(60_000)
    unproven_gain: Micros = Micros(4_000)
    unproven_most: Micros = Micros(120_000)
    """Only where the kernel gives no proof (proxy, macOS, ACKs that are not forced): the account of a new seat, what it
    regains per race, and its limit."""
    unproven_race: Micros = Micros(60_000)
    """The most that is credited from that account in one race."""
    wait_base: Micros = Micros(38_000)
    wait_least: Micros = Micros(43_000)
    wait_most: Micros = Micros(90_000)
    """The wait for a seat, beyond its own path: `clip(wait_base + slow - base, wait_least, wait_most)`."""


class Path(Record, frozen=True):
    """What the server itself has measured of the path to a seat. A bot in the server has `Path(0, 0, 0)`."""

    kmin: Micros | None = None
    """The kernel's smallest round trip of this socket, over 300 s."""
    amin: Micros | None = None
    """The smallest round trip of our own pings, over 300 s."""
    slow: Micros | None = None
    """How slow the path may be now: the round trip of the ping behind this race's trigger; until its pong arrives,
    the 90th percentile of the last 16 pings."""
    behind_proxy: bool = False
    """The kernel's round trip is that of a proxy, not of the player."""
    usual: Micros | None = None
    """The mean of the 14 lowest of the last 16 ACKs of triggers, each taken to have come halfway between two looks (of
    the pings, before there are 2)."""
    acked: Micros | None = None
    """The last look, counted from the trigger, at which the kernel had no ACK of it. 0: it was never late.
    None: the kernel gives no proof on this connection."""
    delayable: bool = False
    """A program at the other end may have delayed that ACK: the server did not force it."""

    def base(self, cap: Micros) -> Micros:
        """The round trip that is subtracted from this seat's times; 0 if nothing was measured yet."""
        least = self.amin
        if not self.behind_proxy and self.kmin is not None and (least is None or self.kmin < least):
            least = self.kmin
        if least is None:
            return Micros(0)
        return min(least, cap)

    @property
    def has_proof(self) -> bool:
        """Does the kernel tell when the trigger was acknowledged, and could no program delay the ACK?"""
        return self.proof == "full"

    @property
    def proof(self) -> Proof:
        """What the kernel proves about late lines on this path."""
        if self.acked is None or self.behind_proxy:
            return "none"
        return "partial" if self.delayable else "full"

    def times(self, params: Params) -> "PathTimes":
        """What these measurements mean for the times of a move."""
        base = self.base(params.cap)
        jitter = 0
        if self.usual is not None:
            most = params.jitter_free + base * params.jitter_percent // 100
            jitter = min(max(0, self.usual - base) * params.jitter_scale // 100, most)
        if self.acked is None or self.behind_proxy:
            return PathTimes(base, Micros(jitter), Micros(0), Micros(0), params.unproven_race)
        # A client that delays every ACK gets nothing for it: then late ACKs are usual.
        behind = max(0, self.acked - max(base + jitter, self.usual or 0))
        proven = Micros(min(max(0, behind - params.late_free - jitter // 2), params.late_most))
        most_credit = min(proven, params.unproven_race) if self.delayable else proven
        return PathTimes(base, Micros(jitter), Micros(behind), proven, most_credit)

    def patience(self, params: Params) -> Micros:
        """How long after a given reaction of this seat its move must have arrived."""
        base = self.base(params.cap)
        slow = base if self.slow is None else self.slow
        spare = min(max(params.wait_base + slow - base, params.wait_least), params.wait_most)
        return Micros(params.eps + base + spare)


class PathTimes(NamedTuple):
    base: Micros
    """The round trip that is subtracted from this seat's times."""
    jitter: Micros
    """What this line usually takes beyond `base`."""
    behind: Micros
    """How late the line was in this race, beyond what is usual, as far as the kernel proves it."""
    proven: Micros
    """The most that such a proof explains of a late line."""
    credit_most: Micros
    """The most that any seat is credited on this path in this race."""


class Standing(Record, frozen=True):
    """What a seat keeps from race to race. Stored with the room's state: a crash must not reset it."""

    screen: Micros = Params().screen
    """The normaliser: how long this seat's screen seems to take, by its claims."""
    unproven: Micros = Micros(60_000)
    """The account of a seat without kernel proof: what may still be credited."""
    false_starts: int = 0
    given: Micros = Micros(0)
    """The total network time that was subtracted from this seat's times."""
    credited: Micros = Micros(0)
    """The part of `given` that was credited for lines that were late in their race."""
    uncompensated: Micros = Micros(0)
    """The total time that this seat claimed and was not granted."""

    def within(self, params: Params) -> "Standing":
        """The same inside the limits of this table: it may come from another rule, or from another room."""
        screen = min(max(self.screen, params.screen_least), params.screen_most)
        return replace(self, screen=screen, unproven=min(self.unproven, params.unproven_most))

    def limit(self, path: Path, credit_most: Micros) -> Micros:
        """The most that a claim of this seat is credited for a late line in this race."""
        return credit_most if path.has_proof else min(self.unproven, credit_most)


def newcomer(params: Params) -> Standing:
    """The standing of a seat before its first race."""
    return Standing(params.screen, params.unproven)
