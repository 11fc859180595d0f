"""What tests of several folders share: one embedded Redis for the whole session."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from typing import Any, TypeVar

import pytest
import redis
from hypothesis import Phase, settings

from photofinish.store.embedded import EmbeddedRedis

T = TypeVar("T")

# Without the phase that explains a failure: before Python 3.12 it traces every line of every example, and is slow.
QUICK = [phase for phase in Phase if phase is not Phase.explain]
# No deadline per example: beside busy processes any example may take long. pytest-timeout bounds the whole test.
settings.register_profile("photofinish", phases=QUICK, deadline=None)
settings.load_profile("photofinish")
# Before landing the examples are always the same: luck may find something on any other day.
settings.register_profile("landing", phases=QUICK, derandomize=True, deadline=None)


class LoopOfItsOwn:
    """An event loop in a thread, for what must go on running between the tests."""

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
    loop = LoopOfItsOwn()
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
