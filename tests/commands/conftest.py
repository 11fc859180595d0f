"""One server for the commands that need one."""

from collections.abc import Iterator

import pytest

from tests.system.conftest import ServerProcess


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path_factory.mktemp("commands"))
    yield process.start()
    process.stop()
