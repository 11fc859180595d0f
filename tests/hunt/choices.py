"""The world with another choice: a seat chooses in secret, and in a second room it chooses something else.

Until the choice is revealed nobody else may be able to tell the two rooms apart. After that they are compared like
any two worlds (`tests/hunt/room_driver.py`).
"""

from typing import Any

import msgspec

from photofinish.engine import AnyGame, Rng, Seat, Viewer
from photofinish.engine.offers import sample
from photofinish.room.facts import Fact, Requested
from photofinish_protocol import messages

SECRET = {
    "cauldron15": ("spend",),  # B25
    "gravekeepers": ("final", "place"),  # G26, G12
    "hameln_cave": ("pass",),  # H9
    "jamaica": ("choose",),  # J8
    "rune_market": ("throw",),  # R40
}
"""Moves that everybody may notice, while only the seat itself may know what was chosen."""
TRIES = 4


def secret_choice(game: AnyGame, facts: tuple[Fact, ...]) -> Requested | None:
    """The first of these acts that is such a choice."""
    for it in facts:
        message = it.message if isinstance(it, Requested) else None
        if isinstance(message, messages.Play) and message.move.get("t") in SECRET.get(game.key, ()):
            return it  # type: ignore[return-value]  # its message is an act's
    return None


def may_be_seen(game: AnyGame, state: Any, viewer: Viewer) -> bool:
    """Aria is shown her partner's card before she passes (H35)."""
    return game.key == "hameln_cave" and viewer is not None and state.characters[viewer] == "aria"


def chosen_otherwise(game: AnyGame, state: Any, seat: Seat, act: Requested, dice: Rng) -> Requested | None:
    """The same act with another choice, if there is one."""
    assert isinstance(act.message, messages.Play)
    sent = act.message.move
    offers = tuple(it for it in game.offers(state, seat) if it.move == sent["t"])
    for _ in range(TRIES):
        other = sample(offers, dice) if offers else None
        if other is not None and other != sent:
            message = msgspec.structs.replace(act.message, move=other)
            return msgspec.structs.replace(act, message=message)
    return None
