"""The tree stays easy to read: small files, small folders, one meaning per class name."""

import ast
import re
import statistics
import subprocess
from collections import Counter, defaultdict
from pathlib import Path

TOP = Path(__file__).parent.parent
PACKAGES = ("server/photofinish", "protocol/photofinish_protocol", "clients/python/photofinish_client")
CODE = {".py", ".ts", ".tsx"}
MOST_LINES = 500
MEDIAN_LINES = 120
MOST_FILES = 15
WRITTEN_BY_A_PROGRAM = {"clients/js/src/messages.ts"}
SAME_THING = {
    "Happened": "the game's event and the message that tells it",
    "Room": "the room and the message that describes it",
}


def tracked(*endings: str) -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=TOP, capture_output=True, text=True, check=True).stdout
    return [
        path for path in map(Path, listed.splitlines()) if path.suffix in endings and (TOP / path).exists()
    ]


def lines_of(path: Path) -> int:
    return len((TOP / path).read_text(encoding="utf-8").splitlines())


def classes() -> dict[str, list[str]]:
    """Where each class name is defined. Games are left out: they share a vocabulary (State, View)."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in tracked(".py"):
        name = path.as_posix()
        if not name.startswith(PACKAGES) or "/games/" in name or name.endswith("bench/counter.py"):
            continue
        for node in ast.parse((TOP / path).read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found[node.name].append(name)
    return found


def test_no_file_is_too_long_and_most_are_short() -> None:
    lengths = {path.as_posix(): lines_of(path) for path in tracked(*CODE)}

    assert {
        path: n for path, n in lengths.items() if n > MOST_LINES and path not in WRITTEN_BY_A_PROGRAM
    } == {}
    assert statistics.median(lengths.values()) <= MEDIAN_LINES


def test_the_architecture_has_a_line_for_every_folder_and_none_for_a_folder_that_is_gone() -> None:
    """The folders of `tournament/` have a table of their own. The folders inside a game need no line."""
    page = (TOP / "server" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    first_cells = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    listed = {name for cell in first_cells for name in re.findall(r"`([a-z_/]+)/`", cell)}
    top = Path("server/photofinish")
    folders = {path.parent.relative_to(top) for path in tracked(".py") if path.is_relative_to(top)}
    names = {
        it.as_posix().removeprefix("tournament/")
        for it in folders
        if len(it.parts) < 2 or it.parts[0] != "games"
    }

    assert names - {"."} == listed


def test_no_folder_has_more_than_fifteen_files_of_one_kind() -> None:
    counts = Counter((path.parent.as_posix(), path.suffix) for path in tracked(*CODE))

    assert {folder: n for folder, n in counts.items() if n > MOST_FILES} == {}


def test_a_class_name_has_one_meaning() -> None:
    assert {name: at for name, at in classes().items() if len(at) > 1 and name not in SAME_THING} == {}
