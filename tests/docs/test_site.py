"""The documentation site: built from our own pages only, nothing from other sites, served at /docs."""

import asyncio
import contextlib
import json
import re
import subprocess
import sys
import threading
import urllib.error
import urllib.request
import warnings
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from typing import TYPE_CHECKING

import pytest
from protocol.website import pages
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from photofinish.games import all_games
from photofinish.gateway.http import docs as served
from tests.web.browser import executable, launched

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TOP = Path(__file__).parents[2]


def test_every_game_and_every_page_of_the_protocol_is_there(site: Path) -> None:
    for key in all_games():
        assert (site / "games" / f"{key}.html").exists()
        assert (site / "games" / f"{key}-rules.html").exists()
    for name in ("index", "connect", "views", "reference", "asyncapi", "conformance"):
        assert (site / "protocol" / f"{name}.html").exists()
    assert (site / "protocol" / "diagrams" / "crash.svg").exists()


def test_nothing_is_inline_and_nothing_comes_from_another_site(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        bodies = re.findall(r"<script(?![^>]*application/json)[^>]*>(.*?)</script>", text, re.DOTALL)
        assert not any(it.strip() for it in bodies), page
        assert "<style" not in text
        assert ' style="' not in text
        loaded = re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="([^"]+)"', text)
        assert [it for it in loaded if it.startswith(("http", "//", "data:"))] == []
    for sheet in site.rglob("*.css"):
        assert "url(data:" not in sheet.read_text("utf-8").replace('"', "").replace("'", "")


def test_the_search_knows_the_pages(site: Path) -> None:
    found = json.loads((site / "search" / "search_index.json").read_text("utf-8"))

    assert any("react_us" in it["text"] for it in found["docs"])


@pytest.mark.parametrize("link", ["nowhere.md", "CONNECT.md#no-such-heading"])
def test_a_dead_link_or_anchor_stops_the_build(link: str, tmp_path: Path) -> None:
    """Builds a copy of the pages."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text(f"# Start\n\n[there]({link})\n", encoding="utf-8")
    (tmp_path / "docs" / "CONNECT.md").write_text("# Connect\n\n## Frames\n", encoding="utf-8")
    (tmp_path / "mkdocs.yml").write_text(
        (TOP / "protocol" / "website" / "mkdocs.yml").read_text("utf-8"), encoding="utf-8"
    )
    words = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=100)

    assert ran.returncode != 0
    assert link.partition("#")[0] in ran.stderr + ran.stdout


def test_links_are_rewritten_for_the_site_and_anchors_are_renumbered() -> None:
    site_map = {"a/ONE.md": "x/one.md", "b/TWO.md": "y/two.md"}
    text = "[two](../b/TWO.md#limits-1) [code](../c.py) [web](https://example.org)\n```\n[two](../b/TWO.md)\n```\n"

    assert pages.moved(text, "a/ONE.md", site_map, {}) == (
        "[two](../y/two.md#limits_1) code [web](https://example.org)\n```\n[two](../b/TWO.md)\n```\n"
    )


@pytest.fixture(scope="module")
def docs_url(site: Path) -> Iterator[str]:
    """The address of the server's own pages of the site just built, over real sockets."""
    shown = served.DocsPages(site)
    ready: Queue[str] = Queue()
    done = threading.Event()

    async def answer(_connection: ServerConnection, request: Request) -> Response:
        found = shown.answer(request.path.partition("?")[0], request)
        return found or Response(404, "Not Found", Headers({"Connection": "close"}), b"")

    async def nobody(_connection: ServerConnection) -> None:
        pass

    async def run() -> None:
        async with serve(nobody, "127.0.0.1", 0, process_request=answer) as server:
            ready.put(f"http://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}/docs")
            await asyncio.to_thread(done.wait)

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    yield ready.get(timeout=20)
    done.set()
    thread.join()


def test_the_site_is_shown_under_the_strict_policy(docs_url: str) -> None:
    with urllib.request.urlopen(docs_url, timeout=20) as page:
        assert page.url == docs_url + "/"
        assert b"Photofinish" in page.read()
        assert (
            "default-src 'none'; script-src 'self'; style-src 'self'"
            in page.headers["Content-Security-Policy"]
        )
    with urllib.request.urlopen(f"{docs_url}/protocol/views.html", timeout=20) as page:
        assert b"awaited" in page.read()
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(f"{docs_url}/no-such-page.html", timeout=20)


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    pytest.importorskip(
        "playwright", reason="the Python package playwright is not installed: `make browser` gets it"
    )
    if executable() is None:
        pytest.skip("there is no Chromium: `make browser` gets one")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with launched() as found:
            yield found


@pytest.mark.system
def test_in_a_browser_the_search_finds_a_page_and_nothing_is_blocked(
    docs_url: str, browser: "Browser"
) -> None:
    from playwright.sync_api import TimeoutError as NotYet

    page = browser.new_page()
    complaints: list[str] = []
    page.on("console", lambda it: complaints.append(it.text) if it.type == "error" else None)
    page.on("requestfailed", lambda it: complaints.append(it.url))
    page.goto(f"{docs_url}/protocol/index.html")
    found = page.locator(".md-search-result__item").first
    for _ in range(20):  # text typed before the search has loaded its index is not searched
        page.fill("input[name=query]", "")
        page.locator("input[name=query]").press_sequentially("react_us")
        with contextlib.suppress(NotYet):
            found.wait_for(timeout=3_000)
            break

    assert found.is_visible()
    assert complaints == []
    assert page.locator("img[src*='session.svg']").evaluate("it => it.naturalWidth") > 0
    page.close()


def test_the_folder_of_the_wheel_is_the_default() -> None:
    assert served.FOLDER == TOP / "server" / "photofinish" / "docs"
