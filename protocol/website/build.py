"""Builds the documentation site from our pages: `python -m protocol.website.build [FOLDER]` (make docs).

The site goes to `server/photofinish/docs`, from where the server shows it at `/docs`. A dead link is an error.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import yaml
from protocol.website import asyncapi_page, pages, strict

HERE = Path(__file__).parent
TOP = HERE.parent.parent
SITE = TOP / "server" / "photofinish" / "docs"


def main(site: Path = SITE) -> None:
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        settings = collect(work / "docs")
        (work / "mkdocs.yml").write_text(
            (HERE / "mkdocs.yml").read_text("utf-8") + settings, encoding="utf-8"
        )
        words = [
            sys.executable,
            "-m",
            "mkdocs",
            "--quiet",
            "build",
            "--strict",
            "--site-dir",
            str(work / "site"),
        ]
        if subprocess.run(words, cwd=work, check=False).returncode:
            sys.exit("the documentation was not built: see the warnings above")
        strict.tidy(work / "site")
        shutil.rmtree(site, ignore_errors=True)
        shutil.copytree(work / "site", site)
    count = sum(1 for _ in site.rglob("*.html"))
    print(f"{count} pages in {site} after {time.monotonic() - began:.1f} s")


def collect(docs: Path) -> str:
    """Write every page with its links as they are on the site. Returns the navigation, as settings."""
    games = sorted(it.parent.name for it in (TOP / "server/photofinish/games").glob("*/RULES.md"))
    there = {it.relative_to(TOP).as_posix() for it in TOP.rglob("*.md") if "node_modules" not in it.parts}
    site_map = pages.site_map(games, there)
    found = (it for it in (TOP / "protocol").rglob("*") if it.suffix in {".svg", ".png"})
    pictures = {it.relative_to(TOP).as_posix(): it.relative_to(TOP).as_posix() for it in found}
    for source, page in site_map.items():
        write(docs / page, pages.moved((TOP / source).read_text("utf-8"), source, site_map, pictures))
    for picture in pictures:
        (docs / picture).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TOP / picture, docs / picture)
    document = json.loads((TOP / "protocol/schema/asyncapi.full.json").read_text("utf-8"))
    write(docs / pages.ASYNCAPI, asyncapi_page.page(document, examples()))
    titled = [(it, title_of(TOP / f"server/photofinish/games/{it}/README.md")) for it in games]
    nav: Any = pages.navigation(titled, {*site_map.values(), pages.ASYNCAPI})
    return "\nnav:\n" + yaml.safe_dump(nav, allow_unicode=True)


def examples() -> dict[str, str]:
    """The shortest example of each message."""
    found: dict[str, str] = {}
    for file in sorted((TOP / "protocol/examples").glob("*.json")):
        it = json.loads(file.read_text("utf-8"))
        name = it["message"]["t"]
        if name not in found or len(it["json"]) < len(found[name]):
            found[name] = it["json"]
    return found


def title_of(readme: Path) -> str:
    return readme.read_text("utf-8").partition("\n")[0].removeprefix("# ").strip()


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*(Path(it) for it in sys.argv[1:]))
