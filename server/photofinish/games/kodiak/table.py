"""The cards on the table: slots and their marks, the two piles, penalty cards."""

from photofinish.engine import IllegalMove, Rng, Seat, replace
from photofinish.engine.decks.cards import CardId
from photofinish.games.kodiak.state import Peek, Shown, Slot, State, name, tell


def card_at(state: State, seat: Seat, slot: int, mark: int | None, clause: str) -> CardId:
    """The card that a move names. A slot that is missing, empty or changed is refused without a penalty."""
    if seat >= len(state.table):
        raise IllegalMove(clause, "There is nobody in that seat.")
    if slot >= len(state.table[seat]):
        raise IllegalMove(clause, "There is no such slot.")
    place = state.table[seat][slot]
    if place.card is None:
        raise IllegalMove(clause, "There is no card in that slot.")
    if place.mark != mark:
        raise IllegalMove(clause, "That card has changed since you last saw it.")
    return place.card


def put(state: State, seat: Seat, slot: int, card: CardId | None) -> State:
    """Put another card, face down, or none into that slot. It gets a new mark, and looks at the old card end."""
    fresh = Slot(card, state.marks + 1)
    row = state.table[seat]
    return replace(
        state,
        table=_with(state.table, seat, (*row[:slot], fresh, *row[slot + 1 :])),
        marks=state.marks + 1,
        peeks=tuple(it for it in state.peeks if (it.seat, it.slot) != (seat, slot)),
        shown=tuple(it for it in state.shown if it.mark is None or (it.seat, it.slot) != (seat, slot)),
    )


def turn_up(state: State, seat: Seat, slot: int) -> State:
    """Face up for all to see. It is the same card, so the mark stays."""
    row = state.table[seat]
    up = replace(row[slot], up=True)
    return replace(state, table=_with(state.table, seat, (*row[:slot], up, *row[slot + 1 :])))


def exchange_cards(state: State, a: tuple[Seat, int], b: tuple[Seat, int]) -> State:
    """Two table cards change place. Both lie face down afterwards (K11)."""
    first, second = state.table[a[0]][a[1]], state.table[b[0]][b[1]]
    state = put(put(state, *a, second.card), *b, first.card)
    moved = [
        {"from": _spot(a, first.mark), "to": _spot(b, state.table[b[0]][b[1]].mark)},
        {"from": _spot(b, second.mark), "to": _spot(a, state.table[a[0]][a[1]].mark)},
    ]
    text = f"A card of {name(a[0])} and a card of {name(b[0])} changed place."
    return tell(state, "swapped", None, text, moved=moved)


def lay_on_pile(state: State, card: CardId) -> State:
    return replace(state, discard=(*state.discard, card))


def lay_under_top(state: State, *cards: CardId) -> State:
    # K15: a pounce opens no race; what it caught goes under the top card.
    return replace(state, discard=(*state.discard[:-1], *cards, *state.discard[-1:]))


def take_top(state: State, rng: Rng) -> tuple[State, CardId | None]:
    """The top card of the main pile, which is rebuilt from the discards if empty (K5). None if there is none."""
    if not state.main:
        state = _made_anew(state, rng)
    if not state.main:
        return state, None
    return replace(state, main=state.main[:-1]), state.main[-1]


def refill(state: State, seat: Seat, slot: int, rng: Rng) -> State:
    """An unseen card from the main pile into an emptied slot; skipped if there is none (K5)."""
    state, card = take_top(state, rng)
    if card is None:
        return state
    state = put(state, seat, slot, card)
    text = f"{name(seat)} took an unseen card."
    return tell(state, "refilled", seat, text, slot=slot, mark=state.marks)


def penalise(state: State, seat: Seat, rng: Rng) -> State:
    """One unseen penalty card in a new slot (K16, K18), if the option is on and there is a card."""
    if not state.options.wrong_throw_penalty:
        return state
    state, card = take_top(state, rng)
    if card is None:
        return state
    slot = len(state.table[seat])
    state = put(state, seat, slot, card)
    return tell(state, "penalty", seat, f"{name(seat)} took a penalty card.", slot=slot, mark=state.marks)


def show_on_table(state: State, seat: Seat, slot: int) -> State:
    """All may see this card for a while; it stays in its slot."""
    place = state.table[seat][slot]
    assert place.card is not None
    return _show(state, seat, slot, place.card, place.mark)


def show_caught(state: State, seat: Seat, slot: int, card: CardId) -> State:
    """All may see the caught card for a while, because it goes under the top card."""
    return _show(state, seat, slot, card, None)


def peek(state: State, by: Seat, seat: Seat, slot: int) -> State:
    ident = state.ids + 1
    look = Peek(ident, by, seat, slot, state.table[seat][slot].mark)
    return replace(state, ids=ident, peeks=(*state.peeks, look))


def _show(state: State, seat: Seat, slot: int, card: CardId, mark: int | None) -> State:
    ident = state.ids + 1
    rest = tuple(
        it for it in state.shown if mark is None or (it.seat, it.slot, it.mark) != (seat, slot, mark)
    )
    return replace(state, ids=ident, shown=(*rest, Shown(ident, seat, slot, card, mark)))


def _made_anew(state: State, rng: Rng) -> State:
    # K5: all discards but the top are shuffled into a new main pile.
    if len(state.discard) < 2:
        return state
    state = replace(state, main=rng.shuffled(state.discard[:-1]), discard=state.discard[-1:], awake=False)
    return tell(state, "reshuffled", None, "The discards were shuffled into a new main pile.")


def _with(
    table: tuple[tuple[Slot, ...], ...], seat: Seat, row: tuple[Slot, ...]
) -> tuple[tuple[Slot, ...], ...]:
    return (*table[:seat], row, *table[seat + 1 :])


def _spot(at: tuple[Seat, int], mark: int) -> dict[str, int]:
    return {"seat": at[0], "slot": at[1], "mark": mark}
