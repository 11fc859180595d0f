"""The numbers a race is judged by: the table's parameters, a seat's path, a seat's standing."""

from photofinish.engine import Micros, Record, replace

REMEMBERED = 30
"""How many races a seat's clamp history goes back."""


class Params(Record, frozen=True):
    """What a table judges its races by. All in microseconds."""

    g: Micros = Micros(20_000)
    """How much faster than the measured path a claim may be for nothing: display and ordinary jitter."""
    qmax: Micros = Micros(240_000)
    """The most a seat's quota can hold. A new seat begins with half of it."""
    qgain: Micros = Micros(6_000)
    """What a seat's quota regains in each race."""
    qrace: Micros = Micros(60_000)
    """The most a seat may borrow from its quota in one race."""
    eps: Micros = Micros(2_000)
    """Scores this close together are a dead heat."""
    hard: Micros = Micros(400_000)
    """The longest a move is held after it reached the room's owner."""
    cap: Micros = Micros(350_000)
    """The longest round trip that is taken off anybody's time."""
    floor: Micros = Micros(100_000)
    """No hand answers a trigger faster."""
    after_void: Micros = Micros(250_000)
    """So much later than the floor is the best a seat can score after a false start."""
    unclaimed: Micros = Micros(12_000)
    """A client that makes no claim is taken to have been this much faster than its path shows."""
    flagged_g: Micros = Micros(5_000)
    """What is left of `g` for a flagged seat."""
    flagged_at: int = 29
    """Claims below the free band in so many of the last 30 races flag a seat."""
    cleared_at: int = 15
    """And a flagged seat is cleared when no more than so many are left."""
    wait_base: Micros = Micros(29_000)
    wait_least: Micros = Micros(34_000)
    wait_most: Micros = Micros(70_000)
    """How long past a seat's own path we wait for it: `clip(wait_base + slow - base, least, most)`."""


class Path(Record, frozen=True):
    """What the server itself has seen of the way to a seat. A bot in the server has `Path(0, 0, 0)`."""

    kmin: Micros | None = None
    """The kernel's least round trip of this socket, over 300 s."""
    amin: Micros | None = None
    """The least round trip of our own pings, over 300 s."""
    slow: Micros | None = None
    """How slow the way may be just now: the round trip of the ping that went out right behind this race's trigger;
    until that is back, the 90th percentile of the last 16 pings."""
    behind_proxy: bool = False
    """The kernel's figure is that of a proxy, and says nothing about the player."""

    def base(self, cap: Micros) -> Micros:
        """The round trip taken off this seat's times. Nothing measured yet: nothing taken off."""
        seen = (self.amin,) if self.behind_proxy else (self.kmin, self.amin)
        known = [one for one in seen if one is not None]
        return min(*known, cap) if known else Micros(0)

    def patience(self, params: Params) -> Micros:
        """How long after a given reaction of this seat its move must have come in."""
        base = self.base(params.cap)
        slow = base if self.slow is None else self.slow
        spare = min(max(params.wait_base + slow - base, params.wait_least), params.wait_most)
        return Micros(params.eps + base + spare)


class Standing(Record, frozen=True):
    """What a seat carries from race to race. Stored with the room's state, or a crash would refill it."""

    quota: Micros
    races: int = 0
    """How many races the clamp history covers, 30 at most."""
    clamps: int = 0
    """One bit a race, the newest lowest: did the seat claim to be faster than its path allowed for free?"""
    flagged: bool = False
    false_starts: int = 0
    given: Micros = Micros(0)
    """Network time taken off this seat's moves, all told."""
    uncompensated: Micros = Micros(0)
    """Time this seat claimed and was not granted, all told."""

    def after_race(self, params: Params, *, clamped: bool | None) -> "Standing":
        """The standing after a race. `clamped` is None if the seat made no move in it."""
        races, clamps, flagged = self.races, self.clamps, self.flagged
        if clamped is not None:
            races = min(races + 1, REMEMBERED)
            clamps = (clamps << 1 | clamped) & ((1 << REMEMBERED) - 1)
            count = clamps.bit_count()
            flagged = count > params.cleared_at if flagged else count >= params.flagged_at
        quota = Micros(0) if flagged else Micros(min(params.qmax, self.quota + params.qgain))
        return replace(self, quota=quota, races=races, clamps=clamps, flagged=flagged)


def newcomer(params: Params) -> Standing:
    """A seat nobody knows anything about yet."""
    return Standing(Micros(params.qmax // 2))
