"""The goals of the laboratory on real sockets: over all races, over the undisturbed ones, and the verdict."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from photofinish.lab.net.judge import Judged, quantile_of

SPOILT = 1.0
"""A scripted race whose gap came out smaller by more than so many ms shows nothing: the machine held up a hand."""
NOT_KNOWN = "not known"
Verdict = Literal["met", "missed", "too few", "–"]


@dataclass(frozen=True, slots=True)
class Goal:
    """One figure of `protocol/RACES.md`. It is judged on the undisturbed races, if somebody watched."""

    figure: str
    first_come: str
    goal: str
    all_races: str
    undisturbed: str
    verdict: Verdict
    """Too few: of the undisturbed races there were fewer than the cell asks for. –: only told."""

    @property
    def is_met(self) -> bool | None:
        return None if self.verdict == "–" else self.verdict == "met"


def rows(series: Sequence[Judged]) -> list[Goal]:
    """One row a goal."""
    winners = [_winners(it) for it in series]
    waits = [_wait(it) for it in series if it.cell.gap_ms is None]
    return [*winners, *waits, _lag(series), _sound(series), _late(series)]


def _winners(it: Judged) -> Goal:
    """The scripted cells and the clean one are held to 99 %, the lossy one to 97 % from 10 ms on."""
    lossy = it.cell.loss > 0
    scripted = it.cell.gap_ms is not None
    gap, goal = (10.0 if lossy else 5.0), (0.97 if lossy else 0.99)
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
    """Of this one no standstill is an excuse: it is judged on all races."""
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
    """No goal any more: the carrier is late when the machine is, and the witnesses say so race by race."""
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
