"""The numbers a race is judged by: the table's parameters, a seat's path, a seat's standing."""

from photofinish.engine import Micros, Record, replace


class Params(Record, frozen=True):
    """What a table judges its races by. All in microseconds, but for `gain` and what ends in `percent`."""

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
    screen: Micros = Micros(8_500)
    """How long everybody's screen is taken to need: that of 60 Hz. A newcomer's normaliser."""
    screen_slack: Micros = Micros(1_000)
    """So far from `screen` a seat's own normaliser counts."""
    screen_least: Micros = Micros(5_000)
    screen_most: Micros = Micros(15_000)
    """Between these a seat's normaliser stays."""
    gain: int = 5
    """A normaliser moves by the `gain`-th part of what a claim was granted beside it."""
    jitter_free: Micros = Micros(1_500)
    jitter_percent: int = 3
    """A line's usual jitter counts up to `jitter_free` and so much of the round trip."""
    swing: Micros = Micros(10_000)
    """So far from the seat's normaliser, and half of the jitter more, a claim is believed: screens and lines vary."""
    late_free: Micros = Micros(5_000)
    """A line that was late by no more is covered by `swing`."""
    late_most: Micros = Micros(150_000)
    """The most that is credited for a late line in one race."""
    purse: Micros = Micros(10_000)
    """A newcomer's account."""
    purse_most: Micros = Micros(240_000)
    purse_percent: int = 80
    """So much of what the kernel saw a line to be late goes into the seat's account."""
    blind_gain: Micros = Micros(2_000)
    blind_most: Micros = Micros(60_000)
    """Where the kernel says nothing: what goes into the account in each race, and the most it lends."""
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
    usual: Micros | None = None
    """The mean of the 14 lowest of the last 16 pings."""
    echo: Micros | None = None
    """The round trip of the ping that went out right behind this race's trigger, once it is back."""
    sample: Micros | None = None
    """The round trip of this race's trigger as the kernel saw it, which no program can stretch."""
    resent: bool = False
    """The kernel had to send something again in this race: its sample says nothing of the wait, only `echo` does."""

    def base(self, cap: Micros) -> Micros:
        """The round trip taken off this seat's times. Nothing measured yet: nothing taken off."""
        seen = (self.amin,) if self.behind_proxy else (self.kmin, self.amin)
        known = [one for one in seen if one is not None]
        return min(*known, cap) if known else Micros(0)

    def jitter(self, params: Params) -> Micros:
        """What this line usually takes beyond its least round trip."""
        base = self.base(params.cap)
        most = params.jitter_free + base * params.jitter_percent // 100
        return Micros(0) if self.usual is None else Micros(min(max(0, self.usual - base), most))

    @property
    def is_blind(self) -> bool:
        """The kernel has said nothing about this race."""
        return self.sample is None or self.behind_proxy

    def behind(self, params: Params) -> Micros:
        """How late the line was in this very race. A program can hold back the echo, but not the kernel's sample."""
        if self.sample is None or self.echo is None or self.behind_proxy:
            return Micros(0)
        took = self.echo if self.resent else min(self.echo, self.sample)
        return Micros(max(0, took - self.base(params.cap) - self.jitter(params)))

    def seen(self, params: Params) -> Micros:
        """The most that this race may be credited with."""
        if self.is_blind:
            return params.blind_most
        late = self.behind(params) - params.late_free - self.jitter(params) // 2
        return Micros(min(max(0, late), params.late_most))

    def patience(self, params: Params) -> Micros:
        """How long after a given reaction of this seat its move must have come in."""
        base = self.base(params.cap)
        slow = base if self.slow is None else self.slow
        spare = min(max(params.wait_base + slow - base, params.wait_least), params.wait_most)
        return Micros(params.eps + base + spare)


class Standing(Record, frozen=True):
    """What a seat carries from race to race. Stored with the room's state, or a crash would refill it."""

    screen: Micros = Micros(8_500)
    """The normaliser: how long this seat's screen seems to take, by its claims."""
    purse: Micros = Micros(10_000)
    """The account: what may still be credited for late lines."""
    false_starts: int = 0
    given: Micros = Micros(0)
    """Network time taken off this seat's moves, all told."""
    credited: Micros = Micros(0)
    """Of that, for lines that were late in their very race."""
    uncompensated: Micros = Micros(0)
    """Time this seat claimed and was not granted, all told."""

    def level(self, params: Params) -> Micros:
        """The screen that is taken off this seat's times."""
        least, most = params.screen - params.screen_slack, params.screen + params.screen_slack
        return Micros(min(max(self.screen, least), most))

    def purse_in(self, params: Params, path: Path) -> Micros:
        """What the account holds in a race on this path."""
        if path.is_blind:
            return Micros(min(self.purse + params.blind_gain, params.blind_most))
        saved = path.seen(params) * params.purse_percent // 100
        return Micros(min(self.purse + saved, params.purse_most))

    def after_race(self, params: Params, path: Path, *, soft: Micros, credit: Micros) -> "Standing":
        """The standing after a race in which the seat's first claim was granted so much, on such a path."""
        purse = Micros(self.purse_in(params, path) - credit)
        return replace(self, screen=Micros(self.screen + soft // params.gain), purse=purse)


def newcomer(params: Params) -> Standing:
    """A seat nobody knows anything about yet."""
    return Standing(params.screen, params.purse)
