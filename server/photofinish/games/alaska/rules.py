"""The rules of Alaska: the deal, every input, and the automatic steps after it."""

from photofinish.engine import Act, Expired, IllegalMove, Input, Move, Outcome, Rng, Seat, TableSetup, replace
from photofinish.games.alaska import actions, clocks, race, river, turn
from photofinish.games.alaska.deck import HAND, playing_cards
from photofinish.games.alaska.state import (
    Angler,
    Bear,
    Cast,
    Eagle,
    EndTurn,
    LetGo,
    PlaceSalmon,
    Setting,
    Snatch,
    State,
)


def setup(table: TableSetup[Setting], rng: Rng) -> State:
    deck = rng.shuffled(playing_cards())
    dealt = HAND * table.seats
    state = State(
        table.options,
        hands=tuple(deck[seat * HAND : (seat + 1) * HAND] for seat in range(table.seats)),  # A3
        main=deck[dealt:],
        turn=Seat(rng.below(table.seats)),  # A4
        missing=(False,) * table.seats,
        caught=((),) * table.seats,
    )
    return settle(turn.begin(state), rng)


def apply(state: State, event: Input[Move], rng: Rng) -> State:
    if state.over:
        raise IllegalMove("A40", "The game is over.")
    match event:
        case Expired(key):
            return settle(clocks.run_out(state, key, rng), rng)
        case Act(seat, move):
            return settle(act(state, seat, move, rng), rng)


def act(state: State, seat: Seat, move: Move, rng: Rng) -> State:
    match move:
        case Snatch(card):
            return race.snatch(state, seat, card)
        case LetGo():
            return race.let_go(state, seat)
    if state.catch is not None:
        raise IllegalMove("A32", "The turn stands still until the bears have had their chance.")
    fresh = replace(state, last=())
    if isinstance(move, PlaceSalmon):
        if not state.salmon or seat != state.placer:
            raise IllegalMove("A6", "There is no salmon for you to place.")
        return clocks.place(fresh, move.gap)
    if seat != state.turn:
        raise IllegalMove("A5", "It is not your turn.")
    if state.salmon:
        raise IllegalMove("A6", "Your turn waits until all salmon are placed.")
    match move:
        case Cast(cards, gap):
            return actions.cast(fresh, cards, gap, rng)
        case Angler(card, section):
            return actions.angler(fresh, card, section)
        case Eagle(card, salmon, on):
            return actions.eagle(fresh, card, salmon, on)
        case Bear(card):
            return actions.bear(fresh, card)
        case EndTurn():
            return actions.end_turn(fresh)
        case _:
            raise AssertionError(move)


def settle(state: State, rng: Rng) -> State:
    """Do all automatic steps, until a seat must answer or a race is open."""
    while not state.over and state.catch is None and not state.salmon:
        if state.flow:  # A8
            state = river.flow(state)
        elif not state.hand or (state.hurried and state.may_end):  # A9, A37
            state = turn.end(state)
        elif state.hurried:
            state = clocks.play_leftmost(state, rng)
        else:
            break
    return state


def scores(state: State) -> tuple[int, ...]:
    return tuple(map(len, state.caught))


def outcome(state: State) -> Outcome | None:
    if not state.over:
        return None
    most = max(scores(state))
    winners = tuple(Seat(seat) for seat, caught in enumerate(scores(state)) if caught == most)  # A40
    return Outcome(winners, f"most salmon: {most}")
