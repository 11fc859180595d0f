"""The randomness of an event: a committed secret E, the players' nonces N, and values derived from them (T41–T44)."""

import hashlib
import hmac
from collections.abc import Iterable, Mapping

from photofinish.engine import Rng

WORD = 1 << 32


def nonce_hash(nonce: bytes) -> str:
    return hashlib.sha256(nonce).hexdigest()


def mixed(nonces: Mapping[str, bytes]) -> bytes:
    """T41: N. Each nonce as its SHA-256, in order of key; a withheld or false one is empty."""
    return hashlib.sha256(b"".join(hashlib.sha256(nonces[key]).digest() for key in sorted(nonces))).digest()


def _four(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(4, "big") for number in numbers)


def deal_seed(secret: bytes, n: bytes, round_: int, deal: int, attempt: int) -> bytes:
    """T42: D(r, h, a), the seed of every room of one deal."""
    return hmac.digest(secret, b"photofinish duplicate" + _four(round_, deal, attempt) + n, "sha256")


def room_seed(secret: bytes, round_: int, table: int, game: int, attempt: int) -> bytes:
    """The seed of a room that shares its deal with no other. It is derived from E, so it is the same after a crash."""
    return hmac.digest(secret, b"photofinish room seed" + _four(round_, table, game, attempt), "sha256")


def pairing_key(secret: bytes, n: bytes, round_: int) -> bytes:
    """T44: K(r). K(0) is for the seeding lots and the final lot."""
    return hmac.digest(secret, b"photofinish pairing" + _four(round_) + n, "sha256")


class RandomWords:
    """The 32-bit words of a key's stream, step 0."""

    def __init__(self, key: bytes) -> None:
        self._rng = Rng(key, 0)

    def next(self) -> int:
        return self._rng.below(WORD)


def lots(key: bytes, numbers: Iterable[int]) -> dict[int, int]:
    """One word per entrant, by entrant number (`lot` in §6, T27)."""
    words = RandomWords(key)
    return {number: words.next() for number in sorted(numbers)}
