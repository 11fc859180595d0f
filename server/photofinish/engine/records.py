"""What states, views and moves are made of: frozen structs that msgspec can carry."""

import re
from typing import Any, TypeVar

import msgspec

S = TypeVar("S", bound=msgspec.Struct)


class Record(msgspec.Struct, frozen=True):
    """A part of a state or a view. Frozen all the way down: use tuples and `replace`."""


def _tag(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag=_tag):
    """A message a seat may send. `class PeekMine(Move)` is `{"t": "peek_mine", …}` on the wire."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a host may set. Each field has a default and, where it is a number, its bounds (`Meta`)."""


def replace(record: S, **changes: Any) -> S:
    """The same record with some fields changed."""
    return msgspec.structs.replace(record, **changes)


def move_name(move: type[Move] | Move) -> str:
    """The name a move goes by on the wire."""
    tag = move.__struct_config__.tag
    assert isinstance(tag, str)
    return tag
