"""What a viewer may know. Each view is a new value, never a state with parts removed."""

from functools import cache, lru_cache

from photofinish.engine import Happened, Record, Seat, Viewer, events_for
from photofinish.games.gravekeepers import effects
from photofinish.games.gravekeepers.box import Effect, Icon, the_box
from photofinish.games.gravekeepers.offers import awaited
from photofinish.games.gravekeepers.scoring import counts, fallen, lost, outcome
from photofinish.games.gravekeepers.state import (
    CELLS,
    COLOURS,
    SIDE,
    Colour,
    Dawn,
    Ghost,
    Line,
    Loss,
    Lying,
    Phase,
    State,
    Symbol,
)


class PlotView(Record, frozen=True):
    """One place of the 4 × 4 cemetery."""

    row: int
    col: int
    card: int
    """Which of the sixteen cemetery cards lies here."""
    icon: Icon | None
    white_effect: Effect | None
    black_effect: Effect | None
    ghost: Ghost | None
    """The face-up ghost on it."""
    back: Colour | None
    """The colour of the face-down ghost on it. At most one of the two is there."""


class PileView(Record, frozen=True):
    colour: Colour
    size: int
    dawn: Dawn | None
    """The dawn card, once it lies beside the pile."""


class HandCount(Record, frozen=True):
    white: int
    black: int


class Spot(Record, frozen=True):
    row: int
    col: int


class Cost(Record, frozen=True):
    """The cost for the seat that alone has most of a symbol."""

    symbol: Symbol
    points: int


class View(Record, frozen=True):
    """Everything a client needs to draw the table. Tuples have one value per seat unless stated otherwise."""

    phase: Phase
    turn: Seat
    awaited: tuple[Seat, ...]
    """The seats that the game waits for; several while final cards are chosen."""
    starter: Seat
    turns: int
    """Turns finished so far."""
    last_lap: bool
    board: tuple[tuple[PlotView, ...], ...]
    """Row by row from the top, each from the left."""
    white_row: int
    """The row left of which the white keeper stands."""
    black_col: int
    """The column below which the black keeper stands."""
    crossing: Spot
    line: Line | None
    """The declared colour and its row (white) or column (black), during a turn."""
    visiting: Spot | None
    asked: Effect | None
    """The effect being decided, at `visiting`."""
    piles: tuple[PileView, ...]
    """White, black."""
    hand: tuple[Ghost, ...] | None
    """The viewer's own, null for a spectator."""
    hand_counts: tuple[HandCount, ...]
    ghosts: tuple[tuple[Ghost, ...], ...]
    """Face up before each seat."""
    face_down: tuple[int, ...]
    counts: tuple[tuple[int, ...], ...]
    """By seat: circle, diamond, triangle, square, star, face down."""
    costs: tuple[Cost, ...]
    face_down_cost: int
    kinds_costs: tuple[int, ...]
    """By the number of groups, from none to six."""
    chosen: tuple[bool, ...]
    """Who has chosen a final card."""
    final: Ghost | None
    """The viewer's own choice, until all have chosen."""
    scoring: Symbol | None
    """The symbol whose effect is being decided."""
    losses: tuple[Loss, ...]
    """In the order in which they were scored."""
    lost: tuple[int, ...]
    out: Seat | None
    winners: tuple[Seat, ...] | None
    last: tuple[Happened, ...]


def view(state: State, viewer: Viewer) -> View:
    box, result = the_box(), outcome(state)
    asked = effects.asked(state)
    return View(
        phase=state.phase,
        turn=state.turn,
        awaited=awaited(state),
        starter=state.starter,
        turns=state.turns,
        last_lap=all(state.dawns),
        board=_board(state),
        white_row=state.keepers[0],
        black_col=state.keepers[1],
        crossing=Spot(*CELLS[state.crossing]),
        line=state.line,
        visiting=Spot(*CELLS[effects.visited(state)]) if asked else None,
        asked=asked,
        piles=tuple(
            PileView(colour, len(pile), Dawn(colour) if out else None)
            for colour, pile, out in zip(COLOURS, state.piles, state.dawns, strict=True)
        ),
        hand=None if viewer is None else state.hands[viewer],
        hand_counts=tuple(map(_count, state.hands)),
        ghosts=state.shown,
        face_down=tuple(map(len, state.down)),
        counts=counts(state),
        costs=_costs(),
        face_down_cost=box.face_down_points,
        kinds_costs=box.kinds_points,
        chosen=tuple(card is not None for card in state.finals),
        final=None if viewer is None else state.finals[viewer],
        scoring=box.rules[state.scored].symbol if state.phase == "score" else None,
        losses=state.losses,
        lost=lost(state),
        out=fallen(state),
        winners=result.winners if result else None,
        last=events_for(state.last, viewer),
    )


@cache
def _costs() -> tuple[Cost, ...]:
    return tuple(Cost(rule.symbol, rule.points) for rule in the_box().rules)


@cache
def _plot(number: int, cell: int, lying: Lying | None) -> PlotView:
    plot = the_box().plot(number)
    row, col = CELLS[cell]
    return PlotView(
        row=row,
        col=col,
        card=plot.id,
        icon=plot.setup_icon,
        white_effect=plot.white_effect,
        black_effect=plot.black_effect,
        ghost=lying.ghost if lying and lying.up else None,
        back=lying.ghost.colour if lying and not lying.up else None,
    )


def _board(state: State) -> tuple[tuple[PlotView, ...], ...]:
    plots = tuple(map(_plot, state.plots, range(SIDE * SIDE), state.graves))
    return tuple(plots[start : start + SIDE] for start in range(0, SIDE * SIDE, SIDE))


@lru_cache(maxsize=4_096)
def _count(hand: tuple[Ghost, ...]) -> HandCount:
    """Remembered: every view counts every hand, and a move changes one of them."""
    white = sum(ghost.colour == "white" for ghost in hand)
    return HandCount(white, len(hand) - white)
