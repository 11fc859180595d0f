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


def is_wrong_request(fault: urllib.error.HTTPError) -> bool:
    """Whether the command asked for something that the server does not have. If not, the server cannot answer now."""
    is_refused = HTTPStatus.BAD_REQUEST <= fault.code < HTTPStatus.INTERNAL_SERVER_ERROR
    return is_refused and fault.code != HTTPStatus.TOO_MANY_REQUESTS


def reason_of(fault: urllib.error.HTTPError) -> str:
    """The text of a refusal, or its status if the text is empty. A hostile server may send anything."""
    with fault:
        text = fault.read(MOST_REASON).decode(errors="replace").strip()
    return text or str(fault)
