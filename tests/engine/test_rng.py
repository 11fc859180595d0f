"""The random numbers, checked against a second, small implementation of the same specification."""

import hashlib
import math
import struct
from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from photofinish.engine.rng import Draw, NotedRng, Rng, commitment, game_key


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """RFC 2104 by hand. It shares only SHA-256 with the engine."""
    block = (hashlib.sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
    inner = hashlib.sha256(bytes(b ^ 0x36 for b in block) + message).digest()
    return hashlib.sha256(bytes(b ^ 0x5C for b in block) + inner).digest()


def words(key: bytes, step: int) -> Iterator[int]:
    counter = 0
    while True:
        block = hmac_sha256(key, step.to_bytes(8, "big") + counter.to_bytes(8, "big"))
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
        counter += 1


def below(stream: Iterator[int], n: int) -> int:
    return next(word for word in stream if word < 2**32 // n * n) % n


@given(st.binary(max_size=100), st.integers(0, 2**64 - 1), st.lists(st.integers(1, 2**32), max_size=40))
def test_every_draw_can_be_recomputed(key: bytes, step: int, limits: list[int]) -> None:
    rng, stream = Rng(key, step), words(key, step)

    assert [rng.below(n) for n in limits] == [below(stream, n) for n in limits]


def test_a_known_vector_for_authors_of_a_verifier() -> None:
    """From another program: `head -c 16 /dev/zero | openssl dgst -sha256 -hmac photofinish`."""
    first = bytes.fromhex("2d6124ef8f851d63b42d21a9ab4d75bf5d0ce0d158a24b54c59059c11f8b58b8")
    rng = Rng(b"photofinish", 0)

    assert [rng.below(2**32) for _ in range(8)] == list(struct.unpack(">8I", first))


@given(st.binary(max_size=40), st.integers(0, 1000), st.lists(st.integers(), max_size=80))
def test_every_shuffle_can_be_recomputed_and_loses_no_card(key: bytes, step: int, cards: list[int]) -> None:
    rng, stream, expected = NotedRng(key, step), words(key, step), list(cards)
    for last in range(len(expected) - 1, 0, -1):
        other = below(stream, last + 1)
        expected[last], expected[other] = expected[other], expected[last]
    shuffled = rng.shuffled(cards)

    assert list(shuffled) == expected
    assert Counter(shuffled) == Counter(cards)
    (draw,) = rng.draws
    assert draw.of == len(cards)
    assert [cards[place] for place in draw.order or ()] == expected
    assert Rng(key, step).shuffled(cards) == shuffled


def test_every_draw_is_noted_in_order_and_the_notes_change_nothing() -> None:
    noted, plain = NotedRng(b"key", 3), Rng(b"key", 3)

    found = (noted.below(6), noted.shuffled("abc"), noted.pick("xyz"), noted.shuffled(""), noted.below(1))
    assert found == (
        plain.below(6),
        plain.shuffled("abc"),
        plain.pick("xyz"),
        plain.shuffled(""),
        plain.below(1),
    )
    assert noted.draws == [
        Draw(6, got=found[0]),
        Draw(3, order=tuple("abc".index(it) for it in found[1])),
        Draw(3, got="xyz".index(found[2])),
        Draw(0, order=()),
        Draw(1, got=0),
    ]


def test_each_step_and_each_key_has_its_own_random_numbers() -> None:
    draws = {tuple(Rng(key, step).shuffled(range(20))) for key in (b"a", b"b") for step in range(50)}

    assert len(draws) == 100


def test_all_orders_of_four_cards_are_equally_likely() -> None:
    """Chi-squared with 23 degrees of freedom. The keys are fixed, so it cannot fail by chance."""
    rounds = 12_000
    seen = Counter(Rng(b"uniform", step).shuffled("abcd") for step in range(rounds))
    expected = rounds / math.factorial(4)
    chi = sum((seen[order] - expected) ** 2 / expected for order in permutations("abcd"))

    assert set(seen) == set(permutations("abcd"))
    assert chi < 49.7  # one in a thousand


def test_no_side_of_a_die_is_favoured() -> None:
    rng = Rng(b"die", 1)
    seen = Counter(rng.below(6) for _ in range(60_000))

    assert sum((seen[side] - 10_000) ** 2 / 10_000 for side in range(6)) < 20.5


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_a_draw_from_an_empty_or_too_large_range_is_an_assertion_error(n: int) -> None:
    with pytest.raises(AssertionError):
        Rng(b"", 0).below(n)


def test_the_key_is_made_of_the_committed_seed_and_the_nonce_of_every_seat() -> None:
    seed, nonces = b"s" * 32, [b"north", b"south"]
    mixed = b"".join(hashlib.sha256(nonce).digest() for nonce in nonces)

    assert game_key(seed, nonces) == hmac_sha256(seed, b"photofinish deal" + mixed)
    assert game_key(seed, nonces) != game_key(seed, nonces[::-1])
    assert game_key(seed, [b"northsouth"]) != game_key(seed, nonces)
    assert commitment(seed) == hashlib.sha256(seed).hexdigest()
