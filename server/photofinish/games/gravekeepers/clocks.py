"""The clocks, and the move that is made for a seat that does not answer in time."""

from photofinish.engine import Act, Millis, Timer, limit
from photofinish.games.gravekeepers.offers import awaited, reachable
from photofinish.games.gravekeepers.state import (
    COLOURS,
    AnyMove,
    Declare,
    Decline,
    Draw,
    Final,
    Place,
    State,
    in_order,
    pile_of,
)


def timers(state: State) -> tuple[Timer, ...]:
    """One clock for the whole turn, one per seat for the final cards, one for each effect of the scoring."""
    match state.phase:
        case "over":
            return ()
        case "final":
            after = Millis(1000 * state.options.final_seconds)
            return tuple(Timer(f"final:{seat}", after, seat) for seat in awaited(state))
        case "score":
            after = Millis(1000 * state.options.final_seconds)
            return (Timer(f"score:{state.scored}", after, state.turn),)
        case _:
            return (Timer(f"turn:{state.turns}", limit(state.options.turn_seconds), state.turn),)


def answer_for(state: State, key: str) -> Act[AnyMove]:
    """The next move that is made when the clock expires."""
    due = [timer.seat for timer in timers(state) if timer.key == key]
    assert due, f"no clock {key} is running"
    assert due[0] is not None
    seat = due[0]
    hand = sorted(state.hands[seat], key=in_order)
    match state.phase:
        case "declare":
            colour = hand[0].colour  # white if held, else black
            here, places = state.keepers[pile_of(colour)], reachable(state, seat, colour)
            first = here - 1 if colour == "white" else here + 1  # up or right
            return Act(seat, Declare(colour, first if first in places else 2 * here - first))
        case "place":
            return Act(seat, Place(next(ghost for ghost in hand if ghost.colour == state.declared)))
        case "draw":
            return Act(seat, Draw(max(COLOURS, key=lambda colour: len(state.piles[pile_of(colour)]))))
        case "final":
            return Act(seat, Final(hand[0]))
        case _:
            return Act(seat, Decline())
