"""The server process of the bench: `photofinish serve` as it is, with the game Counter in addition.

Its arguments are the address of Redis, a port that it shares with other workers, or 0 for one of its own, and the
port of its metrics.
Prints its address when it is up, and stops at SIGTERM.
"""

import asyncio
import sys

import uvloop

from photofinish.app import App, serve
from photofinish.config import Settings
from photofinish.lab.bench.counter import COUNTER
from photofinish.telemetry import set_up_logging


def main(redis: str, port: int, metrics: int) -> None:
    set_up_logging(is_json=False, is_verbose=False)
    settings = Settings(port=port, reuse_port=bool(port), redis=redis, metrics_port=metrics, no_limits=True)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve(settings, _greet, {COUNTER.key: COUNTER}))


def _greet(app: App) -> None:
    print(app.url, flush=True)  # noqa: T201 - read by the bench


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
