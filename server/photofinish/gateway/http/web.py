"""The browser table: the built page in `photofinish/web`, read once and kept in memory."""

import gzip
import hashlib
import http
import mimetypes
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

FOLDER = Path(__file__).parents[2] / "web"
"""The folder that `make web` writes the page to, in the source tree and in the wheel."""

# Paths that all return the page; its script then shows the right screen.
PAGES = re.compile(
    r"/(|tables|replays|practise|settings|events(/[A-Za-z]{1,16}(/screen)?)?|t/[A-Za-z]{1,16}|r/[A-Za-z]{1,16}(/\d{1,9})?|rules/\w{1,32})"
)
HASHED = "/assets/"
FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
SMALL = 1000
"""Files with fewer bytes are not compressed."""
PACKED = ".gz"
"""`page.html.gz` beside `page.html` is the same file, compressed when it was built."""
COMPRESSED_ALREADY = frozenset({"font/woff2", "image/png", "image/webp"})
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self' ws: wss:; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
"""`ws:` and `wss:` are allowed because a room may be on another address of the same cluster."""
TYPES = {".webmanifest": "application/manifest+json", ".woff2": "font/woff2", ".js": "text/javascript"}


@dataclass(frozen=True, slots=True)
class File:
    body: bytes
    packed: bytes | None
    kind: str
    tag: str
    is_forever: bool


class WebPage:
    """Serves the files of the page. If the page is not built, every answer is None."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._files = _read(folder)

    @property
    def is_built(self) -> bool:
        return "/index.html" in self._files

    def answer(self, path: str, request: Request) -> Response | None:
        return self.answer_with("/index.html" if PAGES.fullmatch(path) else path, request)

    def answer_with(self, name: str, request: Request) -> Response | None:
        """This file of the folder, or None if there is no such file."""
        file = self._files.get(name)
        if file is None:
            return None
        headers = Headers(
            {
                "Cache-Control": FOREVER if file.is_forever else ASK_AGAIN,
                "ETag": file.tag,
                "Vary": "Accept-Encoding",
                "X-Content-Type-Options": "nosniff",
                "Connection": "close",
            }
        )
        if file.tag in request.headers.get("If-None-Match", ""):
            return Response(http.HTTPStatus.NOT_MODIFIED.value, "Not Modified", headers, b"")
        body = file.body
        if file.packed is not None and "gzip" in request.headers.get("Accept-Encoding", ""):
            body = file.packed
            headers["Content-Encoding"] = "gzip"
        headers["Content-Type"] = file.kind
        headers["Content-Length"] = str(len(body))
        if name.endswith(".html"):
            headers["Content-Security-Policy"] = POLICY
            headers["Referrer-Policy"] = "no-referrer"
            headers["Cross-Origin-Opener-Policy"] = "same-origin"
        return Response(http.HTTPStatus.OK.value, "OK", headers, body)


def _read(folder: Path) -> Mapping[str, File]:
    if not folder.is_dir():
        return {}
    return {
        f"/{path.relative_to(folder).as_posix()}": _file(path, folder)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != PACKED
    }


def _file(path: Path, folder: Path) -> File:
    body = path.read_bytes()
    kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    if kind.startswith("text/"):
        kind += "; charset=utf-8"
    beside = path.with_name(path.name + PACKED)
    if beside.exists():
        packed: bytes | None = beside.read_bytes()
    else:
        packed = None if kind in COMPRESSED_ALREADY or len(body) < SMALL else gzip.compress(body, 9, mtime=0)
    tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    return File(body, packed, kind, tag, f"/{path.relative_to(folder).as_posix()}".startswith(HASHED))
