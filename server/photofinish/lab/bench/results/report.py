"""Figures out of the rounds of a subject: processor time per action, ratios of paired rounds."""

import statistics
from collections.abc import Callable

from photofinish.lab.bench.load import MeasuredRound
from photofinish.lab.bench.results.figures import Figure
from photofinish.lab.bench.rounds import Series

TOO_BUSY = 0.9
"""A load generator that uses more of its core than this may be what limits the server."""


def cpu_us(round_: MeasuredRound, process: str = "server") -> float:
    """Processor time of this process per action, in µs."""
    return round_.cpu.get(process, 0.0) / max(1, round_.actions) * 1e6


def ratio(ours: Series, theirs: Series) -> tuple[float, ...]:
    """How much of their work we do with the same processor time, in each of the paired rounds."""
    return tuple(cpu_us(it) / cpu_us(own) for own, it in zip(ours.rounds, theirs.rounds, strict=True))


def cost(series: Series) -> Figure:
    return Figure(
        f"{series.subject.name}: CPU per action", "µs", each(series, cpu_us), note=generator_is_limit(series)
    )


def throughput(series: Series) -> Figure:
    """Actions per second. Meaningful only if the server's core was always busy; else use the processor time."""
    notes = [generator_is_limit(series), served(series)]
    rates = each(series, lambda it: it.actions / it.seconds)
    return Figure(
        f"{series.subject.name}: throughput", "actions/s", rates, note=" ".join(filter(None, notes))
    )


def served(series: Series) -> str:
    """How busy the server was. If it had little to do, an action costs more: pings, timers and cold caches."""
    share = statistics.median(each(series, lambda it: it.cpu["server"] / it.seconds))
    return f"The server used {share:.0%} of its core."


def each(series: Series, figure: Callable[[MeasuredRound], float]) -> tuple[float, ...]:
    return tuple(figure(it) for it in series.rounds)


def generator_is_limit(series: Series) -> str:
    busy = statistics.median(each(series, lambda it: it.cpu["load"] / it.seconds))
    return f"The load generator used {busy:.0%} of its core and may be the limit." if busy > TOO_BUSY else ""
