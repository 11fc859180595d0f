"""The goals of the laboratory on real sockets: over all races, over the undisturbed ones, and the verdict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, variance
from typing import Literal, NamedTuple

from photofinish.lab.net.judge import Judged, quantile_of
from photofinish.lab.net.lies import EACH
from photofinish.lab.net.links.shape import MIX_A
from photofinish.lab.net.plan import FREE, FREE_NOISY
from photofinish.lab.sim.screens import HZ_60

SPOILT = 1.0
"""ms. A scripted race whose real gap is smaller than planned by more than this does not count: the machine was late."""
NOT_KNOWN = "not known"
EARLY, CHOSEN = 5.0, 25.0
"""The most that a liar with a 60 Hz screen may gain, in ms: in its first races, in the races it chose."""
AHEAD = HZ_60.mean
"""ms by which a client without a screen sees a trigger earlier. This true advantage is not a gain."""
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
    lies: list[Goal] = []
    for it in series:
        same = honest_on_the_same_lines(series, it)
        if same is not None:
            lies += _each_gain(same, it) if it.cell.lie == EACH else [_gain(same, it)]
    return [*winners, *waits, *lies, _lag(series), _sound(series), _late(series)]


def honest_on_the_same_lines(series: Sequence[Judged], liars: Judged) -> Judged | None:
    """The cell that a cell of liars is compared with; None if it was not run, or if nobody lies."""
    name = FREE_NOISY if liars.cell.is_noisy else FREE
    return next((it for it in series if liars.cell.lie and it.cell.name == name), None)


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


def _each_gain(honest: Judged, liars: Judged) -> list[Goal]:
    """The highest gains. Not goals: a maximum over many liars with few races each has a large error (see `gains`)."""
    choosy = {it.liar for it in liars.claims if not it.is_meant}
    of_all, calm = gains(honest, liars), gains(honest.undisturbed, liars.undisturbed)
    found = []
    for what in ("in every race", "in chosen races"):
        every = {
            name: gain for name, gain in of_all.items() if (name in choosy) == (what == "in chosen races")
        }
        name, most = max(every.items(), key=lambda it: it[1].mean, default=("nobody", NONE))
        found.append(
            Goal(
                f"gain over honest claims {what}, {liars.cell.name}, the highest of {len(every)}: {name}",
                "–",
                "–",
                f"{most.mean:.1f} ms (± {most.error:.1f})",
                _if_watched((honest, liars), f"{calm.get(name, NONE).mean:.1f} ms"),
                "–",
            )
        )
    return found


class MeasuredGain(NamedTuple):
    """What a liar gains over honest players on the same lines, in the races that it tries to win."""

    mean: float
    """ms"""
    error: float
    """The standard error of the gain in ms. It includes the error of the honest players' mean."""
    races: int


NONE = MeasuredGain(0.0, 0.0, 0)


def gains(honest: Judged, liars: Judged) -> dict[str, MeasuredGain]:
    """The gain of each liar of the cell, over all lines on which it sat."""
    usual = {seat: offs for seat in range(len(MIX_A)) if (offs := honest.offs_ms(seat))}
    found: dict[str, dict[int, list[float]]] = {}
    for it in liars.claims:
        if it.is_meant and it.off_ms is not None and it.seat in usual:
            found.setdefault(it.liar, {}).setdefault(it.seat, []).append(it.off_ms)
    return {name: _gain_of(usual, found[name], _ahead(liars)) for name in sorted(found)}


def _gain_of(
    usual: Mapping[int, Sequence[float]], own: Mapping[int, Sequence[float]], ahead: float
) -> MeasuredGain:
    races = sum(map(len, own.values()))
    shares = {seat: len(offs) / races for seat, offs in own.items()}
    mean = sum(share * (fmean(usual[seat]) - fmean(own[seat])) for seat, share in shares.items())
    squares = sum(
        share**2 * (_variance_of_mean(usual[seat]) + _variance_of_mean(own[seat]))
        for seat, share in shares.items()
    )
    return MeasuredGain(mean - ahead, sqrt(squares), races)


def _variance_of_mean(values: Sequence[float]) -> float:
    return variance(values) / len(values) if len(values) > 1 else 0.0


def gained(honest: Judged, liars: Judged) -> float:
    """The gain in ms of the seat with the highest gain."""
    offs = [(honest.offs_ms(seat), liars.offs_ms(seat)) for seat in range(len(MIX_A))]
    most = max((fmean(true) - fmean(lied) for true, lied in offs if true and lied), default=0.0)
    return most - _ahead(liars)


def _ahead(liars: Judged) -> float:
    return 0.0 if liars.cell.is_drawn else AHEAD


def _winners(it: Judged) -> Goal:
    """How often the right seat won. The goal is 99 % for the scripted cells and for the clean one.

    For leads of 10 ms and more it is 98.5 % in the cell with loss and 97.5 % in the noisy one.
    """
    lossy = it.cell.loss > 0 or it.cell.is_noisy
    scripted = it.cell.gap_ms is not None
    gap, goal = (10.0 if lossy else 5.0), (0.975 if it.cell.is_noisy else 0.985 if lossy else 0.99)
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
    """Whether verification finds no faults. Computed on all races, even disturbed ones: a stall may cause no fault."""
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
    """The lateness of the links. No longer a goal: they are late when the machine stalls, and the stall monitors
    report that for each race.
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
