"""HMAC-SHA-256 (RFC 2104) for keys that are used many times.

`hmac.digest` looks the algorithm up in OpenSSL each time: 2 µs in a loop of its own, 19 µs between other work, where
it was 4 % of a move of Kodiak. A copy of a hash that has read its padded key looks nothing up.
"""

from functools import lru_cache
from hashlib import sha256
from typing import Any

BLOCK = 64
"""Bytes of a block that SHA-256 works on."""
_INNER, _OUTER = (bytes(it ^ pad for it in range(256)) for pad in (0x36, 0x5C))


def padded(key: bytes) -> tuple[Any, Any]:
    """Two hashes that have read this key. Only copies of them may be updated."""
    if len(key) > BLOCK:
        key = sha256(key).digest()
    key = key.ljust(BLOCK, b"\0")
    return sha256(key.translate(_INNER)), sha256(key.translate(_OUTER))


_kept = lru_cache(maxsize=1_024)(padded)


def keyed_hash(key: bytes, message: bytes) -> bytes:
    """The same as `hmac.digest(key, message, "sha256")`."""
    inner, outer = _kept(key)
    first, second = inner.copy(), outer.copy()
    first.update(message)
    second.update(first.digest())
    digest: bytes = second.digest()
    return digest
