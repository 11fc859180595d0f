"""What all viewers of a state share is computed once."""

from collections.abc import Callable
from typing import Any, TypeVar

S = TypeVar("S")
T = TypeVar("T")


def once(function: Callable[[S], T]) -> Callable[[S], T]:
    """The same function. It keeps its value for the last state: the room asks for one viewer after the other.

    `function` gets no viewer, so its value contains nothing that only some viewers may know.
    """
    kept: tuple[Any, Any] = (None, None)

    def value(state: S) -> T:
        nonlocal kept
        last, made = kept
        if last is not state:
            made = function(state)
            kept = state, made
        return made  # type: ignore[no-any-return]  # a value of `function`

    return value
