"""The moves that a seat may send now, in a form that a client can use without knowing the rules.

An offer is the name of a move and the choices for its fields. The choices are independent of each other, except
for at most one named constraint (`where`). So a swap at eight seats is two lists of slots, not 448 moves. The types
are those of the protocol; here is what a game needs to make them.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

from photofinish.engine.records import Move, move_name
from photofinish.engine.rng import Rng
from photofinish_protocol import offered_moves
from photofinish_protocol.offered_moves import Sent, admits, moves, sample
from photofinish_protocol.offers import Amounts, Choice, Offer, OneOf, SomeOf, Where

__all__ = [
    "Amounts", "Choice", "Offer", "OneOf", "Sent", "SomeOf", "Where",
    "admits", "moves", "offer", "one", "rows", "sample", "sample_one",
]  # fmt: skip


def offer(
    move: type[Move],
    *choices: Choice,
    where: Where = "",
    text: str = "",
    awaited: bool = True,
    risky: bool = False,
) -> Offer:
    """`awaited` False: the table never waits for this move; it is possible at any time (a slap, a pounce)."""
    return Offer(move_name(move), choices, where, text, awaited, risky)


def one(field: str, values: Iterable[Any], *, optional: bool = False) -> OneOf:
    """One field with one of these values."""
    return OneOf((field,), tuple((value,) for value in values), optional)


def rows(fields: str, values: Iterable[tuple[Any, ...]], *, optional: bool = False) -> OneOf:
    """Several fields (`"seat slot mark"`) that one row fills together."""
    return OneOf(_fields(fields), tuple(values), optional)


@cache
def _fields(fields: str) -> tuple[str, ...]:
    return tuple(fields.split())


def sample_one(it: Offer, rng: Rng) -> Sent:
    """A random move of one offer of a game: it always has one."""
    sent = offered_moves.sample_one(it, rng)
    assert sent is not None, f"the offer {it.move} has no move"
    return sent
