"""The figures of the laboratory on real sockets: as a table for a narrow terminal, and as JSON."""

from collections.abc import Sequence
from statistics import fmean
from typing import Any

import msgspec
from rich import box
from rich.console import Console
from rich.table import Table

from photofinish.lab.net.goals import Goal, gains, honest_on_the_same_lines
from photofinish.lab.net.judge import Judged, quantile_of
from photofinish.lab.net.links.shape import MIX_A
from photofinish.lab.net.plan import MOST_TIMES, Setting
from photofinish.lab.net.window import MARGIN, STALL

COLOURS = {"met": "green", "missed": "red", "too few": "yellow", "–": "dim"}


def print_goals(goals: Sequence[Goal], series: Sequence[Judged], console: Console) -> None:
    """Print a table for a terminal of 80 columns. Text in brackets goes to the next line."""
    table = _narrow("figure", "first\ncome", "goal", "all races", "undisturbed", "")
    for it in goals:
        mark = f"[{COLOURS[it.verdict]}]{it.verdict}[/]"
        figures = (text.replace(" (", "\n(") for text in (it.all_races, it.undisturbed))
        table.add_row(it.figure, it.first_come, it.goal, *figures, mark)
    console.print(table)
    if all(it.stalls is not None for it in series):
        _print_monitors(series, console)


def _narrow(first: str, *others: str) -> Table:
    """Only the first column wraps."""
    table = Table(first, box=box.SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
    for it in others:
        table.add_column(it, no_wrap=True)
    return table


def _print_monitors(series: Sequence[Judged], console: Console) -> None:
    console.print(
        f"Disturbed is a race in whose window, {MARGIN // 1000} ms wider at either end, a core stood still for more "
        f"than {STALL / 1000:g} ms. A cell goes on until enough were not, or {MOST_TIMES} times as long."
    )
    table = _narrow("cell", "rounds", "races", "disturbed", "stalls", "longest", "in all", "stolen")
    for it in series:
        still = _still(it)
        table.add_row(
            it.cell.name, str(it.rounds), str(len(it.races)), str(sum(race.is_disturbed for race in it.races)),
            str(still["disturbing"]), f"{still['longest_ms']:.1f} ms", f"{still['in_all_s']:.2f} s",
            f"{it.stolen_s:.2f} s",
        )  # fmt: skip
    console.print(table)


def as_json(
    series: Sequence[Judged],
    goals: Sequence[Goal],
    setting: Setting,
    *,
    is_tunnelled: bool,
    is_realtime: bool,
) -> dict[str, Any]:
    """The JSON file: the goals, how to repeat the run, the figures of each cell and every race."""
    return {
        "links": "tunnels" if is_tunnelled else "proxies",
        "realtime_links": is_realtime,
        "setting": msgspec.to_builtins(setting),
        "round_trips_ms": MIX_A,
        "criterion": {"stall_us": STALL, "margin_us": MARGIN, "most_times": MOST_TIMES},
        "goals": [{**msgspec.to_builtins(goal), "is_met": goal.is_met} for goal in goals],
        "cells": [_cell(it) for it in series],
        "gains_ms": _gains(series),
    }


def _gains(series: Sequence[Judged]) -> dict[str, dict[str, Any]]:
    """The gain of each liar in each cell with its standard error, and the number of races that it tried to win."""
    found: dict[str, dict[str, Any]] = {}
    for it in series:
        honest = honest_on_the_same_lines(series, it)
        if honest is not None:
            found[it.cell.name] = {name: gain._asdict() for name, gain in gains(honest, it).items()}
    return found


def _cell(it: Judged) -> dict[str, Any]:
    return {
        "cell": msgspec.to_builtins(it.cell),
        "rounds": it.rounds,
        "is_enough": it.is_enough,
        **_figures(it),
        "undisturbed": None if it.stalls is None else _figures(it.undisturbed),
        "machine": None if it.stalls is None else _still(it),
        "faults": it.faults,
        "cuts": it.cuts,
        "server": {"cpu_s": it.cpu_s, "waited_for_a_core_s": it.queued_s},
        "links": [msgspec.to_builtins(punctual) for punctual in it.links],
    }


def _still(it: Judged) -> dict[str, Any]:
    """The stalls and the steal time. If the stalls are much longer, the cause is not the host."""
    stalls = [stall.ended - stall.began for stall in it.stalls or ()]
    return {
        "stalls": len(stalls),
        "disturbing": sum(stall > STALL for stall in stalls),
        "longest_ms": max(stalls, default=0) / 1000,
        "in_all_s": sum(stalls) / 1e6,
        "stolen_s": it.stolen_s,
        "witness_cpu_s": it.monitor_s,
    }


def _figures(it: Judged) -> dict[str, Any]:
    return {
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
        "slowest_seat": {
            "true_wins": sum(race.truth == len(MIX_A) - 1 for race in it.races),
            "wins": sum(race.winner == len(MIX_A) - 1 for race in it.races),
            "first_come_wins": sum(race.first_come == len(MIX_A) - 1 for race in it.races),
        },
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
        "credited_us": _quantiles([claim.credit for claim in claims]),
        "acked_us": _quantiles([claim.acked for claim in claims if claim.acked is not None]),
        "mean_off_ms": fmean(offs) if (offs := it.offs_ms(seat)) else None,
        "not_forced": sum(claim.delayable for claim in claims),
    }


def _quantiles(values: Sequence[int]) -> dict[str, float]:
    return {str(q): quantile_of(values, q) for q in (0.01, 0.5, 0.9, 0.99, 1.0)}
