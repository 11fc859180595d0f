"""The clause checker itself: a planted clause without a test is found."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from tests.clauses import cited_in, clauses_of, named_in, report

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


def test_a_clause_id_is_read_at_the_start_of_a_line_only() -> None:
    assert clauses_of(RULES) == ["S1", "S2", "S4a"]


def test_a_clause_no_test_cites_is_named(tmp_path: Path) -> None:
    source = "def test_S1_the_deal(): assert dealt()\ndef test_late(): assert no.clause == 'S4a'"
    games, tests, console = folders(tmp_path, source)

    assert not report(games, tests, console)
    assert "snap: no test with an assertion names S2\n" in console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO


def test_a_game_with_every_clause_cited_passes(tmp_path: Path) -> None:
    source = "def test_S1_S2(): assert f()\ndef test_S4a():\n with pytest.raises(RequestRefusal): f()"
    games, tests, console = folders(tmp_path, source)

    assert report(games, tests, console)
    assert "snap: 3 clauses, each named by a test that can fail" in console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO


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
def test_a_clause_is_named_as_a_word_and_a_range_names_nothing(source: str, cited: set[str]) -> None:
    assert named_in(source) == cited


@pytest.mark.parametrize(
    ("source", "cited"),
    [
        ("def test_S1(): assert f()", {"S1"}),
        ("async def test_S1(): assert f()", {"S1"}),
        ("class TestS:\n def test_S1(self): assert f()", {"S1"}),
        ("def test_x(): assert refused(f) == 'S1'", {"S1"}),
        (
            "@pytest.mark.parametrize('no', ['S1', 'S2'])\ndef test_x(no): assert refused(f) == no",
            {"S1", "S2"},
        ),
        ("def test_S1():\n with pytest.raises(RequestRefusal): f()", {"S1"}),
        ("def test_S1(): f()", set()),
        ("def test_S1(): ...", set()),
        ("def test_S1(): assert True", set()),
        ("@pytest.mark.skip\ndef test_S1(): assert f()", set()),
        ("@pytest.mark.xfail(reason='S2')\ndef test_S1(): assert f()", set()),
        ("def helper_S1(): assert f()", set()),
        ('"""S1."""\ndef test_x(): assert f()', set()),
        ('def test_x():\n """S1."""\n assert f()', set()),
        ("def test_x():\n # S1\n assert f()", set()),
        ("CLAUSE = 'S1'\ndef test_x(): assert f()", set()),
    ],
)
def test_a_clause_counts_only_where_a_test_with_an_assertion_names_it(source: str, cited: set[str]) -> None:
    assert cited_in(source) == cited


def test_clause_ids_in_a_docstring_do_not_count(tmp_path: Path) -> None:
    assert not report(*folders(tmp_path, '"""S1, S2, S4a."""\ndef test_x(): assert f()'))
