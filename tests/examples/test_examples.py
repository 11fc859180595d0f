"""Every example of `protocol/clients` plays a whole game against a real server, in its own language."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from photofinish_protocol.publish.schema import TOP
from tests.examples.tools import build_go, deno, go_env, why_no_go
from tests.system.conftest import ServerProcess
from tests.web.browser import FLAGS, executable

pytestmark = [pytest.mark.system, pytest.mark.timeout(600)]
CLIENTS = TOP / "clients"
MOST_LINES = 80
LONG = 240.0


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    process = ServerProcess(tmp_path_factory.mktemp("server"))
    yield process.start().url
    process.stop()


def plays(*words: str | Path, env: dict[str, str] | None = None) -> None:
    """Run the program to the end of its game. A move may be refused only if another seat was faster."""
    ran = subprocess.run(
        words, env={**os.environ, **(env or {})}, capture_output=True, text=True, timeout=LONG, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-2000:]
    assert "over:" in ran.stdout
    reasons = set(re.findall(r"refused: (\w+)", ran.stdout))
    assert reasons <= {"illegal_move", "wrong_nonce", "no_race"}


@pytest.mark.parametrize("name", ["bare.py", "sdk_bot.py"])
def test_python(name: str, url: str) -> None:
    plays(sys.executable, CLIENTS / name, url)


def test_node(url: str) -> None:
    node = [sys.executable, str(TOP.parent / "clients" / "node.py"), "node"]
    said = subprocess.run([*node, "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"v(\d+)", said)
    assert version
    flags = ["--experimental-websocket"] if int(version[1]) < 22 else []
    plays(*node, *flags, CLIENTS / "bare.mjs", url)


def test_deno(url: str) -> None:
    if deno() is None:
        pytest.skip("SKIPPED THE EXAMPLE IN DENO: `python -m tests.examples.tools` gets it")
    plays(deno() or "", "run", "--no-remote", "--allow-net=127.0.0.1", CLIENTS / "bare.mjs", url)


def test_a_browser(url: str) -> None:
    pytest.importorskip(
        "playwright", reason="SKIPPED THE EXAMPLE IN A BROWSER: `make browser` gets playwright"
    )
    if executable() is None:
        pytest.skip("SKIPPED THE EXAMPLE IN A BROWSER: `make browser` gets a Chromium")
    program = (
        "import sys; from playwright.sync_api import sync_playwright\n"
        "with sync_playwright() as play:\n"
        "    page = play.chromium.launch(executable_path=sys.argv[1], args=sys.argv[4:]).new_page()\n"
        "    page.goto('http' + sys.argv[2].removeprefix('ws') + '/healthz')\n"
        "    page.evaluate('url => { globalThis.URL_OF_TABLE = url }', sys.argv[2])\n"
        "    with page.expect_console_message(lambda it: 'over:' in it.text, timeout=200_000) as said:\n"
        "        page.add_script_tag(path=sys.argv[3], type='module')\n"
        "    print(said.value.text)\n"
    )
    plays(sys.executable, "-c", program, executable() or "", url, CLIENTS / "bare.mjs", *FLAGS)


def test_go_in_msgpack(url: str, tmp_path: Path) -> None:
    if why_no_go():
        pytest.skip(f"SKIPPED THE EXAMPLE IN GO: {why_no_go()}")
    built = subprocess.run(
        build_go(tmp_path / "client"),
        env=go_env(),
        capture_output=True,
        text=True,
        check=False,
        timeout=LONG * 2,
    )
    assert built.returncode == 0, built.stderr
    plays(tmp_path / "client", url)


def test_each_is_short() -> None:
    files = [it for it in CLIENTS.iterdir() if it.suffix != ".md"]
    assert len(files) >= 4
    for file in files:
        assert len(file.read_text("utf-8").splitlines()) <= MOST_LINES, file.name
