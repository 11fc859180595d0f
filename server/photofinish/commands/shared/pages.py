"""Reads pages of a server that may be hostile. Only for commands that need it: `urllib` takes long to import."""

import urllib.error
import urllib.request
from http import HTTPStatus
from http.client import IncompleteRead

from photofinish.commands.shared.base import BadUse

MOST_BYTES = 512 << 20
"""A larger file or page is not read."""
MOST_REASON = 2_000
"""Bytes that are read of the text of a refusal."""


class PageRefused(OSError):  # noqa: N818 - the fact itself
    """The server answered with another status than 200. Prints as the status; `text` may be anything."""

    def __init__(self, fault: urllib.error.HTTPError) -> None:
        super().__init__(str(fault))
        with fault:  # or its socket stays open
            self.text = fault.read(MOST_REASON).decode(errors="replace").strip() or str(fault)
        self.status = fault.code
        self.retry_after = str(fault.headers.get("Retry-After", ""))

    @property
    def is_wrong_request(self) -> bool:
        """Whether the command asked for something that the server does not have. If not, it cannot answer now."""
        is_refused = HTTPStatus.BAD_REQUEST <= self.status < HTTPStatus.INTERNAL_SERVER_ERROR
        return is_refused and self.status != HTTPStatus.TOO_MANY_REQUESTS


def read_page(page: urllib.request.Request, timeout: float) -> bytes:
    """The whole page, of at most `MOST_BYTES`: a hostile server could fill the memory."""
    try:
        with urllib.request.urlopen(page, timeout=timeout) as reply:  # noqa: S310 - http or https
            raw: bytes = reply.read(MOST_BYTES + 1)
            missing = reply.length or 0
    except urllib.error.HTTPError as fault:
        raise PageRefused(fault) from None
    if len(raw) > MOST_BYTES:
        raise BadUse(f"{page.full_url} is larger than {MOST_BYTES >> 20} MiB.")
    if missing:  # `read` with a limit does not notice it
        raise IncompleteRead(raw, missing)
    return raw
