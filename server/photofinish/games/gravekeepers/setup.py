"""The setup: the cemetery, the piles, the first ghosts."""

from photofinish.engine import Happened, Rng, Seat, TableSetup, replace
from photofinish.games.gravekeepers.box import the_box
from photofinish.games.gravekeepers.state import (
    COLOURS,
    SIDE,
    Colour,
    Ghost,
    GravekeepersOptions,
    Lying,
    State,
    in_order,
)


def setup(table: TableSetup[GravekeepersOptions], rng: Rng) -> State:
    box, seats = the_box(), table.seats
    plots = rng.shuffled(box.plots)  # G3
    icons = [plot.setup_icon for plot in plots]
    piles, dealt = [], []
    for colour in COLOURS:
        hand, pile = _pile(colour, seats, rng)
        dealt.append(hand)
        piles.append(pile)
    graves: list[Lying | None] = [None] * len(plots)
    for cell, icon in enumerate(icons):  # G6
        for place, colour in enumerate(COLOURS):
            if icon == f"ghost_{colour}":
                top, piles[place] = piles[place][0], piles[place][1:]
                assert top is not None, "a dawn card cannot turn up here"
                graves[cell] = Lying(top, up=True)
    starter = Seat(rng.below(seats))  # G7
    state = State(
        options=table.options,
        plots=tuple(plot.id for plot in plots),
        graves=tuple(graves),
        # G4: white on the axis of rows, black on that of columns
        keepers=(icons.index("keeper_white") // SIDE, icons.index("keeper_black") % SIDE),
        piles=(piles[0], piles[1]),
        hands=tuple(tuple(sorted(hand, key=in_order)) for hand in zip(*dealt, strict=True)),
        shown=((),) * seats,
        down=((),) * seats,
        finals=(None,) * seats,
        starter=starter,
        turn=starter,
    )
    laid = Happened("laid_out", starter, f"The cemetery is laid out. {{{starter}}} begins.")
    return replace(state, last=(laid,))


def _pile(colour: Colour, seats: int, rng: Rng) -> tuple[tuple[Ghost, ...], tuple[Ghost | None, ...]]:
    """G5: one ghost per hand, then the pile with its dawn card among the lowest five."""
    box = the_box()
    ghosts = rng.shuffled(ghost for ghost in box.ghosts if ghost.colour == colour)
    hand, rest = ghosts[:seats], ghosts[seats:]
    bottom = box.packet - 1
    packet: tuple[Ghost | None, ...] = rng.shuffled((*rest[:bottom], None))
    return hand, (*rest[bottom:], *packet)
