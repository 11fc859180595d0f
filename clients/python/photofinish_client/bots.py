"""Players that know no rules. They play any game from its offers."""

import random
from dataclasses import dataclass, field
from typing import Final

from photofinish_client.offers import sample
from photofinish_client.player import Decision
from photofinish_protocol.messages import View

QUICKEST: Final = 0.15
"""Shortest reaction in a race, in seconds. The server counts a reaction below 0.1 s as a false start."""


@dataclass(slots=True)
class RandomPlayer:
    """Plays a random move that is offered. In a race it mostly waits; otherwise it would slap every card."""

    chance: random.Random = field(default_factory=random.Random)
    pause: float = 0.0
    """Seconds before it makes an ordinary move."""
    eager: float = 0.2
    """Probability that it makes a move in an open race."""

    def choose(self, view: View) -> Decision:
        if view.you is None or view.over is not None:
            return None
        calm = [it for it in view.offers if it.awaited]
        contested = view.race.moves if view.race else ()
        quick = [it for it in view.offers if not it.awaited and (it.risky or it.move in contested)]
        if quick and self.chance.random() < self.eager and (move := sample(quick, self.chance)):
            return move, self.chance.uniform(QUICKEST, 0.6)
        move = sample(calm, self.chance)
        return (move, self.pause) if move is not None else None
