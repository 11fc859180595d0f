"""The wheel has the documentation site in it, and a server that runs from the wheel alone shows it."""

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.system
TOP = Path(__file__).parents[2]
PARTS = ("protocol/photofinish_protocol", "server/photofinish", "clients/python/photofinish_client")
FILES = ("pyproject.toml", "deploy/PACKAGE.md", "LICENSE")


@pytest.fixture
def unpacked(tmp_path: Path, site: Path) -> Path:
    """A wheel of a copy of our packages, with a site in it, unpacked as pip would install it."""
    copy = tmp_path / "copy"
    for part in PARTS:
        shutil.copytree(TOP / part, copy / part, ignore=shutil.ignore_patterns("__pycache__", "docs", "web"))
    for file in FILES:
        (copy / file).parent.mkdir(exist_ok=True)
        shutil.copy(TOP / file, copy / file)
    shutil.copytree(site, copy / "server" / "photofinish" / "docs")
    words = (
        "wheel",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--wheel-dir",
        str(tmp_path),
        str(copy),
    )
    run(sys.executable, "-m", "pip", *words, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "installed")
    return tmp_path / "installed"


def run(*words: str, cwd: Path) -> None:
    ran = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False, timeout=200)
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-2000:]


def test_a_server_from_the_wheel_shows_the_documents(unpacked: Path, tmp_path: Path) -> None:
    here = "import photofinish; print(photofinish.__file__)"
    env = {**os.environ, "PYTHONPATH": str(unpacked), "PYTHONUNBUFFERED": "1"}
    done = subprocess.run(
        [sys.executable, "-c", here], cwd=tmp_path, env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(str(unpacked)), "not from the checkout"
    words = ["serve", "--port", "0", "--metrics-port", "0", "--data", str(tmp_path / "data")]
    with subprocess.Popen(
        [sys.executable, "-m", "photofinish", *words], cwd=tmp_path, env=env, stdout=subprocess.PIPE, text=True,
        stderr=subprocess.DEVNULL,
    ) as server:  # fmt: skip
        try:
            assert server.stdout is not None
            place = re.search(r"ws(://127\.0\.0\.1:\d+)", server.stdout.readline())
            assert place is not None
            pages = {it: fetch(f"http{place[1]}{it}") for it in ("/", "/docs/", "/docs/protocol/views.html")}
            index = json.loads(fetch(f"http{place[1]}/docs/search/search_index.json"))
        finally:
            server.terminate()

    assert all("Photofinish" in it for it in pages.values())
    assert "awaited" in pages["/docs/protocol/views.html"]
    assert any("react_us" in it["text"] for it in index["docs"])


def fetch(url: str) -> str:
    with urllib.request.urlopen(url, timeout=30) as page:
        text: str = page.read().decode()
        return text
