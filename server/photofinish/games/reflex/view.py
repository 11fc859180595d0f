"""What a viewer may know: everything but the lights to come."""

from photofinish.engine import Happened, Record, Rng, Seat, Viewer, replace
from photofinish.games.reflex.rules import drawn
from photofinish.games.reflex.state import Light, Phase, ReflexOptions, State


class View(Record, frozen=True):
    you: Seat | None
    options: ReflexOptions
    flash: int
    """The light that is on or comes next, from 1."""
    phase: Phase
    light: Light | None
    """The newest light. It is on while the phase is `lit`."""
    pressed: tuple[Seat, ...]
    out: tuple[Seat, ...]
    winners: tuple[Seat | None, ...]
    points: tuple[int, ...]
    false_starts: tuple[int, ...]
    wrong: tuple[int, ...]
    last: tuple[Happened, ...]


def view(state: State, viewer: Viewer) -> View:
    return View(
        you=viewer,
        options=state.options,
        flash=min(state.number, state.options.flashes),
        phase=state.phase,
        light=state.light,
        pressed=state.pressed,
        out=state.out,
        winners=state.winners,
        points=state.points,
        false_starts=state.false_starts,
        wrong=state.wrong,
        last=state.last,
    )


def resample(state: State, _viewer: Viewer, rng: Rng) -> State:
    """Draws the lights to come again. Of the next one it is known how long it has not come."""
    if state.phase == "over":
        return state
    shown = state.pile[:1] if state.phase == "lit" else (drawn(state.options, rng, after=state.ticks),)
    return replace(state, pile=(*shown, *(drawn(state.options, rng) for _ in state.pile[1:])))
