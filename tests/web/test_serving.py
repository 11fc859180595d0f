"""The built page over HTTP: what is cached, what is packed, and what a page may do. Real sockets."""

import asyncio
import gzip
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from photofinish.gateway.http.web import FOLDER, PACKED, SMALL, WebPage
from tests.waiting import within

SCRIPT = b"console.log('hello');\n" * 100


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>Photofinish</title>", encoding="utf-8")
    (tmp_path / "assets" / "index-abc.js").write_bytes(SCRIPT)
    (tmp_path / "sw.js").write_text("// worker", encoding="utf-8")
    return tmp_path


async def fetch(page: WebPage, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    async def answer(_connection: ServerConnection, request: Request) -> Response | None:
        found = page.answer(request.path.partition("?")[0], request)
        return found or Response(404, "Not Found", request.headers, b"")

    async def nobody(_connection: Any) -> None:
        pass

    async with serve(nobody, "127.0.0.1", 0, process_request=answer) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        writer.write(f"GET {path} HTTP/1.1\r\nHost: here\r\n{more}\r\n".encode())
        async with within(f"the whole page {path}"):
            head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        writer.close()
        await writer.wait_closed()
    first, *lines = head.decode().split("\r\n")
    return int(first.split()[1]), dict(line.split(": ", 1) for line in lines), body


@pytest.mark.parametrize(
    "path", ["/", "/t/QHMPD", "/t/QHMPD?watch", "/r/QHMPD/3", "/settings", "/rules/cambio"]
)
async def test_every_path_of_the_page_serves_the_page(folder: Path, path: str) -> None:
    status, headers, body = await fetch(WebPage(folder), path)
    assert status == 200
    assert b"Photofinish" in body
    assert headers["Cache-Control"] == "no-cache"
    assert headers["Content-Type"] == "text/html; charset=utf-8"


async def test_the_policy_of_the_page_allows_no_foreign_and_no_inline_script(folder: Path) -> None:
    _, headers, _ = await fetch(WebPage(folder), "/")
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


async def test_hashed_files_are_cached_for_ever_and_compressed(folder: Path) -> None:
    status, headers, body = await fetch(WebPage(folder), "/assets/index-abc.js", Accept_Encoding="gzip, br")
    assert status == 200
    assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(body) == SCRIPT
    assert len(body) < len(SCRIPT) / 4


async def test_a_browser_that_does_not_accept_gzip_gets_uncompressed_files(folder: Path) -> None:
    _, headers, body = await fetch(WebPage(folder), "/assets/index-abc.js")
    assert "Content-Encoding" not in headers
    assert body == SCRIPT


async def test_a_file_that_has_not_changed_is_not_sent_again(folder: Path) -> None:
    _, headers, _ = await fetch(WebPage(folder), "/sw.js")
    assert headers["Cache-Control"] == "no-cache"
    status, _, body = await fetch(WebPage(folder), "/sw.js", If_None_Match=headers["ETag"])
    assert (status, body) == (304, b"")


@pytest.mark.parametrize("path", ["/assets/../index.html", "/../pyproject.toml", "/assets", "/t/", "/t/a/b"])
async def test_files_outside_the_built_page_are_not_served(folder: Path, path: str) -> None:
    status, _, _ = await fetch(WebPage(folder), path)
    assert status == 404


async def test_without_a_built_page_nothing_is_answered(tmp_path: Path) -> None:
    page = WebPage(tmp_path / "missing")
    assert not page.is_built
    assert (await fetch(page, "/"))[0] == 404


@pytest.mark.skipif(
    not (FOLDER / "index.html").exists(), reason="the page is not built: `make web` builds it"
)
def test_the_texts_of_the_built_page_are_compressed_by_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    """To compress them takes 55 ms of processor time at every start of a server."""

    def compress(*_: object, **__: object) -> bytes:
        pytest.fail("the server compresses a file of the built page")

    monkeypatch.setattr("photofinish.gateway.http.web.gzip.compress", compress)
    WebPage()
    texts = [it for it in FOLDER.rglob("*") if it.suffix in {".html", ".js", ".css"}]
    big = [it for it in texts if it.stat().st_size >= SMALL]
    assert big
    for text in big:
        assert gzip.decompress(text.with_name(text.name + PACKED).read_bytes()) == text.read_bytes()
