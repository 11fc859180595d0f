"""Counter, the bench's own game: four seats count in turn. Its rules cost nothing, so the server is what is measured.

Not a public game. The view has about the size of a real game's view: with its envelope 520 bytes.
"""

from photofinish.engine import (
    Act,
    Expired,
    Game,
    Happened,
    IllegalMove,
    Input,
    Millis,
    Move,
    Offer,
    Options,
    Outcome,
    Record,
    Rng,
    Seat,
    TableSetup,
    Timer,
    Viewer,
    offer,
    replace,
)

HAND = 64
"""Numbers in the hand of a seat, which the others do not see."""
BOARD = tuple(range(100))
"""Public data that no move changes."""
TURN = Millis(600_000)


class CounterOptions(Options, frozen=True):
    pass


class Add(Move, frozen=True):
    """Add one, and pass the turn."""


class State(Record, frozen=True):
    counts: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    turn: Seat = Seat(0)
    last: tuple[Happened, ...] = ()


class View(Record, frozen=True):
    counts: tuple[int, ...]
    board: tuple[int, ...]
    hand: tuple[int, ...]
    turn: Seat
    last: tuple[Happened, ...]


def setup(table: TableSetup[CounterOptions], rng: Rng) -> State:
    hands = tuple(tuple(rng.below(100) for _ in range(HAND)) for _ in range(table.seats))
    return State((0,) * table.seats, hands)


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    return (offer(Add, text="Add one"),) if seat == state.turn else ()


def apply(state: State, event: Input[Add], _rng: Rng) -> State:
    match event:
        case Act(seat) if seat != state.turn:
            raise IllegalMove("B1", "It is another seat's turn.")
        case Act() | Expired():
            turn = state.turn
            counts = list(state.counts)
            counts[turn] += 1
            return replace(
                state,
                counts=tuple(counts),
                turn=Seat((turn + 1) % len(counts)),
                last=(Happened("added", turn, f"{{{turn}}} added one."),),
            )


def timers(state: State) -> tuple[Timer, ...]:
    return (Timer(f"turn:{sum(state.counts)}", TURN, seat=state.turn),)


def view(state: State, viewer: Viewer) -> View:
    hand = () if viewer is None else state.hands[viewer]
    return View(counts=state.counts, board=BOARD, hand=hand, turn=state.turn, last=state.last)


def resample(state: State, viewer: Viewer, rng: Rng) -> State:
    hands = tuple(
        hand if seat == viewer else tuple(rng.below(100) for _ in hand)
        for seat, hand in enumerate(state.hands)
    )
    return replace(state, hands=hands)


def scores(state: State) -> tuple[int, ...]:
    return state.counts


def outcome(_state: State) -> Outcome | None:
    return None


COUNTER: Game[State, Add, View, CounterOptions] = Game(
    key="counter",
    title="Counter",
    blurb="The bench's own: four seats count in turn.",
    seats=range(2, 9),
    state=State,
    moves=(Add,),
    view_type=View,
    options=CounterOptions,
    setup=setup,
    offers=offers,
    apply=apply,
    view=view,
    resample=resample,
    scores=scores,
    outcome=outcome,
    timers=timers,
)
