"""G13 to G20: the effects of the four cards of the line."""

from photofinish.engine import Happened, Seat, replace
from photofinish.games.gravekeepers.box import Effect, the_box
from photofinish.games.gravekeepers.state import COLOURS, SIDE, Colour, Ghost, Lying, State, pile_of
from photofinish.games.gravekeepers.words import facts, name, spot, where


def visited(state: State) -> int:
    """The cemetery card whose effect is being decided."""
    assert state.line is not None
    return state.line.cells()[state.visit]


def asked(state: State) -> Effect | None:
    """The effect a seat is asked about now."""
    return effect_at(state, visited(state)) if state.phase == "effect" else None


def effect_at(state: State, cell: int) -> Effect | None:
    return the_box().plot(state.plots[cell]).effect(state.declared)


def colour_of(effect: Effect) -> Colour:
    """Each effect names a colour, which need not be the declared one (G16)."""
    return "white" if effect.endswith("white") else "black"


def targets(state: State, effect: Effect, cell: int) -> tuple[int, ...]:
    """The targets of the effect: places on the keeper's axis (G18), or cemetery cards (G19, G20)."""
    colour = colour_of(effect)
    if effect.startswith("move"):
        return tuple(place for place in range(SIDE) if place != state.keepers[pile_of(colour)])
    lying = [(it, grave) for it, grave in enumerate(state.graves) if grave and grave.ghost.colour == colour]
    if effect.startswith("relocate"):
        return tuple(it for it, _ in lying if it != cell)
    return tuple(it for it, grave in lying if not grave.up)


def walk(state: State) -> State:
    """Visit the remaining cards until a seat must answer. G15: the line does not change."""
    assert state.line is not None
    cells = state.line.cells()
    while state.visit < SIDE:
        cell = cells[state.visit]
        effect = effect_at(state, cell) if state.graves[cell] is None else None  # G14: decided on arrival
        if effect and effect.startswith("add"):
            state = _add(state, colour_of(effect), cell)
        elif effect and targets(state, effect, cell):  # G16: without a target the effect lapses unasked
            return replace(state, phase="effect")
        state = replace(state, visit=state.visit + 1)
    return replace(state, phase="draw")


def _add(state: State, colour: Colour, cell: int) -> State:
    """G17: the top card goes face up on this card; a dawn card is laid aside first (G22)."""
    state, ghost = top_of(state, colour)
    if ghost is None:
        return state
    added = Happened(
        "added",
        text=f"{name(ghost).capitalize()} rises at {spot(cell)}.",
        detail={"card": facts(ghost), **where(cell)},
    )
    graves = (*state.graves[:cell], Lying(ghost, up=True), *state.graves[cell + 1 :])
    return replace(state, graves=graves, last=(*state.last, added))


def top_of(state: State, colour: Colour) -> tuple[State, Ghost | None]:
    """Take the top ghost off a pile; None if there is none. A dawn card above it is shown to all."""
    place = pile_of(colour)
    pile = state.piles[place]
    if pile and pile[0] is None:
        shown = Happened("dawn", text=f"The {colour} dawn card is out.", detail={"colour": colour})
        dawns = (state.dawns[0] or place == 0, state.dawns[1] or place == 1)
        state = replace(state, dawns=dawns, last=(*state.last, shown))
        pile = pile[1:]
    ghost, rest = (pile[0], pile[1:]) if pile else (None, pile)
    piles = tuple(rest if it == colour else state.piles[pile_of(it)] for it in COLOURS)
    return replace(state, piles=piles), ghost


def move_keeper(state: State, seat: Seat, to: int) -> State:
    """G18: move a keeper. This move takes no ghosts and has no further effects."""
    effect = asked(state)
    assert effect is not None
    colour = colour_of(effect)
    moved = Happened(
        "moved", seat, f"{{{seat}}} moved the {colour} keeper to {to}.", {"colour": colour, "to": to}
    )
    keepers = (to, state.keepers[1]) if colour == "white" else (state.keepers[0], to)
    return _done(replace(state, keepers=keepers, last=(*state.last, moved)))


def relocate(state: State, seat: Seat, cell: int) -> State:
    """G19: move a ghost to the visited card. It stays face up or face down, as it was."""
    here = visited(state)
    graves = list(state.graves)
    graves[here], graves[cell] = graves[cell], None
    moved = Happened(
        "relocated",
        seat,
        f"{{{seat}}} moved a ghost from {spot(cell)} to {spot(here)}.",
        {"from": where(cell), "to": where(here)},
    )
    return _done(replace(state, graves=tuple(graves), last=(*state.last, moved)))


def flip(state: State, seat: Seat, cell: int) -> State:
    """G20: turn a face-down ghost face up."""
    lying = state.graves[cell]
    assert lying is not None
    turned = Happened(
        "flipped",
        seat,
        f"{{{seat}}} turned up {name(lying.ghost)} at {spot(cell)}.",
        {"card": facts(lying.ghost), **where(cell)},
    )
    graves = (*state.graves[:cell], Lying(lying.ghost, up=True), *state.graves[cell + 1 :])
    return _done(replace(state, graves=graves, last=(*state.last, turned)))


def pass_by(state: State, seat: Seat) -> State:
    declined = Happened("declined", seat, f"{{{seat}}} let the effect at {spot(visited(state))} pass.")
    return _done(replace(state, last=(*state.last, declined)))


def _done(state: State) -> State:
    return walk(replace(state, visit=state.visit + 1))
