"""Which clauses of a game's rules does no test cite? `make clauses` asks, and fails if there are any."""

import re
import sys
from pathlib import Path

from rich.console import Console

TOP = Path(__file__).parent.parent
GAMES = TOP / "server" / "photofinish" / "games"
TESTS = TOP / "tests" / "games"

CLAUSE = re.compile(r"^- ([A-Z]+\d+[a-z]?)\.", re.MULTILINE)
RANGE = re.compile(r"[A-Z]+\d+[a-z]?(?:\s*(?:–|—|-|to|\.\.)\s*[A-Z]+\d+[a-z]?|[–—-]\d+)")


def clauses_of(rules: str) -> list[str]:
    """The clause ids of a rules file, in its order."""
    return CLAUSE.findall(rules)


def cited_in(source: str) -> set[str]:
    """Every clause id a test names as a word of its own. `test_C18_x` cites C18; of `C1–C4` nothing counts:
    a range says that somebody meant well, not which test would fail.
    """
    without_ranges = RANGE.sub(" ", source)
    return set(re.findall(r"(?<![A-Za-z0-9])[A-Z]+\d+[a-z]?(?![A-Za-z0-9])", without_ranges))


def missing(rules: Path, tests: Path) -> tuple[list[str], list[str]]:
    """All clauses of these rules, and those that no test in the folder cites."""
    clauses = clauses_of(rules.read_text(encoding="utf-8"))
    cited: set[str] = set()
    for file in sorted(tests.rglob("*.py")):
        cited |= cited_in(file.read_text(encoding="utf-8"))
    return clauses, [clause for clause in clauses if clause not in cited]


def report(games: Path, tests: Path, console: Console) -> bool:
    """Print a line a game; true if every clause of every game is cited."""
    complete = True
    for folder in sorted(it for it in games.iterdir() if (it / "__init__.py").is_file()):
        rules = folder / "RULES.md"
        clauses, uncited = missing(rules, tests / folder.name) if rules.is_file() else ([], [])
        if not clauses:
            console.print(f"[red]{folder.name}: no clauses in RULES.md[/]")
        elif uncited:
            console.print(f"[red]{folder.name}: no test cites {', '.join(uncited)}[/]")
        else:
            console.print(f"{folder.name}: {len(clauses)} clauses, all cited")
        complete = complete and bool(clauses) and not uncited
    return complete


if __name__ == "__main__":
    sys.exit(0 if report(GAMES, TESTS, Console(highlight=False, soft_wrap=True)) else 1)
