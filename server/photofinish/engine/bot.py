"""What a house player is: it decides from its own redacted views and the offers, like any client."""

from collections.abc import Callable, Generator, Iterable
from enum import StrEnum
from typing import Protocol, TypeAlias, TypeVar

import msgspec

from photofinish.engine.ids import Millis, Seat
from photofinish.engine.offers import Offer, Sent
from photofinish.engine.rng import Rng

T = TypeVar("T")
V_contra = TypeVar("V_contra", contravariant=True)


class Strength(StrEnum):
    EASY = "easy"
    MEDIUM = "medium"
    STRONG = "strong"


class Intent(msgspec.Struct, frozen=True):
    """A move the player has decided on, and how long a person would have taken over it."""

    move: Sent
    after: Millis


Thought: TypeAlias = Generator[None, None, Intent | None]
"""A long thought: it stops for breath wherever somebody else may want the processor, and ends with a decision."""


class House(Protocol[V_contra]):
    """One house player in one seat of one game. Its memory is a fold over the views it was sent."""

    def see(self, view: V_contra) -> None:
        """A view arrived. Called once for each view, in order, before `choose` is asked about it."""

    def choose(self, view: V_contra, offers: tuple[Offer, ...]) -> Intent | Thought | None:
        """What to do now, or None to wait. Asked again after every view; the last answer counts.

        A player that may think for longer than half a millisecond answers with a `Thought`. It is given up if
        a view comes that offers other kinds of moves or another race; any other view waits until it is done.
        """


MakeHouse: TypeAlias = Callable[[Seat, Strength, Rng], House[V_contra]]


def settle(answer: Intent | Thought | None) -> Intent | None:
    """The decision, for those who have the time to wait for it."""
    if not isinstance(answer, Generator):
        return answer
    while True:
        try:
            next(answer)
        except StopIteration as end:
            decision: Intent | None = end.value
            return decision


def weigh(options: Iterable[T], worth: Callable[[T], float]) -> Generator[None, None, T]:
    """The first of those worth most, with a breath after each."""
    best: tuple[float, T] | None = None
    for it in options:
        value = worth(it)
        if best is None or value > best[0]:
            best = value, it
        yield
    assert best is not None, "there is always something to choose from"
    return best[1]
