"""A page that takes the server longer to make than one answer may last is asked for again."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from photofinish.commands.shared.events import page_of
from photofinish.commands.shared.pages import PageRefused


class SlowServer(ThreadingHTTPServer):
    """Answers 503 this many times, and then the page."""

    def __init__(self, wait: str) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.busy, self.wait, self.requests = 0, wait, 0


class Answers(BaseHTTPRequestHandler):
    server: SlowServer

    def do_GET(self) -> None:
        self.server.requests += 1
        is_busy = self.server.requests <= self.server.busy
        body = b"busy" if is_busy else b"the page"
        self.send_response(503 if is_busy else 200)
        if is_busy and self.server.wait:
            self.send_header("Retry-After", self.server.wait)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        pass


@pytest.fixture
def slow(request: pytest.FixtureRequest) -> Iterator[SlowServer]:
    with SlowServer(getattr(request, "param", "0")) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def url(server: SlowServer) -> str:
    return f"ws://127.0.0.1:{server.server_port}"


@pytest.mark.parametrize("busy", [0, 1, 3])
def test_a_page_is_asked_for_again_after_the_time_that_the_server_names(slow: SlowServer, busy: int) -> None:
    slow.busy = busy

    assert page_of(url(slow), "/api/events/E/export.zip") == b"the page"
    assert slow.requests == busy + 1


def test_a_server_that_stays_busy_is_given_up(slow: SlowServer) -> None:
    slow.busy = 100
    with pytest.raises(PageRefused, match="503"):
        page_of(url(slow), "/")

    assert slow.requests == 4


@pytest.mark.parametrize("slow", ["", "soon"], indirect=True)
def test_a_server_that_names_no_time_is_not_asked_again(slow: SlowServer) -> None:
    slow.busy = 1
    with pytest.raises(PageRefused, match="503"):
        page_of(url(slow), "/")

    assert slow.requests == 1
