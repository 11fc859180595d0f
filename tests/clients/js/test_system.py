"""The JavaScript SDK in Node against a real server: whole games, cuts, several nodes, access tokens."""

from pathlib import Path

import pytest

from tests.clients.js.conftest import run_tests
from tests.system.conftest import ServerProcess

pytestmark = [pytest.mark.system, pytest.mark.timeout(900)]


def test_whole_games_and_every_request(server: ServerProcess, compiled: Path) -> None:
    run_tests(compiled / "system" / "cambio.test.js", PHOTOFINISH_URL=server.url)
