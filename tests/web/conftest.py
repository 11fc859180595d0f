"""A real Chromium and a real server for the tests of the page; both shared by all tests of a worker."""

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.system.conftest import ServerProcess
from tests.web.browser import FLAGS, executable, why_not

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


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """One for each file: its driver keeps a loop running in this thread, which tests of other files could not bear."""
    missing = why_not()
    if missing:
        pytest.skip(missing)
    from playwright.sync_api import sync_playwright

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with sync_playwright() as play:
            found = play.chromium.launch(executable_path=executable(), args=list(FLAGS))
            yield found
            found.close()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    missing = why_not()
    if missing:
        terminalreporter.write_line(f"SKIPPED THE BROWSER TABLE: {missing}", red=True, bold=True)
