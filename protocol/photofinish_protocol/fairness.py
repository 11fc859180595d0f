"""The hash by which a player commits to a nonce (FAIRNESS.md)."""

import hashlib


def nonce_commit(nonce: bytes) -> str:
    """The `commit` of `ready`. The prefix makes it different from every other hash of the nonce."""
    return hashlib.sha256(b"photofinish nonce" + nonce).hexdigest()
