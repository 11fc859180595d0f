"""The top level of the repository is fixed: six folders, and the files that every project has."""

import subprocess
from pathlib import Path

TOP = Path(__file__).parents[2]
FOLDERS = {".ci", "clients", "deploy", "protocol", "server", "tests"}
FILES = {
    ".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "SECURITY.md",
    "pyproject.toml",
}  # fmt: skip


def test_the_top_level_has_no_other_entries() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=TOP, capture_output=True, text=True, check=False).stdout
    found = {Path(line).parts[0] for line in listed.splitlines()}

    assert found <= FOLDERS | FILES
