"""`photofinish new-game` writes a complete game: its own tests, the promises and the leak proof pass."""

import subprocess
import sys
from pathlib import Path

import pytest

from photofinish.commands.new_game import BadName, write

TOP = Path(__file__).parent.parent.parent
IN_THE_FOLDER = """
import sys, photofinish.games
photofinish.games.__path__.append(sys.argv[1])
import pytest
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[2:]]))
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for folder in ("server/photofinish/games", "tests/games"):
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path


def test_a_new_game_passes_its_own_tests_and_those_of_every_game(checkout: Path) -> None:
    write("high_card", checkout)
    words = [str(checkout / "server/photofinish/games"), str(checkout / "tests/games/high_card")]
    words += [
        "tests/games/test_promises.py",
        "tests/games/test_clock_chains.py",
        "tests/games/resample/test_hidden_places.py",
        "tests/engine/test_describe.py",
    ]
    words += ["-k", "high_card or rules"]
    done = subprocess.run(
        [sys.executable, "-c", IN_THE_FOLDER, *words],
        capture_output=True, text=True, check=False, cwd=TOP, timeout=110,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout[-3000:]
    assert "failed" not in done.stdout
    assert int(done.stdout.split(" passed")[0].split()[-1]) > 15


def test_a_new_game_passes_ruff(checkout: Path) -> None:
    files = write("cat_and_mouse", checkout)
    python = [str(file) for file in files if file.suffix == ".py"]
    # In a checkout the folder tests/ allows names such as test_N1_…; here the files lie elsewhere.
    for words in (["check", "--extend-ignore", "N802"], ["format", "--check"]):
        ruff = [sys.executable, "-m", "ruff", *words, "--config", str(TOP / "pyproject.toml"), "--no-cache"]
        done = subprocess.run(
            [*ruff, *python], capture_output=True, text=True, check=False, cwd=TOP, timeout=60
        )

        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", ["", "1up", "High Card", "../up", "class", "a" * 40, "naïve"])
def test_a_bad_name_writes_nothing(checkout: Path, name: str) -> None:
    with pytest.raises(BadName):
        write(name, checkout)

    assert not [file for file in checkout.rglob("*") if file.is_file()]


def test_an_existing_game_is_not_overwritten(checkout: Path) -> None:
    write("high_card", checkout)
    with pytest.raises(BadName, match="nothing was written"):
        write("high_card", checkout)


def test_a_folder_that_is_not_a_checkout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadName, match="no checkout"):
        write("high_card", tmp_path)
