"""The base classes and common field types of all messages."""

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from photofinish_protocol.version import MAX_ID

Id: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_ID)]
SeatNo: TypeAlias = Annotated[int, Meta(ge=0, le=15)]
Code: TypeAlias = Annotated[str, Meta(min_length=1, max_length=16)]
Word: TypeAlias = Annotated[str, Meta(max_length=32)]
Token: TypeAlias = Annotated[str, Meta(max_length=128)]
AbsentSeconds: TypeAlias = Annotated[int, Meta(ge=5, le=86_400)]
ABSENT_SECONDS = 120
Us: TypeAlias = int
"""Whole microseconds."""


class Request(msgspec.Struct, frozen=True, tag_field="t", tag=str.lower, kw_only=True, omit_defaults=True):
    """A message from a client. `id` counts up; each is answered by exactly one `ack` or `refused`."""

    id: Id


class Part(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of a server message."""


class Say(msgspec.Struct, frozen=True, tag_field="t", tag=str.lower, kw_only=True, omit_defaults=True):
    """A message from the server."""
