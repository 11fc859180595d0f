"""The Ghost Area: a queue. Ghosts leave it at the left end and come back at the right end."""

from photofinish.engine import replace
from photofinish.games.hameln_cave.box import the_box
from photofinish.games.hameln_cave.state import CALL, Card, Queued, Slot, State
from photofinish.games.hameln_cave.words import end, facts, name, say


def add(state: State, count: int) -> State:
    """Add this number of cards, one by one. The end of the game is checked after each (H20, H31)."""
    for _ in range(count):
        if state.ended is None:
            state = _add_one(state)
    return state


def join(state: State, ghost: Card) -> State:
    """H22: to the right end, behind the Call Card if that lies there."""
    state = replace(state, ghosts=(*state.ghosts, Queued(call=False, card=ghost)))
    return say(state, "joined", f"The ghost {name(ghost)} is back in the Ghost Area.", card=facts(ghost))


def _add_one(state: State) -> State:
    first, *rest = state.ghosts
    if first.card is None:
        return _call(state, tuple(rest))
    slot = len(state.surplus)
    state = replace(
        state,
        ghosts=tuple(rest),
        surplus=(*state.surplus, Slot(first.card, up=True, mark=state.marks)),
        marks=state.marks + 1,
    )
    state = say(
        state, "added", f"The ghost {name(first.card)} boards the ship.", card=facts(first.card), slot=slot
    )
    if all(queued.call for queued in rest):
        return end(state, "H30", "No ghost is left in the Ghost Area: the ship is lost.", won=False)
    return state


def _call(state: State, rest: tuple[Queued, ...]) -> State:
    """H21: the marker goes on, then the Call Card goes to the right end."""
    track = the_box().ghost_track
    marker = state.marker + 1
    state = replace(state, marker=marker)
    state = say(
        state, "called", f"The Call Card: the ghost marker goes on to {track[marker].label}.", marker=marker
    )
    if marker == len(track) - 1:
        return end(state, "H30", "The ghost marker has reached DEAD: the ship is lost.", won=False)
    return replace(state, ghosts=(*rest, CALL))
