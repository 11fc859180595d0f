"""The result of one check of `photofinish doctor`."""

from typing import Literal, TypeAlias

import msgspec

State: TypeAlias = Literal["ok", "warn", "fail"]


class Finding(msgspec.Struct, frozen=True):
    """`advice` is empty when there is nothing to do."""

    name: str
    state: State
    found: str
    advice: str = ""
