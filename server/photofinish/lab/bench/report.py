"""The figures of a run: medians over the rounds with their spread, as a table and as JSON."""

import os
import platform
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.table import Table

from photofinish.lab.bench.load import Measured
from photofinish.lab.bench.rounds import ECHO_SEND, Series

TOO_BUSY = 0.9
"""A load generator that uses more of its core than this may be what limits the server."""


def cpu_us(round_: Measured, process: str = "server") -> float:
    """Processor time of this process per action, in µs."""
    return round_.cpu.get(process, 0.0) / max(1, round_.actions) * 1e6


def median(series: Series, figure: Callable[[Measured], float]) -> float:
    return statistics.median(figure(it) for it in series.rounds)


def spread(series: Series, figure: Callable[[Measured], float]) -> tuple[float, float]:
    values = [figure(it) for it in series.rounds]
    return min(values), max(values)


def ratio_to_echo(series: Series, every: list[Series]) -> float | None:
    """How much of the bare echo's work the server does with the same processor time: median of the paired rounds."""
    echo = next((it for it in every if it.subject == ECHO_SEND), None)
    if echo is None:
        return None
    pairs = zip(echo.rounds, series.rounds, strict=True)
    return statistics.median(cpu_us(bare) / cpu_us(ours) for bare, ours in pairs)


def as_table(every: list[Series]) -> Table:
    table = Table(title="medians of the rounds; lowest and highest in brackets")
    table.add_column("subject")
    for name in (
        "actions/s",
        "CPU µs/action",
        "× echo send",
        "p50 ms",
        "p99 ms",
        "Redis µs",
        "bytes",
        "refused",
        "busy",
    ):
        table.add_column(name, justify="right")
    for it in every:
        ratio = ratio_to_echo(it, every)
        table.add_row(
            it.subject.name,
            _with_spread(it, lambda r: r.actions / r.seconds),
            _with_spread(it, cpu_us),
            "" if ratio is None else f"{ratio:.2f}",
            f"{median(it, lambda r: r.p50) * 1e3:.1f}",
            f"{median(it, lambda r: r.p99) * 1e3:.1f}",
            f"{median(it, lambda r: cpu_us(r, 'redis')):.0f}",
            f"{median(it, lambda r: r.bytes_out / max(1, r.actions)):,.0f}",
            f"{median(it, lambda r: r.refused / max(1, r.actions)):.1%}",
            f"{median(it, lambda r: r.cpu['server'] / r.seconds):.0%}",
        )
    return table


def warnings(every: list[Series]) -> list[str]:
    """What makes a figure less than it seems."""
    found = []
    for it in every:
        busy = median(it, lambda r: r.cpu["load"] / r.seconds)
        if busy > TOO_BUSY:
            found.append(
                f"{it.subject.name}: the load generator used {busy:.0%} of its core and may be the limit"
            )
        served = median(it, lambda r: r.cpu["server"] / r.seconds)
        if served < TOO_BUSY:
            found.append(
                f"{it.subject.name}: the server used {served:.0%} of its core, so actions/s say less than CPU µs/action"
            )
    return found


def as_json(every: list[Series]) -> dict[str, Any]:
    return {
        "machine": {"cores": os.cpu_count(), "python": platform.python_version(), "load": _load()},
        "subjects": [
            {
                "name": it.subject.name,
                "tables": it.subject.tables,
                "actions_per_second": median(it, lambda r: r.actions / r.seconds),
                "cpu_us": median(it, cpu_us),
                "cpu_us_spread": spread(it, cpu_us),
                "redis_cpu_us": median(it, lambda r: cpu_us(r, "redis")),
                "ratio_to_echo_send": ratio_to_echo(it, every),
                "p50_ms": median(it, lambda r: r.p50) * 1e3,
                "p99_ms": median(it, lambda r: r.p99) * 1e3,
                "refused": median(it, lambda r: r.refused / max(1, r.actions)),
                "bytes_per_action": median(it, lambda r: r.bytes_out / max(1, r.actions)),
                "rounds": it.rounds,
            }
            for it in every
        ],
        "warnings": warnings(every),
    }


def _with_spread(series: Series, figure: Callable[[Measured], float]) -> str:
    low, high = spread(series, figure)
    return f"{median(series, figure):,.0f} ({low:,.0f}–{high:,.0f})"


def _load() -> str:
    file = Path("/proc/loadavg")
    return file.read_text(encoding="ascii").split()[0] if file.exists() else ""
