"""Log lines (JSON or readable text) and metrics for Prometheus.

Rooms and races are logged, moves are not. Secrets are removed from every line, whichever code logs it.
"""

import logging
import re
import sys
import traceback
from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate

import msgspec
import structlog
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from photofinish.gateway.server import Gateway
from photofinish.node.directory import Directory
from photofinish.node.metrics_port import MetricsPort
from photofinish.race.evidence import RaceRecord
from photofinish.store.ports import Condition
from photofinish_protocol.reasons import Close, Reason

disable_created_metrics()  # type: ignore[no-untyped-call]  # they are half of the page, and nobody uses them

METRICS_TYPE = CONTENT_TYPE_LATEST
PHASES = ("lobby", "dealing", "playing", "over")
USUAL_ENDS = (1000, 1001, 1005, 1006, 1011)
"""Close codes of the websocket standard, in addition to our own. All other codes share one label."""
SECRET_NAMES = frozenset({"token", "password", "seed", "nonce", "referee", "authorization", "cookie"})
RULES = (
    "photofinish.games",
    "photofinish.engine",
    "photofinish.room.play.match",
    "photofinish.room.sending.views",
)
"""Modules that handle cards."""
_PASSWORD_IN_URL = re.compile(r"(?<=://)[^/\s@]*:[^/\s]*@")


_line = msgspec.json.Encoder(enc_hook=str).encode


def set_up_logging(*, is_json: bool, is_verbose: bool) -> None:
    """Call it once, before anything logs."""
    level = logging.DEBUG if is_verbose else logging.INFO
    steps: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    factory: structlog.BytesLoggerFactory | structlog.PrintLoggerFactory
    if is_json:
        steps += [
            format_fault,
            without_secrets,
            structlog.processors.JSONRenderer(serializer=lambda event, **_: _line(event)),
        ]
        factory = structlog.BytesLoggerFactory(sys.stderr.buffer)
    else:
        steps += [
            format_fault,
            without_secrets,
            # Plain tracebacks: the rich ones show local variables, and so tokens and cards.
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            ),
        ]
        factory = structlog.PrintLoggerFactory(sys.stderr)
    structlog.configure(
        processors=steps,
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=factory,
        cache_logger_on_first_use=True,
    )


