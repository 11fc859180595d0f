"""Handles every move and every expired clock."""

from photofinish.engine import Act, Expired, IllegalMove, Input, Rng, Seat, all_seats, clockwise, replace
from photofinish.engine.decks.cards import CardId
from photofinish.games.cambio import actions, rounds, slaps
from photofinish.games.cambio.clocks import timers, waits
from photofinish.games.cambio.state import (
    Call,
    CambioMove,
    Decline,
    Discard,
    Draw,
    Drawn,
    Give,
    Keep,
    PeekMine,
    PeekYours,
    Pick,
    Place,
    Ready,
    Slap,
    Source,
    State,
    Swap,
)
from photofinish.games.cambio.table import (
    card_at,
    has_cards,
    is_there,
    place_at,
    places_of,
    plain,
    replenished,
    said,
    set_slot,
)


def apply(state: State, event: Input[CambioMove], rng: Rng) -> State:
    state = replace(state, last=())
    match event:
        case Act(seat, move):
            return _settled(_played(state, seat, move, rng))
        case Expired(key):
            assert key in {timer.key for timer in timers(state) if timer.running}, f"no clock {key}"
            return _settled(_run_out(state, key, rng))


def _played(state: State, seat: Seat, move: CambioMove, rng: Rng) -> State:
    if state.phase == "over":
        raise IllegalMove("C28", "The game is over.")
    if isinstance(move, Ready):
        return rounds.ready(state, seat, rng)
    if state.phase == "look":
        raise IllegalMove("C3", "Everybody is still looking at two cards.")
    if state.phase == "scored":
        raise IllegalMove("C27", "The round is over; the next one has not been dealt.")
    state = replace(state, awake=True)
    match move:
        case Draw(source):
            return _draw(state, seat, source, rng)
        case Keep():
            return _keep(state, seat, move)
        case Discard():
            return _discard(state, seat)
        case Call():
            return _call(state, seat)
        case PeekMine():
            return actions.peek_mine(state, seat, move)
        case PeekYours():
            return actions.peek_yours(state, seat, move)
        case Swap():
            return actions.swap(state, seat, move)
        case Pick():
            return actions.pick(state, seat, move)
        case Decline(what):
            return actions.decline(state, seat) if what == "action" else slaps.keep_gift(state, seat)
        case Slap():
            return slaps.slap(state, seat, move, rng)
        case Give():
            return slaps.give(state, seat, move)


def _draw(state: State, seat: Seat, source: Source, rng: Rng) -> State:
    _may_begin(state, seat, "C5", "draw")
    if source == "discard":
        if not state.discard:
            raise IllegalMove("C5", "The discard pile is empty.")
        if state.frozen:
            raise IllegalMove("C17", "The discard pile is frozen: draw from the main pile.")
        pile, card = state.discard[:-1], state.discard[-1]
        state = replace(slaps.closed(state), discard=pile)
        state = said(state, "drew", seat, f"{{{seat}}} took the top of the discard pile.", source=source)
    else:
        state = slaps.closed(state)  # C22
        if not state.main and not state.awake:
            # Since the last shuffle no player has made a move, only the clocks: all players have left.
            return rounds.end_round(state, "deserted", "Nobody is playing: the round is counted as it lies.")
        state = replenished(state, rng)
        if not state.main:  # C8
            return rounds.end_round(state, "no_cards", "There is no card left to draw: the round ends.")
        card = state.main[-1]
        state = replace(state, main=state.main[:-1])
        state = said(state, "drew", seat, f"{{{seat}}} drew a card.", source=source)
    return replace(state, drawn=Drawn(card, source))


def _keep(state: State, seat: Seat, move: Keep) -> State:
    drawn = _in_hand(state, seat)
    old = card_at(state, Place(seat, move.slot, move.mark), "C6")
    state = set_slot(state, seat, move.slot, drawn.card)
    moved = plain(place_at(state, seat, move.slot))
    text = f"{{{seat}}} kept the card and discarded the one it replaced."
    state = said(state, "kept", seat, text, place=moved, replaced=move.mark)
    return _land(state, seat, old)


