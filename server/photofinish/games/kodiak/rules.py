"""`apply`: every input goes through here, and nothing else changes the state."""

from photofinish.engine import Act, Expired, IllegalMove, Input, Rng, Seat, replace
from photofinish.engine.records import Move
from photofinish.games.kodiak import actions, clocks, throws, turns
from photofinish.games.kodiak.moves import (
    Draw,
    Expose,
    Grab,
    Keep,
    Look,
    OfferCard,
    PeekMine,
    Pick,
    Pounce,
    Ready,
    Scurry,
    Swap,
    TouchPenalty,
)
from photofinish.games.kodiak.rounds import end_round, seat_without_cards
from photofinish.games.kodiak.state import State, name


def apply(state: State, event: Input[Move], rng: Rng) -> State:
    fresh = replace(state, last=())
    match event:
        case Expired(key):
            return _settled(clocks.expire(fresh, key, rng), rng)
        case Act(seat, move):
            return _settled(_act(replace(fresh, awake=True), seat, move, rng), rng)


def _act(state: State, seat: Seat, move: Move, rng: Rng) -> State:
    if state.phase == "over":
        raise IllegalMove("K26", "The game is over.")
    if state.phase == "look" and not isinstance(move, Ready | Draw):
        raise IllegalMove("K2", "Everybody is still looking at a card.")
    match move:
        case Ready():
            return turns.say_ready(state, seat)
        case Draw():
            return turns.draw(state, seat, rng)
        case Keep():
            return turns.keep(state, seat, move)
        case PeekMine() | Expose() | Look() | Swap() | Pick():
            return actions.perform(state, seat, move)
        case OfferCard():
            return actions.answer(state, seat, move)
        case TouchPenalty():
            return actions.pay_touch(state, seat, move)
        case Scurry():
            return throws.scurry(state, seat, move, rng)
        case Grab():
            return throws.grab(state, seat, move, rng)
        case Pounce():
            return throws.pounce(state, seat, move, rng)
        case _:
            raise AssertionError(f"{move} is no move of Kodiak")


def _settled(state: State, rng: Rng) -> State:
    """After every input: check whether the round has ended (K24), and do the automatic steps."""
    if state.phase in ("look", "over"):
        return state
    seat = seat_without_cards(state)
    if seat is not None:
        return end_round(state, f"{name(seat)} has no cards left.", rng)
    return actions.settle(state)
