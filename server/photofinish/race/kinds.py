"""What a move is in a race. The room sorts by it, and the verifier checks it."""

from typing import Any

from photofinish.engine import Move, Race
from photofinish.race.score import Kind


def kind_of(race: Race[Any], move: Move) -> Kind:
    if isinstance(move, race.contested):
        return "contested"
    if race.closers and isinstance(move, race.closers):
        return "closer"
    if race.anytime and isinstance(move, race.anytime):
        return "anytime"
    return "other"
