"""Which files of the repository are pages of the site, and how their links change on the way. No I/O."""

import posixpath
import re
from collections import Counter
from collections.abc import Mapping

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"^(```.*?^```)", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
PROTOCOL = (
    "README", "CONNECT", "TABLES", "VIEWS", "RACING", "COMING_BACK", "WATCHING", "REFERENCE", "VERSIONS", "RACES",
    "RACE_RECORD", "FAIRNESS", "TOURNAMENTS",
)  # fmt: skip
FIXED = {
    "README.md": "index.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
    "tests/hunt/RESULTS.md": "project/hunts.md",
    "server/ARCHITECTURE.md": "project/architecture.md",
    "deploy/README.md": "hosting/deploy.md",
    "deploy/FAULTS.md": "hosting/faults.md",
    "deploy/SCALE.md": "hosting/scale.md",
    "clients/python/README.md": "clients/python.md",
    "clients/js/README.md": "clients/javascript.md",
    "clients/web/README.md": "clients/browser.md",
    "protocol/conformance/README.md": "protocol/conformance.md",
    "protocol/examples/first-move.md": "protocol/first-move.md",
    "protocol/transcripts/README.md": "protocol/transcripts.md",
    "protocol/clients/README.md": "protocol/clients.md",
}
ASYNCAPI = "protocol/asyncapi.md"


def site_map(games: list[str], there: set[str]) -> dict[str, str]:
    """The file of the repository and its page, for every page that is there."""
    made = {f"protocol/{it}.md": f"protocol/{it.lower().replace('readme', 'index')}.md" for it in PROTOCOL}
    made |= FIXED
    for game in games:
        folder = f"server/photofinish/games/{game}"
        made |= {f"{folder}/README.md": f"games/{game}.md", f"{folder}/RULES.md": f"games/{game}-rules.md"}
    return {source: page for source, page in made.items() if source in there}


def moved(text: str, source: str, pages: Mapping[str, str], files: Mapping[str, str]) -> str:
    """The page with links that hold on the site. A link to a file that is not on it becomes plain text."""

    def link(found: re.Match[str]) -> str:
        is_picture, words, target = found.groups()
        if "://" in target or target.startswith("mailto:"):
            return found[0]
        file, _, anchor = target.partition("#")
        repo = posixpath.normpath(posixpath.join(posixpath.dirname(source), file)) if file else source
        there = pages.get(repo) or files.get(repo)
        if there is None:
            return words
        place = posixpath.relpath(there, posixpath.dirname(pages[source]) or ".")
        return f"{is_picture}[{words}]({place}{'#' + renumbered(anchor) if anchor else ''})"

    parts = FENCE.split(text)
    return "".join(it if it.startswith("```") else LINK.sub(link, it) for it in parts)


def renumbered(anchor: str) -> str:
    """GitHub counts headings of the same name `-1`, Python-Markdown `_1`."""
    return re.sub(r"-(\d)$", r"_\1", anchor)


def repeated(text: str) -> set[str]:
    """The headings that a page has more than once."""
    return {title for title, times in Counter(HEADING.findall(text)).items() if times > 1}


def navigation(games: list[tuple[str, str]], pages: set[str]) -> list[object]:
    def named(*rows: tuple[str, str]) -> list[object]:
        return [{title: page} for title, page in rows if page in pages]

    protocol = named(
        ("Start here", "protocol/index.md"), ("Connect", "protocol/connect.md"), ("Tables", "protocol/tables.md"),
        ("Views and offers", "protocol/views.md"), ("Races for a client", "protocol/racing.md"),
        ("Coming back", "protocol/coming_back.md"), ("Watching and events", "protocol/watching.md"),
        ("Reference", "protocol/reference.md"), ("AsyncAPI reference", ASYNCAPI),
        ("Promises and versions", "protocol/versions.md"), ("Examples that run", "protocol/clients.md"),
        ("First move, frame by frame", "protocol/first-move.md"), ("Golden sessions", "protocol/transcripts.md"),
        ("Conformance", "protocol/conformance.md"),
    )  # fmt: skip
    fair = named(
        ("How a race is judged", "protocol/races.md"), ("The record of a race", "protocol/race_record.md"),
        ("How to check a shuffle", "protocol/fairness.md"),
    )  # fmt: skip
    game_pages: list[object] = [
        {title: named(("The game", f"games/{key}.md"), ("The rules", f"games/{key}-rules.md"))}
        for key, title in games
    ]
    return [
        {"Home": "index.md"},
        {"Protocol": protocol},
        {"Fairness": fair},
        {"Clients": named(("Python", "clients/python.md"), ("JavaScript", "clients/javascript.md"),
                          ("Browser", "clients/browser.md"))},
        {"Games": game_pages},
        {"Hosting": named(("Deploy", "hosting/deploy.md"), ("Faults", "hosting/faults.md"),
                          ("Scale", "hosting/scale.md"), ("Events", "protocol/tournaments.md"))},
        {"Project": named(("Changelog", "project/changelog.md"), ("Architecture", "project/architecture.md"),
                          ("Contributing", "project/contributing.md"), ("Security", "project/security.md"),
                          ("Hunts and attacks", "project/hunts.md"))},
    ]  # fmt: skip
