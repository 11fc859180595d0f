"""The documentation site that `make docs` builds, at `/docs`, from the source tree or the wheel."""

import http
from pathlib import Path

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from photofinish.gateway.http.web import WebPage

FOLDER = Path(__file__).parents[2] / "docs"
PREFIX = "/docs"


class DocsPages:
    """Serves the pages under `/docs`. If they are not built, every answer is None."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._pages = WebPage(folder)

    @property
    def is_built(self) -> bool:
        return self._pages.is_built

    def answer(self, path: str, request: Request) -> Response | None:
        if not self._pages.is_built or not (path == PREFIX or path.startswith(PREFIX + "/")):
            return None
        if path == PREFIX:
            headers = Headers({"Location": PREFIX + "/", "Content-Length": "0", "Connection": "close"})
            return Response(http.HTTPStatus.MOVED_PERMANENTLY.value, "Moved Permanently", headers, b"")
        name = path.removeprefix(PREFIX)
        return self._pages.answer_with(name + "index.html" if name.endswith("/") else name, request)
