"""Where a server is, and what opens its door."""

import os
from dataclasses import dataclass, field, replace
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import Request

ACCESS = "PHOTOFINISH_ACCESS_TOKEN"
SCHEMES = {"http": "ws", "https": "wss"}


class BadAddress(ValueError):  # noqa: N818 - the user reads it as a sentence
    """No server can be at such an address."""


@dataclass(frozen=True)
class Address:
    """A server's websocket, with the access token its operator may want. The token is in no text."""

    url: str
    access_token: str = field(default="", repr=False)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.access_token}"} if self.access_token else {}

    def home(self, url: str) -> "Address | None":
        """Another node of the same server. None for one to which what was secret would go in the clear."""
        there = replace(address(url, ""), access_token=self.access_token)
        return None if self.url.startswith("wss:") and not there.url.startswith("wss:") else there

    def page(self, path: str) -> Request:
        """The same server, asked for a page."""
        return Request(f"http{self.url.removeprefix('ws')}{path}", headers=self.headers)  # noqa: S310 - http or https


def address(url: str, access_token: str | None = None) -> Address:
    """`localhost:8765`, `http://…` and `https://…` are understood too, and `ws://anybody:TOKEN@host`.

    Without a token, there or as an argument, the environment variable PHOTOFINISH_ACCESS_TOKEN is looked at.
    Raises `BadAddress`.
    """
    scheme, separator, rest = url.partition("://")
    if not separator:
        scheme, rest = "ws", url
    parts = _parts(url, SCHEMES.get(scheme, scheme), rest)
    shown = access_token if access_token is not None else unquote(parts.password or "")
    if access_token is None and not shown:
        shown = os.environ.get(ACCESS, "")
    bare = rest.replace(parts.netloc, parts.netloc.rpartition("@")[2], 1).rstrip("/")
    return Address(f"{SCHEMES.get(scheme, scheme)}://{bare}", shown)


def _parts(url: str, scheme: str, rest: str) -> SplitResult:
    shown = url.rpartition("@")[2]  # without what may be a token
    expected = "expected something like ws://127.0.0.1:8765"
    if scheme not in SCHEMES.values():
        raise BadAddress(f"{shown!r} is no address of a server: it begins with {scheme!r}; {expected}.")
    try:
        parts = urlsplit(f"//{rest}")
        port = parts.port
    except ValueError as fault:
        raise BadAddress(f"{shown!r} is no address of a server: {fault}; {expected}.") from fault
    if not parts.hostname or port == 0 or any(it.isspace() for it in parts.netloc):
        raise BadAddress(f"{shown!r} is no address of a server: no host or port 0; {expected}.")
    return parts
