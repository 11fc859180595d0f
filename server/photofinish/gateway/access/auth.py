"""Access control: web pages by their origin, all clients by an access token if the operator requires one."""

import base64
import hashlib
import hmac
import ipaddress
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from websockets.datastructures import Headers

ANY = "*"
TOKEN_PREFIX = "photofinish.token."  # noqa: S105 - the prefix of a token among the subprotocols, not a token
"""A page cannot set headers, but it can name subprotocols. Unlike URLs, those are not written to logs."""
MIN_TOKEN = 16
"""Fewest characters of an access token."""
DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}


class BadAccess(Exception):  # noqa: N818 - the operator reads it as a sentence
    """The operator's settings for access are not valid."""


class Origins:
    """Which web pages may connect. A client without an `Origin` header is not a page and is always allowed.

    On a loopback address only pages from this machine are allowed: a foreign page can make its own host name resolve
    to this machine (DNS rebinding), so that `Origin` and `Host` are equal. On other addresses, a page is allowed if
    its origin equals our `Host`.
    """

    def __init__(self, allowed: Iterable[str] = (), *, is_loopback: bool = False) -> None:
        self._allowed = {it if it == ANY else _origin(it) for it in allowed}
        self._is_loopback = is_loopback
        if None in self._allowed:
            raise BadAccess("--origin takes an address such as https://cards.example.org, or *")

    def allow(self, headers: Headers) -> bool:
        named = headers.get_all("Origin")
        if not named or ANY in self._allowed:
            return True
        origin = _origin(named[0]) if len(named) == 1 else None
        if origin is None:
            return False
        if origin in self._allowed:
            return True
        scheme, host, port = origin
        if self._is_loopback:
            return is_loopback(host)
        hosts = headers.get_all("Host")
        return len(hosts) == 1 and _origin(f"{scheme}://{hosts[0]}") == (scheme, host, port)


class HostNames:
    """The names by which players reach this server. A client chooses its own `Host` header, so without them a foreign
    server could pass on a proof that a player has signed for its name (T6).
    """  # fmt: skip

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names = frozenset(_host(it) for it in names)
        if "" in self._names:
            raise BadAccess(
                "--host-name takes a name or an address without a scheme, such as cards.example.org"
            )

    def own(self, headers: Headers) -> str | None:
        """The `Host` header. None if there is not exactly one, or if it names another server."""
        named = headers.get_all("Host")
        if len(named) != 1 or (self._names and _host(named[0]) not in self._names):
            return None
        return named[0]


class AccessTokens:
    """The valid access tokens. Without any token, every client is allowed. Only hashes are kept in memory."""

    def __init__(self, tokens: Iterable[str] = ()) -> None:
        self._hashes = tuple(_hashed(token) for token in tokens)

    @classmethod
    def read(cls, file: Path | None) -> "AccessTokens":
        """Read one token per line. Empty lines and lines that begin with # are ignored."""
        if file is None:
            return cls()
        lines = [line.strip() for line in file.read_text(encoding="utf-8").splitlines()]
        tokens = [line for line in lines if line and not line.startswith("#")]
        if not tokens or any(len(token) < MIN_TOKEN or not _is_plain(token) for token in tokens):
            raise BadAccess(
                f"{file}: expected one token per line, each of at least {MIN_TOKEN} letters, digits, - or _"
            )
        return cls(tokens)

    @property
    def are_wanted(self) -> bool:
        return bool(self._hashes)

    def allow(self, headers: Headers) -> bool:
        """Whether the request has a valid token: as `Authorization: Bearer …`, as a password, or as a subprotocol."""
        if not self._hashes:
            return True
        presented = [_hashed(token) for token in _presented(headers)[:4]]
        # Every pair is compared, each in constant time, so that the duration tells nothing about the tokens.
        matches = [hmac.compare_digest(one, known) for one in presented for known in self._hashes]
        return any(matches)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach this host."""
    try:
        return ipaddress.ip_address(host.strip("[]").partition("%")[0]).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _presented(headers: Headers) -> list[str]:
    """All tokens in the headers of a request, valid or not."""
    known = [it.partition(" ") for it in headers.get_all("Authorization")]
    tokens = [value.strip() for scheme, _, value in known if scheme.lower() == "bearer"]
    tokens += [_password(value) for scheme, _, value in known if scheme.lower() == "basic"]
    offered = [it.strip() for line in headers.get_all("Sec-WebSocket-Protocol") for it in line.split(",")]
    return tokens + [it.removeprefix(TOKEN_PREFIX) for it in offered if it.startswith(TOKEN_PREFIX)]


def _password(value: str) -> str:
    """The password of basic authentication. Clients send it for `ws://anybody:TOKEN@host`."""
    try:
        return base64.b64decode(value, validate=True).decode().partition(":")[2]
    except ValueError:  # includes UnicodeDecodeError and binascii.Error
        return ""


def _origin(text: str) -> tuple[str, str, int] | None:
    """Scheme, host and port; None if the text is not an origin, for example `null`."""
    try:
        parts = urlsplit(text.strip().lower())
        port = parts.port or DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return None
    if not parts.hostname or port is None or "@" in parts.netloc or parts.path.strip("/") or parts.query:
        return None
    return parts.scheme, parts.hostname, port


def _hashed(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()


def _is_plain(token: str) -> bool:
    return token.isascii() and all(c.isalnum() or c in "-_" for c in token)


def _host(text: str) -> str:
    """The host of `host:port`, in lower case; empty if the text has another form."""
    try:
        return "" if "/" in text or "@" in text else urlsplit(f"//{text}").hostname or ""
    except ValueError:
        return ""
