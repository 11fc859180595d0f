"""The address of a server and its access token."""

import os
from dataclasses import dataclass, field, replace
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import Request as HttpRequest

ACCESS = "PHOTOFINISH_ACCESS_TOKEN"
SCHEMES = {"http": "ws", "https": "wss"}


class BadAddress(ValueError):  # noqa: N818 - the user reads it as a sentence
    """The text is not a valid address of a server."""


@dataclass(frozen=True)
class Address:
    """The URL of a server's websocket, and an access token if the server requires one. `repr` hides the token."""

    url: str
    access_token: str = field(default="", repr=False)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.access_token}"} if self.access_token else {}

    def other_node(self, url: str) -> "Address | None":
        """The address of another node, with the same token. None if the new one is not encrypted but this one is."""
        there = replace(address(url, ""), access_token=self.access_token)
        return None if self.url.startswith("wss:") and not there.url.startswith("wss:") else there

    def page(self, path: str) -> HttpRequest:
        """A request for a page of the same server."""
        return HttpRequest(f"http{self.url.removeprefix('ws')}{path}", headers=self.headers)  # noqa: S310 - http or https


def address(url: str, access_token: str | None = None) -> Address:
    """Parse an address: `ws://…`, `wss://…`, `http://…`, `https://…`, `localhost:8765`, `ws://anybody:TOKEN@host`.

    The token is the argument, else the one in the URL, else the environment variable PHOTOFINISH_ACCESS_TOKEN.
    Raises `BadAddress`.
    """
    scheme, separator, rest = url.partition("://")
    if not separator:
        scheme, rest = "ws", url
    parts = _parts(url, SCHEMES.get(scheme, scheme), rest)
    token = access_token if access_token is not None else unquote(parts.password or "")
    if access_token is None and not token:
        token = os.environ.get(ACCESS, "")
    bare = rest.replace(parts.netloc, parts.netloc.rpartition("@")[2], 1).rstrip("/")
    return Address(f"{SCHEMES.get(scheme, scheme)}://{bare}", token)


def _parts(url: str, scheme: str, rest: str) -> SplitResult:
    shown = url.rpartition("@")[2]  # without the token that may be in it
    expected = "expected something like ws://127.0.0.1:8765"
    if scheme not in SCHEMES.values():
        raise BadAddress(f"{shown!r} is not an address of a server: it begins with {scheme!r}; {expected}.")
    try:
        parts = urlsplit(f"//{rest}")
        port = parts.port
    except ValueError as fault:
        # The fault may repeat a token that contains one of `/?#`: the host ends there.
        why = "write %2F for /, %3F for ? and %23 for # in a token" if "@" in rest else fault
        raise BadAddress(f"{shown!r} is not an address of a server: {why}; {expected}.") from fault
    if not parts.hostname or port == 0 or any(it.isspace() for it in parts.netloc):
        raise BadAddress(f"{shown!r} is not an address of a server: no host or port 0; {expected}.")
    return parts
