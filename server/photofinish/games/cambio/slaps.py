"""The race for identical cards, and the gifts that follow from it."""

from typing import Literal

from photofinish.engine import IllegalMove, Millis, Race, Rng, Seat, all_seats, replace
from photofinish.engine.decks.cards import CardId
from photofinish.games.cambio.state import (
    Call,
    CambioMove,
    Draw,
    Gift,
    Give,
    OpenRace,
    Place,
    Show,
    Slap,
    State,
    Try,
)
from photofinish.games.cambio.table import (
    card_at,
    card_of,
    fined,
    free_places,
    place_at,
    plain,
    said,
    set_slot,
)


def race(state: State) -> Race[CambioMove] | None:
    """The race for the room's arbiter. Every seat takes part, whatever cards it holds."""
    it = state.race
    if it is None:
        return None
    return Race(
        key=f"race:{it.number}",
        seats=all_seats(state.seats),
        contested=(Slap,),
        closers=(Draw, Call),  # C22
        not_before=Millis(state.options.race_min_ms),
        throws=it.throws,
        opener=it.opener,
    )


def opened(state: State, seat: Seat) -> State:
    """C17: this seat's turn has put a card on the discard pile."""
    serial = state.serial + 1
    rune = card_of(state.discard[-1]).rune
    return replace(state, race=OpenRace(serial, rune, seat), frozen=False, serial=serial)


def closed(state: State) -> State:
    if state.race is None:
        return state
    state = replace(state, race=None)
    return said(state, "race_closed", None, "The race is over.")


def slappable(state: State, seat: Seat) -> tuple[Place, ...]:
    """Every card that this seat may throw now: no frozen card (C23), and no card twice in a race (C20)."""
    if state.race is None:
        return ()
    tried = {it.mark for it in state.race.tries if it.seat == seat}
    return tuple([it for it in free_places(state) if it.mark not in tried])


def slap(state: State, seat: Seat, move: Slap, rng: Rng) -> State:
    """Judge one slap. The room has already sorted the slaps of this race (C18)."""
    it = state.race
    if it is None:
        raise IllegalMove("C22", "No race is open.")
    if move.seat == state.caller:
        raise IllegalMove("C23", "The cards of a seat that called Cambio cannot be slapped.")
    place = Place(move.seat, move.slot, move.mark)
    card = card_at(state, place, "C23")
    if Try(seat, move.mark) in it.tries:
        raise IllegalMove("C20", "You have thrown this card in this race already.")
    if card_of(card).rune != it.rune:  # C9, C20
        text = f"{{{seat}}} threw a wrong card of {{{place.seat}}}."
        state = said(_exposed(state, it, seat, place, "wrong"), "wrong_slap", seat, text, place=plain(place))
        return fined(state, seat, rng)
    if it.winner is not None and it.winner != seat:  # C21
        text = f"{{{seat}}} threw an identical card of {{{place.seat}}}, too late."
        state = said(_exposed(state, it, seat, place, "late"), "late_slap", seat, text, place=plain(place))
        return state if place.seat == seat else fined(state, seat, rng)
    return _thrown(state, it, seat, place, card)


def give(state: State, seat: Seat, move: Give) -> State:
    """C19: the winner puts one of its own cards, face down, into the emptied slot."""
    gift = next((it for it in state.gifts if it.giver == seat and it.to == move.to), None)
    if gift is None:
        raise IllegalMove("C19", "You have no gift to make there.")
    given = Place(seat, move.slot, move.mark)
    card = card_at(state, given, "C19")
    state = set_slot(state, seat, given.slot, None)
    state = set_slot(state, gift.to.seat, gift.to.slot, card)
    state = replace(state, gifts=tuple(it for it in state.gifts if it != gift))
    now = place_at(state, gift.to.seat, gift.to.slot)
    if state.action is not None and given in state.action.picks:  # C14: it stays picked
        state = replace(state, action=replace(state.action, given=(*state.action.given, (given, now))))
    moved = [{"from": plain(given), "to": plain(now)}]
    return said(state, "gave", seat, f"{{{seat}}} gave {{{gift.to.seat}}} a card.", moved=moved)


def keep_gift(state: State, seat: Seat, number: int | None = None) -> State:
    """Decline a gift: the one with this number, or the seat's oldest."""
    gift = next((it for it in state.gifts if it.giver == seat and number in {None, it.number}), None)
    if gift is None:
        raise IllegalMove("C19", "You have no gift to decline.")
    state = replace(state, gifts=tuple(it for it in state.gifts if it != gift))
    text = f"{{{seat}}} gives {{{gift.to.seat}}} nothing."
    return said(state, "declined", seat, text, declined="gift", to=plain(gift.to))


def _thrown(state: State, it: OpenRace, seat: Seat, place: Place, card: CardId) -> State:
    """C17, C18: the card stays on the pile, the pile is frozen, and this seat has won the race."""
    state = set_slot(state, place.seat, place.slot, None)
    emptied = place_at(state, place.seat, place.slot)
    serial = state.serial + 1
    state = replace(
        state,
        discard=(*state.discard, card),
        frozen=True,
        race=replace(it, throws=it.throws + 1, winner=seat),
        shows=(*state.shows, Show(serial, "thrown", place, card)),
        turn_clock=serial,  # C22: restart the clock of the next seat, so that it cannot close the race early
        serial=serial,
    )
    text = f"{{{seat}}} threw an identical card of {{{place.seat}}}."
    state = said(state, "slapped", seat, text, place=plain(place), emptied=plain(emptied))
    if seat in {place.seat, state.caller}:  # C19, C25: a caller gives nothing
        return state
    serial = state.serial + 1
    return replace(state, gifts=(*state.gifts, Gift(serial, seat, emptied)), serial=serial)


def _exposed(state: State, it: OpenRace, seat: Seat, place: Place, why: Literal["wrong", "late"]) -> State:
    """Everybody sees the card for a while. It goes back to its slot, so it keeps its mark."""
    serial = state.serial + 1
    # A card is shown only once, even if several seats have thrown it.
    others = tuple(show for show in state.shows if show.to is not None or show.place != place)
    show = Show(serial, why, place, card_at(state, place, "C23"))
    return replace(
        state,
        shows=(*others, show),
        race=replace(it, tries=(*it.tries, Try(seat, place.mark))),
        serial=serial,
    )
