"""What a viewer may know. Each view is a new value, never a state with parts removed."""

from photofinish.engine import Happened, Record, Seat, Viewer, events_for
from photofinish.games.hameln_cave.box import ROUNDS, the_box
from photofinish.games.hameln_cave.chart import HEADINGS, Line, Place, Side, Space, TrackSpace
from photofinish.games.hameln_cave.clocks import awaited
from photofinish.games.hameln_cave.state import (
    Card,
    Name,
    Pattern,
    Phase,
    Played,
    Queued,
    Slot,
    State,
    Taken,
    partner,
)
from photofinish.games.hameln_cave.steps.ending import outcome


class Kind(Record, frozen=True):
    """Which numbers carry a pattern (H2)."""

    pattern: Pattern
    numbers: tuple[int, ...]


class Courses(Record, frozen=True):
    """Where each heading leads; null if the ship cannot move there."""

    left: Place | None
    right: Place | None
    straight: Place | None


class Lying(Record, frozen=True):
    """A slot of the Surplus Area. A move that names it carries its `mark`."""

    filled: bool
    up: bool
    card: Card | None
    mark: int


class View(Record, frozen=True):
    """Everything a client needs to draw the table. Tuples have one value per seat unless stated otherwise."""

    phase: Phase
    awaited: tuple[Seat, ...]
    level: int
    roman: str
    map: tuple[Space, ...]
    """Row by row from the start, left to right. `col + row` is even, so each row is shifted against the next one."""
    collapse_lines: tuple[Line, ...]
    """The line is drawn after `after_row`. The cave up to it collapses when the round marker reaches `round`."""
    ship: Place
    courses: Courses
    sides: tuple[Side, Side]
    """On which side of the map each seat is, seen from start to goal."""
    round: int
    rounds: int
    lead_sides: tuple[Side, ...]
    """By round: the side that leads first."""
    ghost_track: tuple[TrackSpace, ...]
    ghost_marker: int
    """Counted from 0."""
    ghost_area: tuple[Queued, ...]
    """Left end first: that is the next card to be added."""
    patterns: tuple[Kind, ...]
    characters: tuple[Name | None, Name | None]
    hand: tuple[Card, ...] | None
    """The viewer's own; null for a spectator."""
    hand_sizes: tuple[int, int]
    hands: tuple[tuple[Card, ...], tuple[Card, ...]] | None
    """All of them, after the end only."""
    has_passed: tuple[bool, bool]
    my_pass: Card | None
    shown_pass: Card | None
    """What Aria is shown of her partner's pass."""
    gave: Card | None
    """The viewer's own part of this round's exchange."""
    got: Card | None
    leader: Seat | None
    """Who led the trick on the table, or leads the next one."""
    trick: tuple[Played, ...]
    tricks: tuple[Taken, ...]
    """The finished ones of this round, in order."""
    tricks_won: tuple[int, int]
    piles: tuple[tuple[Card, ...], tuple[Card, ...]]
    is_extra: bool
    surplus: tuple[Lying, ...]
    """By slot number."""
    turned: tuple[int, ...]
    """The slots Rick has turned up and chooses between."""
    adds: int
    """In `steer`: how many cards are added once the ship has moved."""
    ready: tuple[bool, bool]
    decisions: int
    """Counts the answers given so far."""
    winners: tuple[Seat, ...] | None
    why: str
    last: tuple[Happened, ...]


KINDS = (
    Kind("ghost", (1, 2, 3)),
    Kind("saber", (4, 5)),
    Kind("wheel", (6, 7, 8)),
    Kind("mermaid", (9,)),
)


def view(state: State, viewer: Viewer) -> View:
    box, chart, over = the_box(), state.chart, state.phase == "over"
    mine = None if viewer is None else state.hands[viewer]
    gave = None if viewer is None or state.gave is None else state.gave
    result = outcome(state)
    return View(
        phase=state.phase,
        awaited=awaited(state),
        level=chart.level,
        roman=chart.roman,
        map=chart.spaces,
        collapse_lines=chart.lines,
        ship=state.ship,
        courses=Courses(*(chart.ahead(state.ship, heading) for heading in HEADINGS)),
        sides=("left", "right"),
        round=state.round,
        rounds=len(ROUNDS),
        lead_sides=box.lead_sides,
        ghost_track=box.ghost_track,
        ghost_marker=state.marker,
        ghost_area=state.ghosts,
        patterns=KINDS,
        characters=state.characters,
        hand=mine,
        hand_sizes=(len(state.hands[0]), len(state.hands[1])),
        hands=state.hands if over else None,
        has_passed=(state.passes[0] is not None, state.passes[1] is not None),
        my_pass=None if viewer is None else state.passes[viewer],
        shown_pass=shown(state, viewer),
        gave=gave[viewer] if gave and viewer is not None else None,
        got=gave[partner(viewer)] if gave and viewer is not None else None,
        leader=_leader(state),
        trick=state.trick,
        tricks=state.tricks,
        tricks_won=state.won,
        piles=state.piles,
        is_extra=state.is_extra,
        surplus=tuple(_lying(slot, is_shown=slot.up or over) for slot in state.surplus),
        turned=state.turned,
        adds=state.adds,
        ready=state.ready,
        decisions=state.decisions,
        winners=result.winners if result else None,
        why=result.why if result else "",
        last=events_for(state.last, viewer),
    )


def _lying(slot: Slot, *, is_shown: bool) -> Lying:
    return Lying(slot.card is not None, slot.up, slot.card if is_shown else None, slot.mark)


def shown(state: State, viewer: Viewer) -> Card | None:
    """H35: once the partner has passed, Aria's owner sees the card."""
    if viewer is None or state.characters[viewer] != "aria" or state.passes[viewer] is not None:
        return None
    return state.passes[partner(viewer)]


def _leader(state: State) -> Seat | None:
    if state.trick:
        return state.trick[0].seat
    return state.turn if state.phase == "play" else None
