"""Reads our Markdown pages: their sections, tables and code."""

import re
from pathlib import Path
from typing import NamedTuple

from photofinish_protocol.publish.schema import TOP

README = TOP / "README.md"
PAGES = tuple(
    TOP / f"{it}.md"
    for it in (
        "README", "CONNECT", "TABLES", "VIEWS", "RACING", "COMING_BACK", "WATCHING", "REFERENCE", "VERSIONS",
    )
)  # fmt: skip
"""The pages of the protocol. The title of each section occurs on one page only."""
FAIRNESS = TOP / "FAIRNESS.md"
RULE = re.compile(r"[ \-|]+")


class Section(NamedTuple):
    title: str
    chapter: str
    """The second-level heading that it belongs to."""
    text: str

    @property
    def rows(self) -> list[list[str]]:
        """The cells of all table rows, without headings and rules."""
        lines = self.text.splitlines()
        return [
            [cell.strip() for cell in line.strip("|").split("|")]
            for number, line in enumerate(lines)
            if line.startswith("| ") and not RULE.fullmatch(line) and not is_rule(lines, number + 1)
        ]


def is_rule(lines: list[str], number: int) -> bool:
    return number < len(lines) and lines[number].startswith("|") and bool(RULE.fullmatch(lines[number]))


def sections(*files: Path) -> list[Section]:
    """Every heading of the second level or deeper, with the text up to the next heading."""
    found: list[Section] = []
    for file in files or PAGES:
        chapter = ""
        for part in re.split(r"^(?=#{2,4} )", file.read_text("utf-8"), flags=re.MULTILINE)[1:]:
            heading, _, text = part.partition("\n")
            level, _, title = heading.partition(" ")
            chapter = title if level == "##" else chapter
            found.append(Section(title, chapter, text))
    return found


def section(title: str, chapter: str | None = None, file: Path | None = None) -> Section:
    files = (file,) if file else PAGES
    (found,) = (it for it in sections(*files) if it.title == title and chapter in {None, it.chapter})
    return found


def headings(file: Path) -> list[str]:
    """All headings, without the marks that a link to them leaves out."""
    found = re.findall(r"^#+ (.*)$", file.read_text("utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", title) for title in found]


def code(language: str, file: Path | None = None) -> list[str]:
    """The blocks of code in that language."""
    text = "\n".join(it.read_text("utf-8") for it in ((file,) if file else PAGES))
    blocks = re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [str(block) for block in blocks]


def anchors(file: Path) -> set[str]:
    """What a link to this page may point to."""
    titles = [it.lower().replace(" ", "-") for it in headings(file)]
    return {f"{it}-{n}" if n else it for it in titles for n in range(titles.count(it))}


def bare(cell: str) -> str:
    return cell.strip("`")
