"""T36: the places of a finished game, competition style: equal results share a place (1, 1, 3)."""

from collections.abc import Sequence
from typing import Any

from photofinish.engine.game import AnyGame


def ranked(worth: Sequence[Any]) -> tuple[int, ...]:
    """The place of each value. The greatest value has place 1; equal values share a place."""
    return tuple(1 + sum(other > own for other in worth) for own in worth)


def places(game: AnyGame, state: Any) -> tuple[int, ...]:
    """The place of each seat in a finished game: from the game itself, or winners first and the others by score."""
    if game.places is not None:
        return game.places(state)
    outcome = game.outcome(state)
    assert outcome is not None, "the game is not over"
    sign = -1 if game.lower_is_better else 1
    scores = game.scores(state)
    top = max((sign * score for score in scores), default=0)
    return ranked(
        [
            (seat in outcome.winners, top if seat in outcome.winners else sign * own)
            for seat, own in enumerate(scores)
        ]
    )
