"""The engine, the Python SDK and the wire mean the same by an offer: every small offer, every move, both answers."""

import itertools
from typing import Any

import msgspec
import pytest

from photofinish.engine import offers as engine
from photofinish_client import offers as sdk
from photofinish_protocol import offers as wire

SLOTS = ({"seat": 0, "at": 0}, {"seat": 0, "at": 1}, {"seat": 1, "at": 0})
NUMBERS = (1, 2)


def as_wire(it: engine.Offer) -> wire.Offer:
    return msgspec.convert(msgspec.to_builtins(it), wire.Offer)


def every_offer() -> list[engine.Offer]:
    kinds: list[tuple[engine.Where, tuple[Any, ...]]] = [
        ("different_seats", SLOTS), ("different_values", NUMBERS), ("", NUMBERS),
    ]  # fmt: skip
    return [
        engine.Offer(
            "swap",
            tuple(
                engine.OneOf((name,), tuple((value,) for value in values), optional=optional)
                for name, optional in zip(("a", "b"), optionals, strict=True)
            ),
            where,
        )
        for where, values in kinds
        for optionals in itertools.product((False, True), repeat=2)
    ]


@pytest.mark.parametrize("it", every_offer(), ids=lambda it: f"{it.where}-{[c.optional for c in it.choices]}")
def test_both_allow_the_same_moves_also_with_a_field_left_out(it: engine.Offer) -> None:
    values = [row[0] for row in it.choices[0].rows]
    for first, second in itertools.product((None, *values), repeat=2):
        sent = {name: value for name, value in (("a", first), ("b", second)) if value is not None}
        assert sdk.is_allowed(as_wire(it), sent) is engine._allowed(it, sent), sent