def format_fault(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """A traceback without values. For an exception in the rules the message is left out too: Python quotes
    the wrong value in it (`KeyError: …`), which may be a card. The store keeps the message with the room.
    """  # fmt: skip
    given = event.pop("exc_info", None)
    fault = sys.exception() if given is True else given[1] if isinstance(given, tuple) else given
    if isinstance(fault, BaseException):
        lines = traceback.format_exception(fault)
        if _is_of_the_rules(fault):
            lines = [*traceback.format_tb(fault.__traceback__), type(fault).__name__]
        event["exception"] = "".join(lines).rstrip("\n")
    return event


def _is_of_the_rules(fault: BaseException | None) -> bool:
    """Did the exception, or one of its causes, pass through code that handles cards?"""
    while fault is not None:
        frames = (frame for frame, _ in traceback.walk_tb(fault.__traceback__))
        if any(str(frame.f_globals.get("__name__")).startswith(RULES) for frame in frames):
            return True
        fault = fault.__cause__ or fault.__context__
    return False


def without_secrets(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Replaces the values of secret fields, and the user and password in every URL, by `***`."""
    for name, value in event.items():
        if name in SECRET_NAMES:
            event[name] = "***"
        elif isinstance(value, str):
            event[name] = shown_url(value)
    return event


def shown_url(text: str) -> str:
    """The text with the user and password of each URL replaced by `***`."""
    return _PASSWORD_IN_URL.sub("***@", text)


class Metrics(MetricsPort):
    """Counts what rooms and the gateway report. Each label is looked up once, in the constructor."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._commit = FastHistogram(
            "photofinish_commit_seconds", "Time from the request to the store's answer.",
            (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
        )  # fmt: skip
        registry.register(self._commit)
        registry.register(_Commits(self._commit))
        self._races = Counter("photofinish_races", "Closed races.", registry=registry)
        self._heats = Counter("photofinish_dead_heats", "Dead heats decided by the coin.", registry=registry)
        self._false_starts = Counter(
            "photofinish_false_starts",
            "Moves that came too early to be a reaction to the card.",
            registry=registry,
        )
        self._verdict = Histogram(
            "photofinish_race_verdict_seconds", "Time from the first claim of a race to its first verdict.",
            registry=registry, buckets=(0.01, 0.025, 0.05, 0.07, 0.1, 0.16, 0.2, 0.25, 0.3, 0.35, 0.39, 0.45, 0.6),
        )  # fmt: skip
        self._lag = FastHistogram(
            "photofinish_loop_lag_seconds", "Lag of the event loop, measured every 10 ms.",
            (0.0005, 0.001, 0.0015, 0.002, 0.003, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5),
        )  # fmt: skip
        registry.register(self._lag)
        self._quarantined = Counter(
            "photofinish_quarantined_rooms",
            "Rooms that were stopped by a bug in our code.",
            registry=registry,
        )
        unreadable = Counter(
            "photofinish_unreadable",
            "Rooms, lines of the list and node messages that this release cannot read. They are left alone.",
            ["kind"],
            registry=registry,
        )
        self._unreadable = {kind: unreadable.labels(kind) for kind in ("room", "line", "letter")}
        refusals = Counter(
            "photofinish_refusals", "Refused requests, by reason.", ("reason",), registry=registry
        )
        self._refused = {reason: refusals.labels(reason.value).inc for reason in Reason}
        closes = Counter(
            "photofinish_closes", "Closed connections, by close code.", ("code",), registry=registry
        )
        self._closed = {int(code): closes.labels(str(int(code))).inc for code in (*Close, *USUAL_ENDS)}
        self._closed_otherwise = closes.labels("other").inc

    def watch(self, directory: Directory, gateway: Gateway) -> None:
        """Count rooms and connections at each scrape."""
        self.registry.register(_Census(directory, gateway))

    def page(self) -> bytes:
        return generate_latest(self.registry)

    def committed(self, micros: int) -> None:
        self._commit.observe(micros / 1e6)

    def raced(self, record: RaceRecord) -> None:
        self._races.inc()
        self._heats.inc(len(record.heats))
        self._false_starts.inc(sum(it.why == "false_start" for it in record.void))
        claims = [it.reached for it in record.moves if it.kind == "contested" and it.seat is not None]
        if claims:
            self._verdict.observe(max(0, record.decisions[0].at - min(claims)) / 1e6)

    def unreadable(self, kind: str) -> None:
        self._unreadable[kind].inc()

    def quarantined(self) -> None:
        self._quarantined.inc()

    def refused(self, reason: Reason) -> None:
        self._refused[reason]()

    def closed(self, code: int) -> None:
        self._closed.get(code, self._closed_otherwise)()

    def late(self, micros: int) -> None:
        self._lag.observe(micros / 1e6)


class FastHistogram(Collector):
    """A histogram for what happens with every move. Prometheus's own takes a lock for each of its numbers: ten calls
    instead of one. Ours is written by one thread.
    """  # fmt: skip

    def __init__(self, name: str, text: str, bounds: tuple[float, ...]) -> None:
        self._name, self._text, self._bounds = name, text, bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def observe(self, value: float) -> None:
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    @property
    def count(self) -> int:
        return sum(self._counts)

    def collect(self) -> Iterator[Metric]:
        names = (*map(str, map(float, self._bounds)), "+Inf")
        buckets = list(zip(names, accumulate(self._counts), strict=True))
        yield HistogramMetricFamily(self._name, self._text, buckets=buckets, sum_value=self._sum)


class _Commits(Collector):
    def __init__(self, commit: FastHistogram) -> None:
        self._commit = commit

    def collect(self) -> Iterator[Metric]:
        yield CounterMetricFamily("photofinish_commits", "Stored commits of rooms.", self._commit.count)


class _Census(Collector):
    """Gauges that are counted only at a scrape."""

    def __init__(self, directory: Directory, gateway: Gateway) -> None:
        self._directory, self._gateway = directory, gateway

    def collect(self) -> Iterator[Metric]:
        rooms = GaugeMetricFamily("photofinish_rooms", "Rooms this node owns.", labels=("game", "phase"))
        census = self._directory.census()
        for game in self._directory.games:
            for phase in PHASES:
                rooms.add_metric((game, phase), census[game, phase])
        yield rooms
        sessions = self._gateway.sessions.values()
        yield GaugeMetricFamily("photofinish_connections", "Open websockets.", len(sessions))
        yield GaugeMetricFamily(
            "photofinish_sessions_in_rooms", "Websockets of players and watchers in a room.",
            sum(session.is_in_a_room for session in sessions),
        )  # fmt: skip
        yield from _store(self._directory.store_condition)
        yield GaugeMetricFamily(
            "photofinish_draining", "1 while the node drains, else 0.", float(self._directory.is_draining)
        )


def _store(it: Condition) -> Iterator[Metric]:
    yield GaugeMetricFamily(
        "photofinish_store_waiting", "Requests to Redis without an answer yet.", it.waiting
    )
    yield GaugeMetricFamily(
        "photofinish_store_unsure",
        "Writes that wait because too few replicas have confirmed them.",
        it.unsure,
    )
    yield CounterMetricFamily("photofinish_store_troubles", "Times that Redis was unreachable.", it.troubles)
    yield CounterMetricFamily(
        "photofinish_setbacks", "Rooms that a failover of Redis took back to an earlier state.", it.setbacks
    )
