"""Who may come in: pages by their origin, everybody by an access token where the operator asks for one."""

import base64
import hashlib
import hmac
import ipaddress
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from websockets.datastructures import Headers

ANY = "*"
TOKEN_WORD = "photofinish.token."  # noqa: S105 - what stands before a token among the subprotocols, not a token
"""A page cannot set headers, but it can name subprotocols; unlike an address, those stand in no log."""
SHORTEST = 16
DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}


class BadAccess(Exception):  # noqa: N818 - the operator reads it as a sentence
    """The operator's wishes for who may come in make no sense."""


class Origins:
    """Which pages may connect. A client that names no origin is no page, and none of this is about it.

    On a loopback address only pages of this very machine are let in: a foreign page can make its own name
    point here (DNS rebinding), and would then have the same host as we do. Elsewhere our own host will do.
    """

    def __init__(self, allowed: Iterable[str] = (), *, is_loopback: bool = False) -> None:
        self._allowed = {it if it == ANY else _origin(it) for it in allowed}
        self._is_loopback = is_loopback
        if None in self._allowed:
            raise BadAccess("--origin takes an address such as https://cards.example.org, or *")

    def may(self, headers: Headers) -> bool:
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


class AccessTokens:
    """The words that open the door. None: it stands open. Only their hashes are kept."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self._hashes = tuple(_hashed(word) for word in words)

    @classmethod
    def read(cls, file: Path | None) -> "AccessTokens":
        """One a line; empty lines and those that begin with # say nothing."""
        if file is None:
            return cls()
        lines = [line.strip() for line in file.read_text(encoding="utf-8").splitlines()]
        words = [line for line in lines if line and not line.startswith("#")]
        if not words or any(len(word) < SHORTEST or not _is_plain(word) for word in words):
            raise BadAccess(f"{file}: one token a line, each at least {SHORTEST} letters, digits, - or _")
        return cls(words)

    @property
    def are_wanted(self) -> bool:
        return bool(self._hashes)

    def may(self, headers: Headers) -> bool:
        """Is a right one shown: as `Authorization: Bearer …`, as a password, as a subprotocol `photofinish.token.…`?"""
        if not self._hashes:
            return True
        shown = [_hashed(word) for word in _shown(headers)[:4]]
        # Every pair is compared, each in constant time: how long it takes says nothing of which one was nearly right.
        matches = [hmac.compare_digest(one, known) for one in shown for known in self._hashes]
        return any(matches)


def is_loopback(host: str) -> bool:
    """Does only this machine reach it?"""
    try:
        return ipaddress.ip_address(host.strip("[]").partition("%")[0]).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _shown(headers: Headers) -> list[str]:
    known = [it.partition(" ") for it in headers.get_all("Authorization")]
    bearers = [word.strip() for scheme, _, word in known if scheme.lower() == "bearer"]
    bearers += [_password(word) for scheme, _, word in known if scheme.lower() == "basic"]
    offered = [it.strip() for line in headers.get_all("Sec-WebSocket-Protocol") for it in line.split(",")]
    return bearers + [it.removeprefix(TOKEN_WORD) for it in offered if it.startswith(TOKEN_WORD)]


def _password(word: str) -> str:
    """`ws://anybody:TOKEN@host` sends the token so, with any client."""
    try:
        return base64.b64decode(word, validate=True).decode().partition(":")[2]
    except ValueError:  # a UnicodeDecodeError is one, and so is a binascii.Error
        return ""


def _origin(text: str) -> tuple[str, str, int] | None:
    """Scheme, host and port; None for what is no origin, such as `null`."""
    try:
        parts = urlsplit(text.strip().lower())
        port = parts.port or DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return None
    if not parts.hostname or port is None or "@" in parts.netloc or parts.path.strip("/") or parts.query:
        return None
    return parts.scheme, parts.hostname, port


def _hashed(word: str) -> bytes:
    return hashlib.sha256(word.encode("utf-8", "surrogateescape")).digest()


def _is_plain(word: str) -> bool:
    return word.isascii() and all(c.isalnum() or c in "-_" for c in word)
