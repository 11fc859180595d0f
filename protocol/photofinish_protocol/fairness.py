"""The hash by which a player commits to a nonce (FAIRNESS.md)."""

import hashlib


def nonce_commit(nonce: bytes) -> str:
    """What `ready` carries. The prefix keeps it apart from every other hash of a nonce."""
    return hashlib.sha256(b"photofinish nonce" + nonce).hexdigest()
