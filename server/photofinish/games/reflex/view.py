"""What a viewer may know: everything but the lights to come."""

from photofinish.engine import Happened, Record, Rng, Seat, Viewer, replace
from photofinish.games.reflex.rules import drawn, drawn_in_ticks
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
    """Draws the lights to come again. By the rules of version 1 it is known how many ticks of the dark have passed."""
    if state.phase == "over":
        return state
    if not state.pile[0].dark_ms:
        next_one = drawn_in_ticks(state.options, rng, after=state.ticks)
        rest = tuple(drawn_in_ticks(state.options, rng) for _ in state.pile[1:])
    else:
        next_one, rest = drawn(state.options, rng), tuple(drawn(state.options, rng) for _ in state.pile[1:])
    return replace(state, pile=(state.pile[0] if state.phase == "lit" else next_one, *rest))
