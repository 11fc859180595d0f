"""T36: who came in where, competition style: equal is equal, and after two firsts comes a third (1, 1, 3)."""

from collections.abc import Sequence
from typing import Any

from photofinish.engine.game import AnyGame


def ranked(worth: Sequence[Any]) -> tuple[int, ...]:
    """The place of each, the greatest worth first."""
    return tuple(1 + sum(other > own for other in worth) for own in worth)


def places(game: AnyGame, state: Any) -> tuple[int, ...]:
    """The places of a finished game by seat: as the game says, or the winners first and the rest by score."""
    if game.places is not None:
        return game.places(state)
    outcome = game.outcome(state)
    assert outcome is not None, "a game that goes on has no places"
    sign = -1 if game.lower_is_better else 1
    scores = game.scores(state)
    top = max((sign * score for score in scores), default=0)
    return ranked(
        [
            (seat in outcome.winners, top if seat in outcome.winners else sign * own)
            for seat, own in enumerate(scores)
        ]
    )
