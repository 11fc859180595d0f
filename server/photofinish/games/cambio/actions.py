"""What an action card does when it is drawn from the main pile and discarded directly."""

from photofinish.engine import IllegalMove, Seat, all_seats, replace
from photofinish.games.cambio.state import Action, PeekMine, PeekYours, Pick, Place, Show, State, Swap
from photofinish.games.cambio.table import (
    card_at,
    free_places,
    is_there,
    kind_of,
    place_at,
    places_of,
    plain,
    said,
    set_slot,
)

NAMES = {
    "peek_mine": "Peek Mine",
    "peek_yours": "Peek Yours",
    "swap": "Swap",
    "red_king": "Red King",
    "blue_king": "Blue King",
}
RED_KING = ("peek_mine", "peek_yours", "swap")  # C13


def opened(state: State, seat: Seat) -> State:
    """Start the action of the top discard, which was drawn from the main pile and discarded directly."""
    kind = kind_of(state.discard[-1])
    if kind not in NAMES:  # C15
        return state
    serial = state.serial + 1
    action = Action(seat, kind, left=2 if kind == "red_king" else 1, clock=serial)
    return replace(state, action=action, serial=serial)


def kinds(action: Action) -> tuple[str, ...]:
    """The moves that play this action now."""
    match action.kind:
        case "red_king":
            return RED_KING
        case "blue_king":
            return ("pick",)
        case kind:
            return (kind,)


def targets(state: State, action: Action, kind: str) -> tuple[Place, ...]:
    """The possible targets of this action. For a swap they belong to at least two seats, or there are none."""
    match kind:
        case "peek_mine":  # C10
            return tuple(it for it in free_places(state) if it.seat == action.seat)
        case "peek_yours":  # C11
            return tuple(it for it in free_places(state) if it.seat != action.seat)
        case "swap":  # C12
            cards = tuple(free_places(state))
            return cards if len({it.seat for it in cards}) > 1 else ()
        case _:  # C14
            done = {action.seat, *(it.seat for it in action.picks)}
            return tuple(it for it in free_places(state) if it.seat not in done)


def peek_mine(state: State, seat: Seat, move: PeekMine) -> State:
    action = _own_action(state, seat, "peek_mine", "C10")
    place = _target(state, action, "peek_mine", Place(seat, move.slot, move.mark), "C10")
    return _looked(state, action, place, "C10")


def peek_yours(state: State, seat: Seat, move: PeekYours) -> State:
    action = _own_action(state, seat, "peek_yours", "C11")
    if move.seat == seat:
        raise IllegalMove("C11", "Peek Yours looks at a card of another seat.")
    place = _target(state, action, "peek_yours", Place(move.seat, move.slot, move.mark), "C11")
    return _looked(state, action, place, "C11")


def swap(state: State, seat: Seat, move: Swap) -> State:
    action = _own_action(state, seat, "swap", "C12")
    a = _target(state, action, "swap", move.a, "C12")
    b = _target(state, action, "swap", move.b, "C12")
    if a.seat == b.seat:
        raise IllegalMove("C12", "A swap needs the cards of two different seats.")
    one, other = card_at(state, a, "C12"), card_at(state, b, "C12")
    state = set_slot(state, a.seat, a.slot, other)
    state = set_slot(state, b.seat, b.slot, one)
    new_a, new_b = (plain(place_at(state, it.seat, it.slot)) for it in (a, b))
    moved = [{"from": plain(a), "to": new_b}, {"from": plain(b), "to": new_a}]
    text = f"{{{seat}}} swapped a card of {{{a.seat}}} with a card of {{{b.seat}}}."
    return _spent(said(state, "swapped", seat, text, moved=moved), action)


def pick(state: State, seat: Seat, move: Pick) -> State:
    action = _own_action(state, seat, "pick", "C14")
    if move.seat == seat or move.seat in {it.seat for it in action.picks}:
        raise IllegalMove("C14", "The Blue King picks one card of every other seat.")
    place = _target(state, action, "pick", Place(move.seat, move.slot, move.mark), "C14")
    return picked(state, action, place)


def picked(state: State, action: Action, place: Place) -> State:
    action = replace(action, picks=(*action.picks, place))  # one clock for all picks
    state = replace(state, action=action)
    text = f"{{{action.seat}}} picked a card of {{{place.seat}}}."
    return said(state, "picked", action.seat, text, place=plain(place))


def decline(state: State, seat: Seat) -> State:
    """Give up the rest of the action."""
    action = state.action
    if action is None or action.seat != seat:
        raise IllegalMove("C10", "You have no action to decline.")
    if action.kind == "blue_king":
        raise IllegalMove("C14", "The Blue King may not be declined.")
    state = replace(state, action=None)
    return said(state, "declined", seat, f"{{{seat}}} declined the {NAMES[action.kind]}.", declined="action")


def settled(state: State) -> State:
    """End an action without targets left: the Blue King shows its cards, all others lapse (C16)."""
    action = state.action
    if action is None or any(targets(state, action, kind) for kind in kinds(action)):
        return state
    state = replace(state, action=None)
    # C14: a picked card that was slapped before this is not shown; a picked card that was given away is.
    seen = [it for it in action.lying if is_there(state, it)]
    if action.kind == "blue_king" and seen:
        serial = state.serial + 1
        shows = tuple(Show(serial, "king", it, card_at(state, it, "C14")) for it in seen)
        state = replace(state, shows=(*state.shows, *shows), serial=serial)
        text = "The cards picked for the Blue King are shown."
        return said(state, "showed", action.seat, text, places=[plain(it) for it in seen])
    text = f"The {NAMES[action.kind]} of {{{action.seat}}} lapsed: there is nothing left to play it on."
    return said(state, "lapsed", action.seat, text, kind=action.kind)


def answered_by_clock(state: State) -> State:
    """The seat did not answer: the action is declined; for the Blue King the lowest slots are picked."""
    action = state.action
    assert action is not None
    if action.kind != "blue_king":
        return decline(state, action.seat)
    for seat in all_seats(state.seats):
        left = targets(state, action, "pick")
        place = next((it for it in places_of(state, seat) if it in left), None)
        if place is not None:
            state = picked(state, action, place)
            assert state.action is not None
            action = state.action
    return settled(state)


def _own_action(state: State, seat: Seat, kind: str, clause: str) -> Action:
    action = state.action
    if action is None or action.seat != seat or kind not in kinds(action):
        raise IllegalMove(clause, f"You have no {NAMES.get(kind, 'Blue King')} to play.")
    return action


def _target(state: State, action: Action, kind: str, place: Place, clause: str) -> Place:
    if place.seat == state.caller:
        raise IllegalMove("C25", "The cards of a seat that called Cambio are frozen.")
    card_at(state, place, clause)
    if place not in targets(state, action, kind):
        raise IllegalMove(clause, "This card cannot be chosen for that.")
    return place


def _looked(state: State, action: Action, place: Place, clause: str) -> State:
    serial = state.serial + 1
    show = Show(serial, "peek", place, card_at(state, place, clause), action.seat)
    state = replace(state, shows=(*state.shows, show), serial=serial)
    whose = "a card of its own" if place.seat == action.seat else f"a card of {{{place.seat}}}"
    text = f"{{{action.seat}}} looks at {whose}."
    return _spent(said(state, "peeked", action.seat, text, place=plain(place)), action)


def _spent(state: State, action: Action) -> State:
    if action.left == 1:
        return replace(state, action=None)
    serial = state.serial + 1  # C13: the second action has its own clock
    return replace(state, action=replace(action, left=action.left - 1, clock=serial), serial=serial)
