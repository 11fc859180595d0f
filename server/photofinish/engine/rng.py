"""Random numbers that any language can compute again: HMAC-SHA-256 in counter mode.

`Rng(key, step)` yields the blocks `HMAC(key, step ‖ counter)` (both 8 bytes, big-endian), each cut into eight
32-bit big-endian words. `below(n)` takes words until one is less than the largest multiple of n, and returns
it modulo n. `shuffled` is Fisher–Yates from the last place down. Nothing else is random in a game.

The deal of hand k has a stream of its own, that of step 2^40 + k. So it does not depend on how many steps were played
before it, and tables with the same key get the same hands (T74).
"""

import hashlib
import hmac
import struct
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

BLOCK = 64
"""Bytes of a block that SHA-256 works on."""
_INNER, _OUTER = (bytes(it ^ pad for it in range(256)) for pad in (0x36, 0x5C))
_WORDS, _PLACE = struct.Struct(">8I"), struct.Struct(">QQ")
_SPAN = 1 << 32
HANDS = 1 << 40
"""The stream of hand k is that of step `HANDS` + k."""


def padded(key: bytes) -> tuple[Any, Any]:
    """Two hashes that have read this key. Only copies of them may be updated."""
    if len(key) > BLOCK:
        key = sha256(key).digest()
    key = key.ljust(BLOCK, b"\0")
    return sha256(key.translate(_INNER)), sha256(key.translate(_OUTER))


_kept = lru_cache(maxsize=1_024)(padded)


def keyed_hash(key: bytes, message: bytes) -> bytes:
    """The same as `hmac.digest(key, message, "sha256")`, for keys that are used many times.

    `hmac.digest` looks the algorithm up in OpenSSL each time: 2 µs in a loop of its own, 19 µs between other work,
    where it was 4 % of a move of Kodiak. A copy of a hash that has read its padded key looks nothing up.
    """
    inner, outer = _kept(key)
    first, second = inner.copy(), outer.copy()
    first.update(message)
    second.update(first.digest())
    digest: bytes = second.digest()
    return digest


class Draw(msgspec.Struct, frozen=True, omit_defaults=True):
    """One random draw: a number `got` below `of`, or the `order` of a list of `of` things after its shuffle.

    `order` has, for each place of the shuffled list, the place where that thing was before.
    """

    of: int
    got: int | None = None
    order: tuple[int, ...] | None = None
    hand: int = 0
    """The hand whose stream it is from; 0: the stream of its step."""


class Rng:
    """The random numbers of one step of one game."""

    __slots__ = ("_counter", "_key", "_step", "_words")

    def __init__(self, key: bytes, step: int) -> None:
        self._key = key
        self._step = step
        self._counter = 0
        self._words: list[int] = []

    def below(self, n: int) -> int:
        """A whole number from 0 to n − 1, each equally likely."""
        assert 0 < n <= _SPAN
        limit = _SPAN - _SPAN % n
        # No function call for each word: the draw of a round of pods takes a hundred thousand words (T54).
        while True:
            words = self._words or self._block()
            word = words.pop()
            if word < limit:
                return word % n

    def shuffled(self, items: Iterable[T]) -> tuple[T, ...]:
        deck, below = list(items), Rng.below
        for last in range(len(deck) - 1, 0, -1):
            # `below` of this class: `NotedRng` notes the order of the whole list, not each number.
            other = below(self, last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return tuple(deck)

    def hand(self, number: int) -> "Rng":
        """The random numbers of this hand, whatever was played before. Call it once per hand."""
        return Rng(self._key, HANDS + number)

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def _block(self) -> list[int]:
        """The next eight words in reverse order, so that `pop` takes them in the right order."""
        block = keyed_hash(self._key, _PLACE.pack(self._step, self._counter))
        self._counter += 1
        self._words = [*_WORDS.unpack(block)]
        self._words.reverse()
        return self._words


class NotedRng(Rng):
    """The same random numbers. It notes every draw for the log."""

    __slots__ = ("_hand", "draws")

    def __init__(self, key: bytes, step: int) -> None:
        # The same as in `Rng`, without a call to `super()`: a new one is made for every step.
        self._key, self._step, self._counter = key, step, 0
        self._words = []
        self.draws: list[Draw] = []
        self._hand = 0

    def hand(self, number: int) -> "NotedRng":
        """The same as in `Rng`. The draws of this stream are added to those of the step."""
        assert number > 0
        rng = NotedRng(self._key, HANDS + number)
        rng.draws, rng._hand = self.draws, number
        return rng

    def below(self, n: int) -> int:
        got = super().below(n)
        self.draws.append(Draw(n, got=got, hand=self._hand))
        return got

    def shuffled(self, items: Iterable[T]) -> tuple[T, ...]:
        deck = tuple(items)
        order = super().shuffled(range(len(deck)))
        self.draws.append(Draw(len(deck), order=order, hand=self._hand))
        return tuple(deck[place] for place in order)


def commitment(seed: bytes) -> str:
    """What is published before the deal; the seed itself is shown at the end."""
    return hashlib.sha256(seed).hexdigest()


def nonce_commit(nonce: bytes) -> str:
    """What a player publishes before the deal. The nonce itself follows after `start`."""
    return hashlib.sha256(b"photofinish nonce" + nonce).hexdigest()


def game_key(seed: bytes, nonces: Sequence[bytes]) -> bytes:
    """The key of a game's random numbers: the committed seed and each seat's nonce, in seat order."""
    mixed = b"".join(hashlib.sha256(nonce).digest() for nonce in nonces)
    return hmac.digest(seed, b"photofinish deal" + mixed, "sha256")
