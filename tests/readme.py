"""The README's list of games, made from the installed games: `python -m tests.readme` writes it, `--check` compares."""

import re
import sys
from pathlib import Path

from photofinish.games import all_games

README = Path(__file__).parent.parent / "README.md"
BEGIN, END = "<!-- games: written by `make readme` -->", "<!-- end of games -->"


def games_table() -> str:
    rows = ["| game | players | |", "| --- | --- | --- |"]
    for key, game in sorted(all_games().items(), key=lambda it: it[1].title.removeprefix("The ")):
        first, last = game.seats[0], game.seats[-1]
        players = str(first) if first == last else f"{first}–{last}"
        rows.append(
            f"| [{game.title}](server/photofinish/games/{key}/README.md) | {players} | {game.blurb} |"
        )
    return "\n".join(rows)


def with_games(text: str) -> str:
    """The README with a fresh list between the two marks."""
    pattern = re.compile(re.escape(BEGIN) + r".*?" + re.escape(END), re.DOTALL)
    assert pattern.search(text), "README.md has lost the marks of its list of games"
    return pattern.sub(lambda _: f"{BEGIN}\n{games_table()}\n{END}", text)


if __name__ == "__main__":
    before = README.read_text(encoding="utf-8")
    after = with_games(before)
    if "--check" in sys.argv and after != before:
        sys.exit("README.md does not list all games: run make readme")
    README.write_text(after, encoding="utf-8")