def _discard(state: State, seat: Seat) -> State:
    drawn = _in_hand(state, seat)
    if drawn.source == "discard" and not state.options.return_discard:
        raise IllegalMove("C7", "A card taken from the discard pile must be exchanged.")
    state = said(state, "discarded", seat, f"{{{seat}}} discarded the card.")
    state = _land(state, seat, drawn.card)
    return actions.opened(state, seat) if drawn.source == "main" else state


def _call(state: State, seat: Seat) -> State:
    _may_begin(state, seat, "C24", "call")
    if state.caller is not None:
        raise IllegalMove("C24", "Cambio has been called already.")
    state = replace(slaps.closed(state), caller=seat, frozen=False)
    state = said(state, "called", seat, f"{{{seat}}} called Cambio! Everybody else has one more turn.")
    return _passed(state, seat)


def _may_begin(state: State, seat: Seat, clause: str, verb: str) -> None:
    if state.turn != seat:
        raise IllegalMove(clause, f"It is not your turn to {verb}.")
    if state.drawn is not None:
        raise IllegalMove(clause, "You have drawn already.")
    if state.action is not None:
        raise IllegalMove("C16", "The turn before is not finished: an action is still open.")
    if state.gifts:
        raise IllegalMove("C19", "A gift is still open.")


def _in_hand(state: State, seat: Seat) -> Drawn:
    if state.turn != seat or state.drawn is None:
        raise IllegalMove("C6", "You have no drawn card in your hand.")
    return state.drawn


def _land(state: State, seat: Seat, card: CardId) -> State:
    """A turn's card goes onto the discard pile: a race opens, and the next seat has the turn."""
    state = replace(state, discard=(*state.discard, card), drawn=None)
    return _passed(slaps.opened(state, seat), seat)


def _passed(state: State, seat: Seat) -> State:
    after = clockwise(seat, state.seats)  # C4
    serial = state.serial + 1
    # C25: after a call everybody else has one more turn; the caller has none.
    return replace(state, turn=None if after == state.caller else after, turn_clock=serial, serial=serial)


def _settled(state: State) -> State:
    """Automatic steps: end old shows, end actions without targets, end the round."""
    if state.phase != "turn":
        return state
    shows = tuple(
        it
        for it in state.shows
        # A moved card is turned face down again; a thrown card stays visible while it is on the pile.
        if (it.card in state.discard if it.why == "thrown" else is_there(state, it.place))
    )
    if len(shows) != len(state.shows):
        state = replace(state, shows=shows)
    for seat in all_seats(state.seats):
        if not has_cards(state, seat) and all(it.to.seat != seat for it in state.gifts):  # C26
            return rounds.end_round(state, "no_table_cards", f"{{{seat}}} has no cards left: the round ends.")
    state = actions.settled(state)
    if state.turn is None and state.race is None and not waits(state):  # C25
        return rounds.end_round(state, "called", "Everybody has had one more turn: the round ends.")
    return state


def _run_out(state: State, key: str, rng: Rng) -> State:
    name, _, number = key.partition(":")
    match name:
        case "look" | "next":
            return rounds.go_on(state, rng)
        case "show":
            return replace(state, shows=tuple(it for it in state.shows if it.number != int(number)))
        case "give":
            gift = next(it for it in state.gifts if it.number == int(number))
            return slaps.keep_gift(state, gift.giver, gift.number)
        case "action":
            return actions.answered_by_clock(state)
        case "race":
            return slaps.closed(state)  # C22: no next turn follows that would close the race
        case _:
            return _turn_run_out(state, rng)


def _turn_run_out(state: State, rng: Rng) -> State:
    """Play the turn for the seat: draw from the main pile, discard, decline the action."""
    seat = state.turn
    assert seat is not None
    state = said(state, "missed", seat, f"{{{seat}}}'s time ran out.")
    if state.drawn is None:
        state = _draw(state, seat, "main", rng)
        if state.drawn is None:  # C8: the draw has ended the round
            return state
    assert state.drawn is not None
    if state.drawn.source == "discard" and not state.options.return_discard:  # C7
        lowest = places_of(state, seat)[0]
        return _keep(state, seat, Keep(lowest.slot, lowest.mark))
    state = actions.settled(_discard(state, seat))
    return state if state.action is None else actions.answered_by_clock(state)
