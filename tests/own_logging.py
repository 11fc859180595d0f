"""Logging that ends with its test. A logger remembers its first stream, and later tests would write into that one."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import structlog


@contextmanager
def own_logging() -> Iterator[None]:
    """What is set up inside is taken back at the end, and no logger remembers it."""
    configure = structlog.configure

    def without_memory(**settings: Any) -> None:
        configure(**{**settings, "cache_logger_on_first_use": False})

    structlog.configure = without_memory  # type: ignore[assignment]  # it takes any settings by name
    try:
        yield
    finally:
        structlog.configure = configure
        structlog.reset_defaults()
