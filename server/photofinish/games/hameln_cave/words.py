"""Names for people and for clients, and how a step records what happened."""

from typing import Any

from photofinish.engine import Happened, Seat, replace
from photofinish.games.hameln_cave.state import Card, Ended, State


def facts(card: Card) -> dict[str, str | int]:
    """The card as plain data for the wire."""
    return {"colour": card.colour, "number": card.number}


def name(card: Card) -> str:
    return f"{card.colour} {card.number} ({card.pattern})"


def say(state: State, what: str, text: str, seat: Seat | None = None, **detail: Any) -> State:
    """The same state with one more event in `last`. `{0}` and `{1}` in the text are the seats."""
    return replace(state, last=(*state.last, Happened(what, seat, text, detail)))


def end(state: State, clause: str, why: str, *, won: bool) -> State:
    """End the game. The first condition that is met counts (H31)."""
    assert state.ended is None
    winners = [0, 1] if won else []
    state = replace(state, phase="over", ended=Ended(won, clause, why))
    return say(state, "game_over", why, winners=winners, clause=clause)
