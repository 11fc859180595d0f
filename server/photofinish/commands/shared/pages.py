"""Reads pages of a server that may be hostile. Only for commands that need it: `urllib` takes long to import."""

import urllib.request
from http.client import IncompleteRead

from photofinish.commands.shared.base import BadUse

MOST_BYTES = 512 << 20
"""A larger file or page is not read."""


def read_page(page: urllib.request.Request, timeout: float) -> bytes:
    """The whole page, of at most `MOST_BYTES`: a hostile server could fill the memory."""
    with urllib.request.urlopen(page, timeout=timeout) as reply:  # noqa: S310 - http or https
        raw: bytes = reply.read(MOST_BYTES + 1)
        missing = reply.length or 0
    if len(raw) > MOST_BYTES:
        raise BadUse(f"{page.full_url} is larger than {MOST_BYTES >> 20} MiB.")
    if missing:  # `read` with a limit does not notice it
        raise IncompleteRead(raw, missing)
    return raw
