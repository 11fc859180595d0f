"""The interface of a house bot. It decides from its own redacted views and its offers, like any client."""

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
    """The move that the bot has chosen, and the time a person would take for it."""

    move: Sent
    after: Millis


Thought: TypeAlias = Generator[None, None, Intent | None]
"""A decision that takes long to compute. It yields often, so that other tasks can run, and returns the decision."""


class BotBrain(Protocol[V_contra]):
    """One house bot in one seat of one game. It remembers only what it has read in its views."""

    def see(self, view: V_contra) -> None:
        """A view arrived. Called once per view, in order, before `choose` is called for that view."""

    def choose(self, view: V_contra, offers: tuple[Offer, ...]) -> Intent | Thought | None:
        """The next move, or None to wait. Called again after every view; the last answer counts.

        A bot that may need more than half a millisecond returns a `Thought`. The thought is cancelled if a view
        arrives that offers other kinds of moves or another race. Any other view waits until the thought is done.
        """


MakeBotBrain: TypeAlias = Callable[[Seat, Strength, Rng], BotBrain[V_contra]]


def settle(answer: Intent | Thought | None) -> Intent | None:
    """The decision. Runs a `Thought` to its end without a pause."""
    if not isinstance(answer, Generator):
        return answer
    while True:
        try:
            next(answer)
        except StopIteration as end:
            decision: Intent | None = end.value
            return decision


class LastDecision:
    """Keeps the last decision of a bot: if the same question is asked again, it gets the same answer.

    So a bot does not change its decision while its offers and its part of the view stay the same. `least` and `spread`
    give the time that a person would take, in milliseconds.
    """

    def __init__(self, rng: Rng, *, least: int, spread: int) -> None:
        self._rng, self._least, self._spread = rng, least, spread
        self._last: tuple[object, Intent] | None = None

    def answer(self, question: object, move: Generator[None, None, Sent | None]) -> Thought:
        """The kept answer to this question, else the result of `move`. None is not kept."""
        if self._last and self._last[0] == question:
            return self._last[1]
        sent = yield from move
        if sent is None:
            return None
        intent = Intent(sent, Millis(self._least + self._rng.below(self._spread)))
        self._last = question, intent
        return intent


def weigh(options: Iterable[T], worth: Callable[[T], float]) -> Generator[None, None, T]:
    """The first option with the highest worth. Yields after each option."""
    best: tuple[float, T] | None = None
    for it in options:
        value = worth(it)
        if best is None or value > best[0]:
            best = value, it
        yield
    assert best is not None, "weigh needs at least one option"
    return best[1]
