"""A path that two parsers read differently is not a page: it must not bypass the token, the limits or the sealing."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.conftest import ServerProcess

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("guarded")
    tokens = Path(folder / "tokens")
    tokens.write_text("a-token-that-nobody-sends\n", encoding="utf-8")
    process = ServerProcess(folder, "--access-token-file", str(tokens))
    yield process.start()
    process.stop()


def status_of(server: ServerProcess, path: str) -> bytes:
    """The status of a raw request. The library sends no answer to a path that is not ASCII."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as it:
        it.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode("latin-1"))
        line = it.makefile("rb").readline()
        return line.split()[1] if line else b"none"


@pytest.mark.parametrize(
    "before", ["", "/", "//", "/.", "/x/..", "/\x0b", "/\x0c", "/\x1c", "/\x85", "/\xa0"]
)
@pytest.mark.parametrize("page", ["/api/events", "/api/rooms", "/api/rules/cambio", "/api/replays/ABCDE/1"])
def test_no_spelling_of_a_path_gets_past_the_access_token(
    guarded: ServerProcess, before: str, page: str
) -> None:
    assert status_of(guarded, before + page) in {b"401", b"404", b"400", b"none"}
    assert status_of(guarded, page) == b"401"


@pytest.mark.parametrize("page", ["/events/ABCDEF.ics", "/events/ABCDEF.atom"])
def test_the_feeds_of_an_event_need_the_token_too(guarded: ServerProcess, page: str) -> None:
    assert status_of(guarded, page) == b"401"


def test_no_spelling_of_a_path_gets_past_the_limit_of_wrong_codes(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path).start()
    try:
        paths = [f"{'/' * (number % 3)}/api/replays/AAAAA/{number}" for number in range(120)]
        answers = [status_of(server, path) for path in paths]
    finally:
        server.stop()
    assert set(answers) == {b"404", b"429"}
    for spelling in range(3):
        assert b"429" in answers[spelling::3], "each spelling is counted"
