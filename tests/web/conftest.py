"""A real Chromium and a real server for the tests of the page; both shared by all tests of a worker."""

import asyncio
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.system.conftest import ServerProcess
from tests.web.browser import launched, why_not

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def web_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    missing = why_not()
    if missing:
        pytest.skip(missing)
    process = ServerProcess(tmp_path_factory.mktemp("web"))
    yield process.start()
    process.stop()


@pytest.fixture(scope="session")
def chromium() -> "Iterator[tuple[Browser, asyncio.AbstractEventLoop | None]]":
    """One for all tests of a worker, with the loop of its driver.

    The driver keeps its loop marked as running in this thread. Tests with their own loop would fail with that mark, so
    the mark is there during the tests of the page alone (`browser`).
    """
    missing = why_not()
    if missing:
        pytest.skip(missing)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with launched() as found:
            loop = asyncio._get_running_loop()
            asyncio._set_running_loop(None)
            yield found, loop
            asyncio._set_running_loop(loop)


@pytest.fixture
def browser(chromium: "tuple[Browser, asyncio.AbstractEventLoop | None]") -> "Iterator[Browser]":
    found, loop = chromium
    asyncio._set_running_loop(loop)
    yield found
    asyncio._set_running_loop(None)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    missing = why_not()
    if missing:
        terminalreporter.write_line(f"SKIPPED THE BROWSER TABLE: {missing}", red=True, bold=True)
