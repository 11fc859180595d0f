"""Log lines: one JSON object each, or readable ones on a terminal. Rooms and races are logged, moves are not."""

import logging
import sys

import orjson
import structlog


def set_up_logging(*, is_json: bool, is_verbose: bool) -> None:
    """Once, before anything logs."""
    level = logging.DEBUG if is_verbose else logging.INFO
    steps: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    factory: structlog.BytesLoggerFactory | structlog.PrintLoggerFactory
    if is_json:
        steps += [
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(serializer=lambda event, **_: orjson.dumps(event, default=str)),
        ]
        factory = structlog.BytesLoggerFactory(sys.stderr.buffer)
    else:
        steps.append(structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty()))
        factory = structlog.PrintLoggerFactory(sys.stderr)
    structlog.configure(
        processors=steps,
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=factory,
        cache_logger_on_first_use=True,
    )
