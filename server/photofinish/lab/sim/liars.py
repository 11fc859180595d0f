"""Clients that lie without root. Each sees all that the server knows of it, and knows the rules."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random

from photofinish.race import Params, Standing

HOLD = 60.0
"""ms by which a program can delay an ACK that is not forced: 40 to 75 were measured."""
FORGED = 1.0
"""An impossible claim: it gets the largest credit that the rules allow."""


@dataclass(frozen=True, slots=True)
class LiarsRace:
    """What a liar knows when a race begins."""

    number: int
    """The number of the race since it sat down, from 0."""
    standing: Standing
    params: Params
    luck: Random


Claim = Callable[[float, float], float]
"""What it claims, given its reaction time and the delay of its screen."""


@dataclass(frozen=True, slots=True)
class Liar:
    """`lie` returns None in races in which the client tells the truth. `bites`: whether it tries to win this race."""

    name: str
    lie: Callable[[LiarsRace], Claim | None]
    bites: Callable[[LiarsRace], bool] = lambda _race: True
    holds_pings: float = 0.0
    holds_echo: float = 0.0
    holds_claim: float = 0.0
    holds_ack: float = 0.0
    """By how many ms it delays the ACKs of triggers."""
    is_sparing: bool = False
    """It delays the ACK only in the races that it tries to win."""
    is_silent: bool = False
    meets_unforced: bool = False
    """It plays on a server that may not force ACKs."""


def _truth(_race: LiarsRace) -> Claim | None:
    return None


def _shave(millis: float) -> Callable[[LiarsRace], Claim]:
    return lambda _race: lambda hand, _screen: hand - millis


def _paced(millis: float, honest: int) -> Callable[[LiarsRace], Claim | None]:
    """Tells the truth in one of this many races."""
    return lambda race: None if race.number % honest == 0 else lambda hand, _screen: hand - millis


def _forge(_race: LiarsRace) -> Claim:
    return lambda _hand, _screen: FORGED


def _hoard(every: int) -> Callable[[LiarsRace], Claim | None]:
    return lambda race: (lambda _hand, _screen: FORGED) if race.number % every == every - 1 else None


def _bank(every: int, millis: float) -> Callable[[LiarsRace], Claim]:
    """Claims slower reactions than it had, to be believed later."""
    return lambda race: lambda hand, _screen: FORGED if race.number % every == every - 1 else hand + millis


def _drift(races: int, step: float) -> Callable[[LiarsRace], Claim]:
    """Lies a little more in each race, then as much as it can."""

    def lie(race: LiarsRace) -> Claim:
        place = race.number % races
        return lambda hand, _screen: FORGED if place == races - 1 else hand - step * place

    return lie


def _screen(spread: float) -> Callable[[LiarsRace], Claim]:
    """Claims what an honest player with such a screen would claim."""

    def lie(race: LiarsRace) -> Claim:
        phase = race.luck.random()
        return lambda hand, screen: hand + screen - phase * spread

    return lie


def _steady(millis: float) -> Callable[[LiarsRace], Claim]:
    """Always claims a screen delay of this length, whatever its own was."""
    return lambda _race: lambda hand, screen: hand + screen - millis


def _last_of(every: int) -> Callable[[LiarsRace], bool]:
    return lambda race: race.number % every == every - 1


def _is_ripe(race: LiarsRace) -> bool:
    """Whether the normaliser is at its lower limit, so that the seat can get the whole range."""
    return race.standing.screen <= race.params.screen_least + 500


def _adapt(race: LiarsRace) -> Claim:
    """Reads its normaliser: claims slow reactions until it is low, then takes as much as it can."""
    bites = _is_ripe(race)
    return lambda hand, _screen: FORGED if bites else hand + 30.0


def _delay_acks(*, meets_unforced: bool) -> tuple[Liar, ...]:
    """Native clients that manage their receive buffer so that their kernel delays its ACKs."""
    where = ", not forced" if meets_unforced else ""
    delays = f"delays ACKs {HOLD:g} ms{where}"
    liar = partial(Liar, holds_echo=150.0, holds_ack=HOLD, meets_unforced=meets_unforced)
    return (
        liar(f"{delays}, forges every claim", _forge),
        liar(f"{delays}, bites in every 10th race", _hoard(10), _last_of(10)),
        liar(f"{delays}, only where it bites, every 10th", _hoard(10), _last_of(10), is_sparing=True),
        liar(f"{delays}, only where it bites, every 30th", _hoard(30), _last_of(30), is_sparing=True),
    )


SHAVES = (5.0, 10.0, 15.0, 20.0, 25.5, 40.0, 60.0, 100.0, 150.0)
LIARS = (
    *(Liar(f"shaves {millis:g} ms off every claim", _shave(millis)) for millis in SHAVES),
    Liar("shaves 25.5 ms in 9 races of 10", _paced(25.5, 10)),
    Liar("shaves 40 ms in 2 races of 3", _paced(40.0, 3)),
    Liar("forges every claim", _forge),
    Liar("hoards, bites in every 10th race", _hoard(10), _last_of(10)),
    Liar("hoards, bites in every 30th race", _hoard(30), _last_of(30)),
    Liar("banks 10 ms a race, spends in every 4th", _bank(4, 10.0), _last_of(4)),
    Liar("banks 10 ms a race, spends in every 10th", _bank(10, 10.0), _last_of(10)),
    Liar("drifts by 2 ms a race, bites in every 12th", _drift(12, 2.0), _last_of(12)),
    Liar("drifts by 0.5 ms a race, bites in every 40th", _drift(40, 0.5), _last_of(40)),
    Liar("late pongs", _truth, holds_pings=150.0, holds_echo=150.0),
    Liar("late pongs, shaves 15 ms", _shave(15.0), holds_pings=20.0, holds_echo=40.0),
    Liar("late pongs, forges every claim", _forge, holds_pings=150.0, holds_echo=150.0),
    Liar("late pongs, bites in every 10th race", _hoard(10), _last_of(10), 150.0, 150.0),
    Liar("sends 40 ms late, claims the truth", _truth, holds_claim=40.0),
    Liar("sends and pongs 40 ms late, shaves 40", _shave(40.0), holds_echo=40.0, holds_claim=40.0),
    Liar("claims nothing", _truth, is_silent=True),
    Liar("adapts to its standing, bites when it is best", _adapt, _is_ripe),
    Liar("adapts, with late pongs", _adapt, _is_ripe, holds_pings=150.0, holds_echo=150.0),
    Liar("imitates a 30 Hz screen", _screen(1000 / 30)),
    Liar("imitates a steady screen of 9.5 ms", _steady(9.5)),
    Liar("imitates a steady screen of 15 ms", _steady(15.0)),
    *_delay_acks(meets_unforced=False),
)

UNFORCED_LIARS = _delay_acks(meets_unforced=True)
"""On a server that may not force ACKs. No goal covers them: `protocol/RACES.md` says what they gain."""
