"""Keyed hashes are those of the standard library, for keys of every length."""

import hmac

from photofinish.engine.rng import BLOCK, keyed_hash


def test_keyed_hashes_are_those_of_the_standard_library() -> None:
    for size in (0, 1, 32, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK):
        key = bytes((7 * it) % 256 for it in range(size))
        for message in (b"", b"race:1\0\3", bytes(200), b"race:1\0\3"):
            assert keyed_hash(key, message) == hmac.digest(key, message, "sha256")
