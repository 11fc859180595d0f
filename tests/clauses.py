"""Lists the clauses of games and events that no test checks. `make clauses` fails if there are any.

A clause counts as checked if a test names it and can fail. The id is in the test's name, or in a string of its cases
or its body (`no.clause == "C18"`). Docstrings and comments do not count, nor do tests without an assertion.
"""

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

TOP = Path(__file__).parent.parent
GAMES = TOP / "server" / "photofinish" / "games"
TESTS = TOP / "tests" / "games"
EVENTS = TOP / "server" / "photofinish" / "tournament" / "RULES.md"
OF_EVENTS = [it for it in sorted((TOP / "tests").iterdir()) if it.is_dir() and it != TESTS]
"""Folders of games: their clause ids may use the same letters. Events are tested in every other folder."""

OF_THIS = TOP / "tests" / "engine" / "test_clauses.py"
"""Its examples have clauses of a game that does not exist."""

CLAUSE = re.compile(r"^- ([A-Z]+\d+[a-z]?)\.", re.MULTILINE)
RANGE = re.compile(r"[A-Z]+\d+[a-z]?(?:\s*(?:–|—|-|to|\.\.)\s*[A-Z]+\d+[a-z]?|[–—-]\d+)")
Function = ast.FunctionDef | ast.AsyncFunctionDef


def clauses_of(rules: str) -> list[str]:
    """The clause ids of a rules file, in its order."""
    return CLAUSE.findall(rules)


def named_in(text: str) -> set[str]:
    """Every clause id that is a separate word of this text. `test_C18_x` names C18. A range such as `C1–C4` names
    none: it
    does not say which test would fail.
    """
    without_ranges = RANGE.sub(" ", text)
    return set(re.findall(r"(?<![A-Za-z0-9])[A-Z]+\d+[a-z]?(?![A-Za-z0-9])", without_ranges))


def cited_in(source: str) -> set[str]:
    """The clauses that tests of this file name and check."""
    tests = (it for it in ast.walk(ast.parse(source)) if isinstance(it, Function))
    return {
        clause
        for test in tests
        if test.name.startswith("test_") and _can_fail(test) and not _is_skipped(test)
        for clause in named_in(" ".join(_texts(test)))
    }


def missing(rules: Path, *tests: Path) -> tuple[list[str], list[str]]:
    """All clauses of these rules, and those that no test in the folders checks."""
    clauses = clauses_of(rules.read_text(encoding="utf-8"))
    cited: set[str] = set()
    for file in sorted(file for folder in tests for file in folder.rglob("test_*.py")):
        if file == OF_THIS:
            continue
        cited |= cited_in(file.read_text(encoding="utf-8"))
    return clauses, [clause for clause in clauses if clause not in cited]


def report(games: Path, tests: Path, console: Console) -> bool:
    """Print a line per game; true if every clause of every game is checked."""
    complete = True
    for folder in sorted(it for it in games.iterdir() if (it / "__init__.py").is_file()):
        complete = report_rules(folder.name, folder / "RULES.md", [tests / folder.name], console) and complete
    return complete


def report_rules(name: str, rules: Path, tests: Sequence[Path], console: Console) -> bool:
    """Print the line of one rules file; true if every clause is checked."""
    clauses, uncited = missing(rules, *tests) if rules.is_file() else ([], [])
    if not clauses:
        console.print(f"[red]{name}: no clauses in RULES.md[/]")
    elif uncited:
        console.print(f"[red]{name}: no test with an assertion names {', '.join(uncited)}[/]")
    else:
        console.print(f"{name}: {len(clauses)} clauses, each named by a test that can fail")
    return bool(clauses) and not uncited


def _can_fail(test: Function) -> bool:
    """The test contains an assertion. `assert True` does not count; `pytest.raises` does."""
    for node in ast.walk(test):
        if isinstance(node, ast.Assert) and not isinstance(node.test, ast.Constant):
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "raises":
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "refused":
            return True  # of tests/tournament/stages.py: a refusal by its code
    return False


def _is_skipped(test: Function) -> bool:
    words = {
        it.attr for mark in test.decorator_list for it in ast.walk(mark) if isinstance(it, ast.Attribute)
    }
    return bool(words & {"skip", "skipif", "xfail"})


def _texts(test: Function) -> Iterator[str]:
    """The test's name, and the texts in its cases and its body. Its docstring is left out."""
    yield test.name
    body = test.body[1:] if ast.get_docstring(test) is not None else test.body
    for part in (*test.decorator_list, *body):
        for it in ast.walk(part):
            if isinstance(it, ast.Constant) and isinstance(it.value, str):
                yield it.value


if __name__ == "__main__":
    out = Console(highlight=False, soft_wrap=True)
    whole = [report(GAMES, TESTS, out), report_rules("events", EVENTS, OF_EVENTS, out)]
    sys.exit(0 if all(whole) else 1)
