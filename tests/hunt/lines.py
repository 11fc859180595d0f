"""Keeps the server's log lines, made by its own processors at the lowest level."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from photofinish.telemetry import set_up_logging
from tests.own_logging import own_logging


class Lines:
    """The lines since the last call."""

    def __init__(self, buffer: io.BytesIO) -> None:
        self._buffer = buffer
        self.count = 0

    def take(self) -> list[dict[str, Any]]:
        if not self._buffer.tell():
            return []
        raw = self._buffer.getvalue()
        self._buffer.seek(0)
        self._buffer.truncate()
        found = [msgspec.json.decode(line) for line in raw.splitlines()]
        self.count += len(found)
        return [{name: it for name, it in line.items() if name != "timestamp"} for line in found]


@contextmanager
def kept() -> Iterator[Lines]:
    """Capture log lines as `serve --verbose --json-logs` writes them."""
    buffer, stderr = io.BytesIO(), sys.stderr
    with own_logging():
        sys.stderr = io.TextIOWrapper(buffer, encoding="utf-8", write_through=True)
        try:
            set_up_logging(is_json=True, is_verbose=True)
        finally:
            sys.stderr.detach()
            sys.stderr = stderr
        yield Lines(buffer)
