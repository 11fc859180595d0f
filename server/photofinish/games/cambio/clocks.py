"""The clocks of Cambio. All of them follow from public facts."""

from photofinish.engine import Millis, Seat, Timer, limit
from photofinish.games.cambio.state import State

TURNED_UP = 3
"""At the end of a round all cards lie open for this many times `show_seconds`, or until all are ready."""


def waits(state: State) -> bool:
    """Must the next turn or the end of the round wait for an answer (C16, C19)?"""
    return state.action is not None or bool(state.gifts)


def timers(state: State) -> tuple[Timer, ...]:
    options = state.options
    match state.phase:
        case "look":
            return (
                Timer(f"look:{state.round}", _seconds(options.look_seconds), waits_for=_not_ready(state)),
            )
        case "scored":
            after = _seconds(TURNED_UP * options.show_seconds)
            return (Timer(f"next:{state.round}", after, waits_for=_not_ready(state)),)
        case "over":
            return ()
        case "turn":
            return (*_shows(state), *_gifts(state), *_action(state), *_turn(state))


def _not_ready(state: State) -> tuple[Seat, ...]:
    return tuple(Seat(seat) for seat, ready in enumerate(state.ready) if not ready)


def _shows(state: State) -> tuple[Timer, ...]:
    seconds = {
        it.number: state.options.look_seconds if it.why == "peek" else state.options.show_seconds
        for it in state.shows
    }
    return tuple(Timer(f"show:{number}", _seconds(after)) for number, after in seconds.items())


def _gifts(state: State) -> tuple[Timer, ...]:
    after = _seconds(state.options.give_seconds)
    return tuple(Timer(f"give:{it.number}", after, it.giver) for it in state.gifts)


def _action(state: State) -> tuple[Timer, ...]:
    if state.action is None:
        return ()
    return (Timer(f"action:{state.action.clock}", limit(state.options.turn_seconds), state.action.seat),)


def _turn(state: State) -> tuple[Timer, ...]:
    options = state.options
    if state.turn is None:
        if state.race is None:
            return ()
        # C22: no next turn closes this race, so it has a clock. A correct throw restarts it.
        key = f"race:{state.race.number}:{state.race.throws}"
        return (Timer(key, Millis(options.race_min_ms), ends_race=True),)
    after = limit(options.turn_seconds)
    if after is not None:
        after = Millis(max(after, options.race_min_ms))
    ends_race = state.race is not None
    return (
        Timer(f"turn:{state.turn_clock}", after, state.turn, running=not waits(state), ends_race=ends_race),
    )


def _seconds(seconds: int) -> Millis:
    return Millis(1000 * seconds)
