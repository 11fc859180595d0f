"""Makes a built site fit the server's strict policy: no inline script or style, no data URLs."""

import gzip
import hashlib
import re
from pathlib import Path

SCRIPT = re.compile(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)([^>]*)>(.*?)</script>", re.DOTALL)
STYLE = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)
STYLED = re.compile(r' style="[^"]*"')
DATA = re.compile(r"""url\((["']?)data:image/svg\+xml;charset=utf-8,(.*?</svg>)\1\)""", re.DOTALL)
PACKED = {".html", ".js", ".css", ".json", ".svg", ".xml"}
USELESS = ("*.map", "sitemap.xml*", "404.html", "assets/javascripts/lunr")


def tidy(site: Path) -> None:
    for pattern in USELESS:
        for it in site.rglob(pattern) if "/" not in pattern else [site / pattern]:
            _remove(it)
    for page in site.rglob("*.html"):
        _rewrite(page, _page(site, page))
    for sheet in site.rglob("*.css"):
        _rewrite(sheet, _sheet(site, sheet))
    for file in sorted(site.rglob("*")):
        if file.suffix in PACKED and file.stat().st_size > 1000:
            file.with_name(file.name + ".gz").write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))


def _page(site: Path, page: Path) -> str:
    up = "../" * (len(page.relative_to(site).parts) - 1)
    text = SCRIPT.sub(
        lambda it: f'<script src="{up}{_kept(site, it[2], "js")}"></script>', page.read_text("utf-8")
    )
    text = STYLE.sub(lambda it: f'<link rel="stylesheet" href="{up}{_kept(site, it[1], "css")}">', text)
    return STYLED.sub("", text)


def _sheet(site: Path, sheet: Path) -> str:
    up = "../" * (len(sheet.relative_to(site).parts) - 1)
    return DATA.sub(
        lambda it: f'url("{up}{_kept(site, it[2].replace("%23", "#"), "svg")}")', sheet.read_text("utf-8")
    )


def _rewrite(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")


def _kept(site: Path, text: str, kind: str) -> str:
    """Write what was inline into a file of its own."""
    name = f"assets/inline/{hashlib.sha256(text.encode()).hexdigest()[:16]}.{kind}"
    (site / name).parent.mkdir(parents=True, exist_ok=True)
    (site / name).write_text(text, encoding="utf-8")
    return name


def _remove(it: Path) -> None:
    if it.is_dir():
        for inner in it.iterdir():
            _remove(inner)
        it.rmdir()
    elif it.exists():
        it.unlink()
