"""Pages of a hostile server, or of something that is no HTTP server: the command ends with one sentence."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from photofinish.commands.shared import pages
from tests.commands.shell import typed

pytestmark = pytest.mark.timeout(120)
HEAD = b"HTTP/1.1 200 OK\r\nConnection: close\r\n"
REFUSED = b"HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n"
BUSY = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n"
ANSWERS = {
    "endless": (HEAD + b"\r\n", b"x" * 65536),
    "shorter than it says": (HEAD + b"Content-Length: 1000\r\n\r\nx", b""),
    "no HTTP": (b"\x1b[2Jhello\r\n\r\n", b""),
    "nothing": (b"", b""),
    "an endless header": (b"HTTP/1.1 200 OK\r\nX: ", b"x" * 65536),
    "a refusal that is not UTF-8": (REFUSED + b"\xff\xfe\x1b[2J", b""),
    "an endless refusal": (REFUSED, b"x" * 65536),
    "busy in another encoding": (BUSY + b"Retry-After: 1\r\n\r\n\xff", b""),
    "busy for a time that is no number": (BUSY + b"Retry-After: \xb2\r\n\r\n", b""),
    "busy for ever": (BUSY + b"Retry-After: " + b"9" * 5000 + b"\r\n\r\n", b""),
    "many headers": (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 500 + b"\r\n", b""),
}
OF_OFFICIALS = (
    "tournament rebind ABCDEF Bo " + "0" * 64 + " --reason x --url {url} --key key",
    "tournament seal ABCDEF --url {url} --key key",
)
COMMANDS = (
    "save {url} --room ABCDE -o kept",
    "tournament export ABCDEF --url {url} -o kept",
    *OF_OFFICIALS,
)


@pytest.fixture
def hostile(request: pytest.FixtureRequest) -> Iterator[str]:
    """Sends its first bytes and then the same bytes again and again, on every connection."""
    first, then = ANSWERS.get(request.param) or (HEAD + b"\r\n" + request.param, b"")
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    with connection, contextlib.suppress(OSError):
                        connection.recv(4096)
                        connection.sendall(first)
                        while then:
                            connection.sendall(then)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"ws://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
    thread.join(20)


@pytest.mark.parametrize("words", COMMANDS)
@pytest.mark.parametrize("hostile", ANSWERS, indirect=True)
def test_a_page_of_a_hostile_server_is_refused_in_one_sentence(
    hostile: str,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(pages, "MOST_BYTES", 1 << 20)
    done = typed(words.format(url=hostile), tmp_path, monkeypatch, capsys)

    assert done.code in {1, 2}, done
    assert done.out == ""
    assert done.err.startswith("photofinish: ")
    assert done.err.count("\n") == 1, done
    assert "\x1b" not in done.err
    assert not (tmp_path / "kept").exists(), "half a file"


@pytest.mark.parametrize("words", OF_OFFICIALS)
@pytest.mark.parametrize(
    "hostile",
    [b"null", b"[7]", b'[{"key":1,"name":2,"number":3}]', b'{"head":7}', b"[" * 100_000],
    indirect=True,
)
def test_a_page_of_another_form_is_not_read(
    hostile: str,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    done = typed(words.format(url=hostile), tmp_path, monkeypatch, capsys)

    assert (done.code, done.out) == (2, "")
    assert done.err.endswith(f"of {hostile} is no page of a Photofinish server.\n")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("words", COMMANDS)
@pytest.mark.parametrize("hostile", ["busy in another encoding"], indirect=True)
def test_a_server_that_is_busy_is_no_wrong_argument(
    hostile: str,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    done = typed(words.format(url=hostile), tmp_path, monkeypatch, capsys)

    assert done == (1, "", "photofinish: HTTP Error 503: Service Unavailable\n")


@pytest.mark.parametrize(
    "hostile", ["no HTTP", "nothing", "a refusal that is not UTF-8", "many headers"], indirect=True
)
def test_inspect_of_a_server_that_has_no_websocket_is_one_sentence(
    hostile: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = typed(f"inspect {hostile}", tmp_path, monkeypatch, capsys)

    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"photofinish: There is no server to inspect at {hostile}: ")
    assert done.err.count("\n") == 1
    assert "\x1b" not in done.err
