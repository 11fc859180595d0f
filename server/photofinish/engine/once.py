"""Computes only once what all viewers of a state share."""

from collections.abc import Callable
from typing import Any, TypeVar

S = TypeVar("S")
T = TypeVar("T")


def once(function: Callable[[S], T]) -> Callable[[S], T]:
    """The same function, but it keeps its value for the last state.

    The room asks for the views of one state one after the other, so all viewers but the first get the kept value.
    `function` does not get the viewer, so its value contains nothing that only some viewers may know.
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
