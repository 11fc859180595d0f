"""The clause checker itself: a planted clause without a test is found."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from tests.clauses import cited_in, clauses_of, report

RULES = """# Snap (S)
## Setup
- S1. Deal. See S9 for the rest.
- S2. Play [ruling]
  - S3. not at the start of a line
- S4a. A late addition.
Text about S7.
"""


def folders(tmp_path: Path, source: str, rules: str = RULES) -> tuple[Path, Path, Console]:
    game, tests = tmp_path / "games" / "snap", tmp_path / "tests" / "snap" / "deeper"
    game.mkdir(parents=True)
    tests.mkdir(parents=True)
    (game / "__init__.py").write_text("")
    if rules:
        (game / "RULES.md").write_text(rules)
    (tests / "test_snap.py").write_text(source)
    return tmp_path / "games", tmp_path / "tests", Console(file=io.StringIO(), width=200)


def test_a_clause_is_what_stands_at_the_start_of_a_line() -> None:
    assert clauses_of(RULES) == ["S1", "S2", "S4a"]


def test_a_clause_no_test_cites_is_named(tmp_path: Path) -> None:
    games, tests, console = folders(tmp_path, "def test_S1_the_deal(): ...\n# S4a")

    assert not report(games, tests, console)
    assert "snap: no test cites S2" in console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO


def test_a_game_with_every_clause_cited_passes(tmp_path: Path) -> None:
    games, tests, console = folders(tmp_path, '"""S1, S2."""\ndef test_S4a(): ...')

    assert report(games, tests, console)
    assert "snap: 3 clauses, all cited" in console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO


def test_a_game_without_clauses_does_not_pass(tmp_path: Path) -> None:
    assert not report(*folders(tmp_path, "", rules=""))


@pytest.mark.parametrize(
    ("source", "cited"),
    [
        ("def test_C18_first_wins", {"C18"}),
        ("def test_C18(", {"C18"}),
        ("(C18)", {"C18"}),
        ("C18's", {"C18"}),
        ('refused(play, "C18")', {"C18"}),
        ("C180", {"C180"}),
        ("xC18", set()),
        ("C1–C4", set()),
        ("C1-C4", set()),
        ("C1 to C4", set()),
        ("C1-4", set()),
        ("C1 - 4 cards", {"C1"}),
        ("C1, C4", {"C1", "C4"}),
        ("C1/C4", {"C1", "C4"}),
    ],
)
def test_a_clause_is_cited_as_a_word_and_a_range_cites_nothing(source: str, cited: set[str]) -> None:
    assert cited_in(source) == cited
