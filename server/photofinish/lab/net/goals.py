"""The goals of the laboratory on real sockets: over all races, over the undisturbed ones, and the verdict."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from photofinish.lab.net.judge import Judged, quantile_of
from photofinish.lab.net.lies import EACH
from photofinish.lab.net.links.shape import MIX_A
from photofinish.lab.net.plan import FREE

SPOILT = 1.0
"""ms. A scripted race whose real gap is smaller than planned by more than this does not count: the machine was late."""
NOT_KNOWN = "not known"
EARLY, CHOSEN = 5.0, 25.0
"""The most that a liar with a 60 Hz screen may gain, in ms: in its first races, in the races it chose."""
Verdict = Literal["met", "missed", "too few", "–"]


@dataclass(frozen=True, slots=True)
class Goal:
    """One figure of `protocol/RACES.md`, computed on the undisturbed races if stalls were monitored."""

    figure: str
    first_come: str
    goal: str
    all_races: str
    undisturbed: str
    verdict: Verdict
    """`too few`: fewer undisturbed races than the cell requires. `–`: for information only."""

    @property
    def is_met(self) -> bool | None:
        return None if self.verdict == "–" else self.verdict == "met"


def rows(series: Sequence[Judged]) -> list[Goal]:
    """One row per goal."""
    honest = [it for it in series if not it.cell.lie]
    winners = [_winners(it) for it in honest]
    waits = [_wait(it) for it in honest if it.cell.gap_ms is None]
    free = next((it for it in honest if it.cell.name == FREE), None)
    lies = [
        _each_gain(free, it) if it.cell.lie == EACH else _gain(free, it)
        for it in series
        if it.cell.lie and free is not None
    ]
    return [*winners, *waits, *lies, _lag(series), _sound(series), _late(series)]


def _gain(honest: Judged, liars: Judged) -> Goal:
    """The gain of the lie on the line where it is largest. Each room is new and has 30 races, as the goal says."""
    most = CHOSEN if liars.cell.lie.startswith("hoards") else EARLY
    every, calm = gained(honest, liars), gained(honest.undisturbed, liars.undisturbed)
    return Goal(
        f"gain over honest claims, {liars.cell.name}, best of five lines",
        "–",
        f"≤ {most:g} ms",
        f"{every:.1f} ms",
        _if_watched((honest, liars), f"{calm:.1f} ms"),
        _verdict((honest, liars), is_met=calm <= most),
    )


def _each_gain(honest: Judged, liars: Judged) -> Goal:
    """Not a goal: about 30 races on one line have an error of 2 ms, and this is the maximum over all liars."""
    every, calm = (
        max(each_gained(*pair).items(), key=lambda it: it[1], default=("", 0.0))
        for pair in ((honest, liars), (honest.undisturbed, liars.undisturbed))
    )
    return Goal(
        f"gain over honest claims, {liars.cell.name}, the highest of {len(each_gained(honest, liars))}",
        "–",
        "–",
        f"{every[1]:.1f} ms ({every[0]})",
        _if_watched((honest, liars), f"{calm[1]:.1f} ms ({calm[0]})"),
        "–",
    )


def each_gained(honest: Judged, liars: Judged) -> dict[str, float]:
    """The gain in ms of each liar of the cell, in the races that it tries to win."""
    names = sorted({it.name(liars.cell.lie) for it in liars.claims})
    return {name: gained(honest, liars, name) for name in names}


def gained(honest: Judged, liars: Judged, liar: str = "") -> float:
    """The gain in ms of the seat with the highest gain."""
    offs = [(honest.off_ms(seat), liars.off_ms(seat, liar)) for seat in range(len(MIX_A))]
    return max((true - lied for true, lied in offs if true is not None and lied is not None), default=0.0)


def _winners(it: Judged) -> Goal:
    """The goal is 99 % for the scripted cells and the clean one, and 98.5 % from 10 ms on for the lossy one."""
    lossy = it.cell.loss > 0
    scripted = it.cell.gap_ms is not None
    gap, goal = (10.0 if lossy else 5.0), (0.985 if lossy else 0.99)
    if it.cell.gap_ms is not None:
        gap = it.cell.gap_ms - SPOILT
    calm = it.undisturbed
    right, of = calm.right(gap)
    is_telling = of > 0.9 * len(calm.races) if scripted else of > 0
    early, _ = calm.right(gap, first_come=True)
    name = it.cell.name if scripted else f"{it.cell.name}, gap ≥ {gap:g} ms"
    return Goal(
        f"right winner, {name}",
        f"{100 * early / max(1, of):.1f} %",
        f"≥ {100 * goal:g} %",
        _share(*it.right(gap)),
        _if_watched((it,), _share(right, of)),
        _verdict((it,), is_met=is_telling and right / of >= goal),
    )


def _wait(it: Judged) -> Goal:
    half, most = it.undisturbed.waits(0.5), it.undisturbed.waits(0.99)
    return Goal(
        f"first claim to stored verdict, {it.cell.name}, p50/p99",
        "0",
        "≤ 300/390 ms",
        f"{it.waits(0.5):.0f}/{it.waits(0.99):.0f} ms",
        _if_watched((it,), f"{half:.0f}/{most:.0f} ms ({len(it.undisturbed.races)} races)"),
        _verdict((it,), is_met=half <= 300 and most <= 390),
    )


def _lag(series: Sequence[Judged]) -> Goal:
    every = [claim.loop_lag for it in series for claim in it.claims]
    calm = [claim.loop_lag for it in series for claim in it.undisturbed.claims]
    lag = quantile_of(calm, 0.99) / 1000
    return Goal(
        "event-loop lag on the race path, p99",
        "–",
        "≤ 2 ms",
        f"{quantile_of(every, 0.99) / 1000:.2f} ms",
        _if_watched(series, f"{lag:.2f} ms ({len(calm)} claims)"),
        _verdict(series, is_met=bool(calm) and lag <= 2),
    )


def _sound(series: Sequence[Judged]) -> Goal:
    """Computed on all races, also the disturbed ones: a stall is no excuse here."""
    races = [race for it in series for race in it.races]
    calm = [race for it in series for race in it.undisturbed.races]
    sound, faults = sum(race.sound for race in races), sum(len(it.faults) for it in series)
    return Goal(
        "verdicts recomputed from the record; all races count",
        "–",
        "100 %",
        f"{sound} of {len(races)} ({faults} faults)",
        _if_watched(series, f"{sum(race.sound for race in calm)} of {len(calm)}"),
        "met" if sound == len(races) > 0 and not faults else "missed",
    )


def _late(series: Sequence[Judged]) -> Goal:
    """No longer a goal: the carrier is late when the machine stalls, and the stall monitors report that for
    each race.
    """
    late = max((punctual.p99 for it in series for punctual in it.links), default=0) / 1000
    return Goal("the links' own lateness, p99 of the worst round", "–", "–", f"{late:.2f} ms", "–", "–")


def _share(right: int, of: int) -> str:
    return f"{100 * right / max(1, of):.2f} % ({right} of {of})"


def _if_watched(series: Sequence[Judged], figure: str) -> str:
    return NOT_KNOWN if any(it.stalls is None for it in series) else figure


def _verdict(series: Sequence[Judged], *, is_met: bool) -> Verdict:
    if not all(it.is_enough for it in series):
        return "too few"
    return "met" if is_met else "missed"
