"""The cards on the table: their slots, and how a card moves."""

from functools import cache
from typing import Any

from photofinish.engine import Happened, IllegalMove, Rng, Seat, all_seats, replace
from photofinish.engine.decks.cards import Card, CardId, the_deck
from photofinish.games.cambio.state import Place, Slot, State


@cache
def _cards() -> dict[CardId, Card]:
    return the_deck().by_id()


@cache
def _kinds() -> dict[CardId, str]:
    return the_deck().parts("cambio")


def card_of(card: CardId) -> Card:
    return _cards()[card]


def kind_of(card: CardId) -> str:
    return _kinds()[card]


def said(state: State, what: str, seat: Seat | None, text: str, **detail: Any) -> State:
    return replace(state, last=(*state.last, Happened(what, seat, text, detail)))


def plain(place: Place) -> dict[str, int]:
    return {"seat": place.seat, "slot": place.slot, "mark": place.mark}


def places_of(state: State, seat: Seat) -> list[Place]:
    """Every slot of this seat that holds a card."""
    return [Place(seat, slot, it.mark) for slot, it in enumerate(state.table[seat]) if it.card is not None]


def free_places(state: State) -> list[Place]:
    """Every card that may be chosen: the caller's cards are frozen (C25)."""
    return [
        place for seat in all_seats(state.seats) if seat != state.caller for place in places_of(state, seat)
    ]


def has_cards(state: State, seat: Seat) -> bool:
    return any(slot.card is not None for slot in state.table[seat])


def is_there(state: State, place: Place) -> bool:
    """Is the chosen card still there?"""
    if place.seat >= state.seats or place.slot >= len(state.table[place.seat]):
        return False
    slot = state.table[place.seat][place.slot]
    return slot.card is not None and slot.mark == place.mark


def card_at(state: State, place: Place, clause: str) -> CardId:
    """The chosen card. Raises `IllegalMove` if it has changed: there is no penalty for another card in that slot."""
    card = state.table[place.seat][place.slot].card if is_there(state, place) else None
    if card is None:
        raise IllegalMove(clause, "That card is no longer there.")
    return card


def set_slot(state: State, seat: Seat, slot: int, card: CardId | None) -> State:
    """Put another card, or none, into this slot. One past the last slot makes a new slot. The mark changes."""
    serial = state.serial + 1
    row = state.table[seat]
    row = (*row[:slot], Slot(serial, card), *row[slot + 1 :])
    return replace(state, table=(*state.table[:seat], row, *state.table[seat + 1 :]), serial=serial)


def place_at(state: State, seat: Seat, slot: int) -> Place:
    return Place(seat, slot, state.table[seat][slot].mark)


def replenished(state: State, rng: Rng) -> State:
    """C8: an empty main pile is made from all discards except the top card, if there are any."""
    if state.main or len(state.discard) < 2:
        return state
    state = replace(state, main=rng.shuffled(state.discard[:-1]), discard=state.discard[-1:], awake=False)
    return said(state, "reshuffled", None, "The discards were shuffled into a new main pile.")


def fined(state: State, seat: Seat, rng: Rng) -> State:
    """One penalty card, unseen, in a new slot; skipped if there is none to draw (C8, C20)."""
    state = replenished(state, rng)
    if not state.main:
        return said(state, "penalty_skipped", seat, f"No penalty card was left for {{{seat}}}.")
    slot = len(state.table[seat])
    state = set_slot(state, seat, slot, state.main[-1])
    state = replace(state, main=state.main[:-1])
    to = plain(place_at(state, seat, slot))
    return said(state, "penalty", seat, f"{{{seat}}} took a penalty card.", to=to)
