"""The figures of the laboratory on real sockets beside their goals, and as JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import msgspec

from photofinish.lab.links import MIX_A, Punctuality
from photofinish.lab.realjudge import Judged, quantile_of
from photofinish.lab.realplan import Setting
from photofinish.lab.report import Row

SPOILT = 1.0
"""A scripted race whose gap came out smaller by more than so many ms shows nothing: the machine held up a hand."""
Series = Sequence[tuple[Judged, Punctuality]]


def rows(series: Series) -> list[Row]:
    """One row a goal."""
    cells = [it for it, _ in series]
    found = [_winners(it) for it in cells]
    found += [_wait(it) for it in cells if it.cell.gap_ms is None]
    lag = quantile_of([claim.loop_lag for it in cells for claim in it.claims], 0.99) / 1000
    late = max((punctual.p99 for _, punctual in series), default=0)
    races = [race for it in cells for race in it.races]
    sound = sum(race.sound for race in races)
    faults = sum(len(it.faults) for it in cells)
    return [
        *found,
        Row("event-loop lag on the race path, p99", "–", "≤ 2 ms", f"{lag:.2f} ms", lag <= 2),
        Row(
            "verdicts recomputed from the record",
            "–",
            "100 %",
            f"{sound} of {len(races)}, {faults} faults in the replays",
            sound == len(races) > 0 and not faults,
        ),
        Row("the links' own lateness, p99", "–", "≤ 0.5 ms", f"{late / 1000:.2f} ms", late <= 500),
    ]


def _winners(it: Judged) -> Row:
    """The scripted cells and the clean one are held to 99 %, the lossy one to 97 % from 10 ms on."""
    lossy = it.cell.loss > 0
    scripted = it.cell.gap_ms is not None
    gap, goal = (10.0 if lossy else 5.0), (0.97 if lossy else 0.99)
    if it.cell.gap_ms is not None:
        gap = it.cell.gap_ms - SPOILT
    right, of = it.right(gap)
    is_enough = of > 0.9 * len(it.races) if scripted else of > 0
    early, _ = it.right(gap, first_come=True)
    name = it.cell.name if scripted else f"{it.cell.name}, gap ≥ {gap:g} ms"
    return Row(
        f"right winner, {name}",
        f"{100 * early / max(1, of):.1f} %",
        f"≥ {100 * goal:g} %",
        f"{100 * right / max(1, of):.2f} % ({right} of {of})",
        is_enough and right / of >= goal,
    )


def _wait(it: Judged) -> Row:
    half, most = it.waits(0.5), it.waits(0.99)
    return Row(
        f"first claim to stored verdict, {it.cell.name}, p50/p99",
        "0",
        "≤ 300/390 ms",
        f"{half:.0f}/{most:.0f} ms",
        half <= 300 and most <= 390,
    )


def as_json(
    series: Series, goals: Sequence[Row], setting: Setting, *, is_tunnelled: bool, is_realtime: bool
) -> dict[str, Any]:
    """For the file: the goals, how to repeat it, each cell's figures and every race."""
    return {
        "links": "tunnels" if is_tunnelled else "proxies",
        "realtime_links": is_realtime,
        "setting": msgspec.to_builtins(setting),
        "round_trips_ms": MIX_A,
        "goals": [asdict(row) for row in goals],
        "cells": [_cell(it, punctual) for it, punctual in series],
    }


def _cell(it: Judged, punctual: Punctuality) -> dict[str, Any]:
    return {
        "cell": msgspec.to_builtins(it.cell),
        "races": len(it.races),
        "right": {str(gap): it.right(gap) for gap in (0, 2, 5, 10, 20)},
        "first_come_right": {str(gap): it.right(gap, first_come=True) for gap in (0, 2, 5, 10, 20)},
        "wait_ms": {str(q): it.waits(q) for q in (0.5, 0.9, 0.99)},
        "commit_us": _quantiles([race.commit for race in it.races]),
        "loop_lag_us": _quantiles([claim.loop_lag for claim in it.claims]),
        "hard": sum(race.by == "hard" for race in it.races),
        "dead_heats": sum(race.heat for race in it.races),
        "unanswered": sum(race.winner is None for race in it.races),
        "sound": sum(race.sound for race in it.races),
        "faults": it.faults,
        "cuts": it.cuts,
        "server": {"cpu_s": it.cpu_s, "waited_for_a_core_s": it.queued_s},
        "slowest_seat": {
            "true_wins": sum(race.truth == len(MIX_A) - 1 for race in it.races),
            "wins": sum(race.winner == len(MIX_A) - 1 for race in it.races),
            "first_come_wins": sum(race.first_come == len(MIX_A) - 1 for race in it.races),
        },
        "links": msgspec.to_builtins(punctual),
        "seats": [_seat(it, seat) for seat in range(len(MIX_A))],
        "wrong": [
            msgspec.to_builtins(race) for race in it.races if race.gap >= 2000 and race.winner != race.truth
        ],
    }


def _seat(it: Judged, seat: int) -> dict[str, Any]:
    claims = [claim for claim in it.claims if claim.seat == seat]
    return {
        "claims": len(claims),
        "kmin_us": _quantiles([claim.kmin for claim in claims if claim.kmin is not None]),
        "amin_us": _quantiles([claim.amin for claim in claims if claim.amin is not None]),
        "base_us": _quantiles([claim.base for claim in claims]),
        "off_us": _quantiles([claim.off for claim in claims if claim.off is not None]),
        "gave_us": _quantiles([claim.give for claim in claims]),
        "clamped": sum(claim.clamped for claim in claims),
    }


def _quantiles(values: Sequence[int]) -> dict[str, float]:
    return {str(q): quantile_of(values, q) for q in (0.01, 0.5, 0.9, 0.99, 1.0)}
