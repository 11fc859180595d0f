"""Offers as they go over the wire: what a seat may send now."""

from typing import Any, Literal, TypeAlias

import msgspec

Where: TypeAlias = Literal["", "different_seats", "different_values"]
"""`different_seats`: the first two fields are objects with a `seat`, which must differ.
`different_values`: the values of the first two fields must differ."""


class OneOf(msgspec.Struct, frozen=True, tag_field="k", tag="one", omit_defaults=True):
    """Pick one row; its values fill `fields` in order. `optional`: or leave all of these fields out."""

    fields: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    optional: bool = False


class SomeOf(msgspec.Struct, frozen=True, tag_field="k", tag="some", omit_defaults=True):
    """Pick `least` to `most` different `values` as a list.

    With `weights` (one per value), the weights picked must add up to one of `sums`, or to at least `sum_least`.
    """

    field: str
    values: tuple[Any, ...]
    least: int = 0
    most: int = 1
    weights: tuple[int, ...] = ()
    sums: tuple[int, ...] = ()
    sum_least: int | None = None
    optional: bool = False


class Amounts(msgspec.Struct, frozen=True, tag_field="k", tag="amounts", omit_defaults=True):
    """Give each key a number from 0 to its limit (a 0 may be left out); together `least` to `most`."""

    field: str
    limits: dict[str, int]
    least: int = 0
    most: int = 0
    optional: bool = False


Choice: TypeAlias = OneOf | SomeOf | Amounts


class Offer(msgspec.Struct, frozen=True, omit_defaults=True):
    """One move you may send now: its name, and one choice for each group of fields.

    Choices are independent of each other, but for `where`, which ties the first two:
    `different_seats` (two objects whose `seat` must differ), `different_values`.
    """

    move: str
    choices: tuple[Choice, ...] = ()
    where: Where = ""
    text: str = ""
    awaited: bool = False
    """The table waits for this seat: one of the offers marked so is the answer. All others may be left alone."""
    risky: bool = False
    """A wrong move of this kind costs something by the rules."""
