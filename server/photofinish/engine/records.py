"""Base classes of states, views and moves: frozen structs that msgspec can encode."""

import re
from typing import TypeVar

import msgspec

S = TypeVar("S", bound=msgspec.Struct)


class Record(msgspec.Struct, frozen=True):
    """A part of a state or a view. All nested values are immutable: use tuples and `replace`."""


def _tag(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag=_tag):
    """A message a seat may send. `class PeekMine(Move)` is `{"t": "peek_mine", …}` on the wire."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game. Each field has a default; a number also has bounds (`Meta`)."""


replace = msgspec.structs.replace
"""The same record with some fields changed. An alias, because it is faster: a step of Cambio calls it twelve times."""


def move_name(move: type[Move] | Move) -> str:
    """The name of a move on the wire."""
    tag = move.__struct_config__.tag
    assert isinstance(tag, str)
    return tag
