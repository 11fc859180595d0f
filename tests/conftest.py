"""What tests of several folders share: one embedded Redis for the whole session, and the order of the tests."""

import asyncio
import gc
import os
import tempfile
import threading
from collections.abc import Coroutine, Generator, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
import redis
import structlog
from hypothesis import Phase, settings

from photofinish.store.embedded.server import EmbeddedRedis
from tests import frames

T = TypeVar("T")

# Without the phase that explains a failure: before Python 3.12 it traces every line of every example, and is slow.
QUICK = [phase for phase in Phase if phase is not Phase.explain]
# No deadline per example: beside busy processes any example may take long. pytest-timeout bounds the whole test.
settings.register_profile("photofinish", phases=QUICK, deadline=None)
settings.load_profile("photofinish")
# Before a merge the examples are always the same. Other runs use random examples.
settings.register_profile("landing", phases=QUICK, derandomize=True, deadline=None)


@pytest.hookimpl(wrapper=True)
def pytest_sessionstart(session: pytest.Session) -> Generator[None, None, None]:
    """Check every frame of this process and of its children against the schema (tests/frames.py)."""
    with tempfile.NamedTemporaryFile(prefix="frames-off-", delete=False) as file:
        off = Path(file.name)
    session.config.add_cleanup(lambda: off.unlink(missing_ok=True))
    os.environ[frames.OFF] = str(off)
    os.environ["PYTHONPATH"] = os.pathsep.join(
        [str(frames.AT_START), *filter(None, [os.environ.get("PYTHONPATH")])]
    )
    frames.watch(off)
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, None, None]:
    yield
    off = Path(os.environ[frames.OFF])
    if off.exists() and (faults := off.read_text("utf-8")):
        off.write_text("", encoding="utf-8")
        pytest.fail(f"frames that do not fit the schema:\n{faults[:5000]}", pytrace=False)
    if structlog.is_configured():
        structlog.reset_defaults()
        pytest.fail("logging is still set up: use own_logging() of tests/own_logging.py", pytrace=False)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without Python's garbage collection: the tests stay in memory anyway, and each worker saves a second.

    Nor does a later collection look through them.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


BROWSERS = 3
"""Workers that start a browser: each spends two seconds of processor time on it."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start the tests that wait for other processes first, on all workers but one.

    At the end of a run the processor would be idle.

    Each worker gets a block of the list, and idle ones steal from the end of another's block. The tests of a file stay
    together, for the sake of their fixtures, and the tests with a browser are for the first workers.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers < 2:
        return
    waiting: dict[tuple[bool, str], list[pytest.Item]] = {}
    rest: list[pytest.Item] = []
    for item in items:
        has_browser = "chromium" in getattr(item, "fixturenames", ())
        is_waiting = item.get_closest_marker("system") is not None
        (waiting.setdefault((has_browser, str(item.path)), []) if is_waiting else rest).append(item)
    heads: list[list[pytest.Item]] = [[] for _ in range(workers - 1)]
    for (has_browser, _), file in sorted(waiting.items(), reverse=True):
        min(heads[:BROWSERS] if has_browser else heads, key=len).extend(file)
    block, ordered = len(items) // workers, []
    for head in heads:
        more = max(0, block - len(head))
        ordered += head + rest[:more]
        rest = rest[more:]
    items[:] = ordered + rest


class LoopInThread:
    """An event loop in a thread, for tasks that must keep running between the tests."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=60)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()


@pytest.fixture(scope="session")
def session_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedRedis]:
    """The real embedded server, as `photofinish serve` starts it."""
    loop = LoopInThread()
    embedded = loop.run(EmbeddedRedis.start(tmp_path_factory.mktemp("redis")))
    yield embedded
    loop.run(embedded.stop())
    loop.close()


@pytest.fixture
def redis_url(session_redis: EmbeddedRedis) -> str:
    """The address of a real Redis with nothing in it."""
    with redis.from_url(session_redis.url) as client:
        client.flushall()
    return session_redis.url
