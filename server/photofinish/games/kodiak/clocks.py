"""The clocks of Kodiak, and the move that is made when one expires."""

from photofinish.engine import Millis, Race, Rng, Seat, Timer, limit, replace
from photofinish.engine.records import Move
from photofinish.games.kodiak import actions, turns
from photofinish.games.kodiak.moves import (
    Draw,
    Expose,
    Grab,
    Keep,
    OfferCard,
    PeekMine,
    Pick,
    Place,
    Pounce,
    Scurry,
    Swap,
    TouchPenalty,
)
from photofinish.games.kodiak.rounds import end_round
from photofinish.games.kodiak.state import Owed, State, face_down, filled, name, owes_touch, tell
from photofinish.games.kodiak.table import peek


def race(state: State) -> Race[Move] | None:
    it = state.race
    if it is None:
        return None
    return Race(
        key=f"race:{it.number}",
        seats=state.seats,
        contested=(Scurry, Grab),
        closers=(Draw,),
        anytime=(Pounce,),
        not_before=Millis(state.options.race_min_ms),  # K22
        throws=len(it.thrown),
        opener=it.opener,
    )


def timers(state: State) -> tuple[Timer, ...]:
    options = state.options
    if state.phase == "over":
        return ()
    if state.phase == "look":
        waiting = tuple(seat for seat in state.seats if not state.ready[seat])
        return (Timer(f"look:{state.round}", _seconds(options.look_seconds), waits_for=waiting),)
    shown = [Timer(f"show:{it.id}", _seconds(options.show_seconds)) for it in state.shown]
    peeks = [Timer(f"peek:{it.id}", _seconds(options.look_seconds)) for it in state.peeks]
    return (*_answers(state), *_window(state), *shown, *peeks)


def expire(state: State, key: str, rng: Rng) -> State:
    """Make the move for which the clock's seat had this time, or hide the cards that were shown for this time."""
    assert any(it.key == key and it.running for it in timers(state)), f"no clock {key} is running"
    what = key.split(":", maxsplit=1)[0]
    match what:
        case "look":
            return turns.begin(state)
        case "show":
            return replace(state, shown=tuple(it for it in state.shown if f"show:{it.id}" != key))
        case "peek":
            return replace(state, peeks=tuple(it for it in state.peeks if f"peek:{it.id}" != key))
        case "grab":
            assert state.race is not None
            assert state.race.winner is not None
            return end_round(state, f"{name(state.race.winner)} has no cards left.", rng)  # K24
        case "draw":
            return _play_turn(turns.draw(_late(state, state.turn), state.turn, rng))
        case "keep":
            return _play_turn(_late(state, state.turn))
        case "action":
            debt = state.owed[0]
            state = _first_target(_late(state, debt.seat))
            while _is_still_picking(state, debt):  # one clock for all picks of a Blue King
                state = _first_target(state)
            return state
        case "offer":
            slot = filled(state, state.kodiak)[0]
            mark = state.table[state.kodiak][slot].mark
            return actions.answer(_late(state, state.kodiak), state.kodiak, OfferCard(slot, mark))
        case _:
            seat = next(it.seat for it in state.touched if f"touch:{it.id}" == key)
            slot = face_down(state, seat)[0]
            return actions.pay_touch(
                _late(state, seat), seat, TouchPenalty(slot, state.table[seat][slot].mark)
            )


def _answers(state: State) -> list[Timer]:
    # If turns have no clock, answers have none either. The clock of the grab window is not here: it has no seat.
    turn = limit(state.options.turn_seconds)
    answer = turn and _seconds(state.options.answer_seconds)
    found = []
    if state.phase == "exchange":
        found.append(Timer(f"keep:{state.turns}", turn, seat=state.turn))
    elif not state.is_in_window:
        found.append(
            Timer(
                f"draw:{state.turns}",
                turn,
                seat=state.turn,
                running=not state.is_waiting,  # K8
                ends_race=state.race is not None,
            )
        )
    if state.owed:
        debt = state.owed[0]
        running = state.ask is None and not owes_touch(state, debt.seat)
        after = turn if debt.by == "exchange" else answer
        found.append(Timer(f"action:{debt.id}:{debt.left}", after, seat=debt.seat, running=running))
    if state.ask:
        found.append(Timer(f"offer:{state.ask.id}", answer, seat=state.kodiak))
    found += [Timer(f"touch:{it.id}", answer, seat=it.seat) for it in state.touched]
    return found


def _window(state: State) -> list[Timer]:
    if state.race is None or not state.race.window:
        return []
    key = f"grab:{state.race.number}:{len(state.race.thrown)}"
    return [Timer(key, Millis(state.options.race_min_ms), ends_race=True)]


def _play_turn(state: State) -> State:
    """Play the rest of a turn: exchange the lowest slot, and take the first target of the action that follows."""
    if state.phase != "exchange":
        return state
    seat = state.turn
    slot = filled(state, seat)[0]
    state = turns.keep(state, seat, Keep(slot, state.table[seat][slot].mark))
    # The player has the right to see the drawn card (K4): it may look at it in its slot.
    state = actions.settle(peek(state, seat, seat, slot))
    while state.owed and (state.owed[0].seat, state.owed[0].by) == (seat, "exchange") and not state.ask:
        state = actions.settle(_first_target(state))
    return state


def _is_still_picking(state: State, debt: Owed) -> bool:
    now = state.owed[0] if state.owed else None
    return now is not None and now.id == debt.id and bool(now.picked) and bool(actions.may_pick(state, now))


def _first_target(state: State) -> State:
    debt = state.owed[0]
    return actions.perform(state, debt.seat, _first_move(state, debt))


def _first_move(state: State, debt: Owed) -> actions.Action:
    match debt.kind:
        case "peek_mine" | "red_king" if own := filled(state, debt.seat):
            return PeekMine(own[0], state.table[debt.seat][own[0]].mark)
        case "exposure":
            seat, slot = actions.may_look_at(state, debt.seat)[0]
            return Expose(seat, slot, state.table[seat][slot].mark)
        case "blue_king":
            seat, slot = actions.may_pick(state, debt)[0]
            return Pick(seat, slot, state.table[seat][slot].mark)
        case _:
            first, second = [seat for seat in state.seats if filled(state, seat)][:2]
            return Swap(_side(state, debt.seat, first), _side(state, debt.seat, second))


def _side(state: State, actor: Seat, seat: Seat) -> Place:
    if seat == state.kodiak != actor:
        return Place(seat)
    slot = filled(state, seat)[0]
    return Place(seat, slot, state.table[seat][slot].mark)


def _late(state: State, seat: Seat) -> State:
    return tell(state, "clock", seat, f"{name(seat)}'s clock ran out.")


def _seconds(seconds: int) -> Millis:
    return Millis(1000 * seconds)
