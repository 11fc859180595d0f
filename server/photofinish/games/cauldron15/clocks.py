"""The clocks, and the move that is made for a seat that does not answer in time."""

from photofinish.engine import Act, Seat, Timer, all_seats, limit
from photofinish.games.cauldron15.state import AnyMove, Decline, Play, Spend, State, Take, by_number
from photofinish.games.cauldron15.trick import led, may_take, playable


def awaited(state: State) -> tuple[Seat, ...]:
    """The seats that the game waits for."""
    match state.phase:
        case "over":
            return ()
        case "spend":
            return tuple(
                seat for seat in all_seats(state.seats) if state.kept[seat] and state.spends[seat] is None
            )
        case _:
            return (state.turn,)


def timers(state: State) -> tuple[Timer, ...]:
    after = limit(state.options.turn_seconds)
    if state.phase == "spend":  # a seat's clock must not start again when another seat answers
        return tuple(Timer(f"spend:{state.tricks}:{seat}", after, seat) for seat in awaited(state))
    return tuple(Timer(f"turn:{state.decisions}", after, seat) for seat in awaited(state))


def answer_for(state: State, key: str) -> Act[AnyMove]:
    """The move that an expired clock makes: the lowest number, ties in the order of B1; it declines bonuses."""
    due = [timer.seat for timer in timers(state) if timer.key == key]
    assert due, f"no clock {key} is running"
    assert due[0] is not None
    seat = due[0]
    match state.phase:
        case "play":
            return Act(seat, Play(min(playable(state.hands[seat], led(state.trick)), key=by_number)))
        case "take":
            return Act(seat, Take(min(may_take(state.trick), key=by_number)))
        case "spend":
            return Act(seat, Spend(()))
        case _:
            return Act(seat, Decline())
