"""The effects of action cards, and the penalty of a mouse that touches Kodiak's cards."""

from photofinish.engine import IllegalMove, Seat, replace
from photofinish.engine.decks.cards import CardId
from photofinish.games.kodiak.faces import ACTIONS, face_of
from photofinish.games.kodiak.moves import Expose, Look, OfferCard, PeekMine, Pick, Place, Swap, TouchPenalty
from photofinish.games.kodiak.state import (
    Ask,
    Owed,
    Picked,
    State,
    Touch,
    face_down,
    filled,
    name,
    owes_touch,
    tell,
)
from photofinish.games.kodiak.table import card_at, exchange_cards, peek, turn_up

Action = PeekMine | Expose | Look | Swap | Pick

# The moves that each action card demands. `CLAUSE` is the clause of the rules for each.
DOES: dict[str, tuple[type[Action], ...]] = {
    "peek_mine": (PeekMine,),
    "exposure": (Expose,),
    "swap": (Swap,),
    "red_king": (PeekMine, Look, Swap),
    "blue_king": (Pick,),
}
CLAUSE = {"peek_mine": "K9", "exposure": "K10", "swap": "K11", "red_king": "K12", "blue_king": "K13"}
CALLED = {
    "peek_mine": "look at one of its own cards",
    "exposure": "turn up a card of another mouse",
    "swap": "swap two cards",
    "red_king": "perform two actions with the Red King",
    "blue_king": "pick a card of every other mouse",
}


def owe(state: State, seat: Seat, card: CardId, by: str) -> State:
    """This card went from the seat's table to the discard pile. If it is an action card, its action is due (K7)."""
    kind = face_of(card).kind
    # The action of a card that emptied its seat lapses (K7). Number cards and hairballs have none (K14).
    if kind not in ACTIONS or not filled(state, seat):
        return state
    assert by in ("exchange", "scurry", "pounce")
    number = state.race.number if state.race else 0
    debt = Owed(state.ids + 1, seat, kind, by, number, 2 if kind == "red_king" else 1)  # type: ignore[arg-type]  # asserted above
    # In the order in which the cards came onto the discard pile.
    state = replace(state, ids=state.ids + 1, owed=(*state.owed, debt))
    return tell(state, "owes", seat, f"{name(seat)} must {CALLED[kind]}.", action=kind)


def perform(state: State, seat: Seat, move: Action) -> State:
    """One step of the action this seat owes."""
    debt = _due(state, seat, move)
    clause = CLAUSE[debt.kind]
    match move:
        case PeekMine(slot, mark):
            card_at(state, seat, slot, mark, clause)
            state = tell(peek(state, seat, seat, slot), "peeked", seat, f"{name(seat)} looks at an own card.",
                         at=seat, slot=slot)  # fmt: skip
            return _one_step_done(state)
        case Look(other, slot):
            _check_other(state, seat, move, clause)
            if other == state.kodiak:
                return _touch(state, seat)
            # K12: private.
            state = tell(peek(state, seat, other, slot), "peeked", seat,
                         f"{name(seat)} looks at a card of {name(other)}.", at=other, slot=slot)  # fmt: skip
            return _one_step_done(state)
        case Expose(other, slot):
            _check_other(state, seat, move, clause)
            if other == state.kodiak:
                return _touch(state, seat)
            state = tell(turn_up(state, other, slot), "turned_up", other,
                         f"{name(seat)} turned a card of {name(other)} face up.", slot=slot)  # fmt: skip
            return _one_step_done(state)
        case Pick():
            _check_other(state, seat, move, clause)
            return _pick(state, seat, debt, Picked(move.seat, move.slot, move.mark))
        case Swap(a, b):
            return _swap(state, seat, a, b, clause)


def answer(state: State, seat: Seat, move: OfferCard) -> State:
    """Kodiak chooses which of his cards is swapped (K11)."""
    if seat != state.kodiak or state.ask is None:
        raise IllegalMove("K11", "Nobody has asked you for a card.")
    card_at(state, seat, move.slot, move.mark, "K11")
    ask = state.ask
    return _one_step_done(exchange_cards(state, (ask.seat, ask.slot), (seat, move.slot)))


def pay_touch(state: State, seat: Seat, move: TouchPenalty) -> State:
    """A mouse that touched Kodiak's cards turns one of its own face up (K17)."""
    if not owes_touch(state, seat):
        raise IllegalMove("K17", "You have not touched Kodiak's cards.")
    card_at(state, seat, move.slot, move.mark, "K17")
    if state.table[seat][move.slot].up:
        raise IllegalMove("K17", "Choose a card that is still face down.")
    state = replace(
        turn_up(state, seat, move.slot), touched=tuple(it for it in state.touched if it.seat != seat)
    )
    text = f"{name(seat)} turned an own card face up for touching Kodiak's."
    return tell(state, "turned_up", seat, text, slot=move.slot)


def may_look_at(state: State, seat: Seat) -> tuple[tuple[Seat, int], ...]:
    """The cards of other mice (K10, K12). Never Kodiak's."""
    return tuple((other, slot) for other in state.mice if other != seat for slot in filled(state, other))


def may_pick(state: State, debt: Owed) -> tuple[tuple[Seat, int], ...]:
    """The seats from which a card must still be picked for a Blue King (K13)."""
    hit = state.seats if state.options.blue_king_hits_kodiak else state.mice
    done = {debt.seat, *(it.seat for it in debt.picked)}
    return tuple((other, slot) for other in hit if other not in done for slot in filled(state, other))


def may_swap(state: State) -> bool:
    return sum(bool(filled(state, seat)) for seat in state.seats) >= 2


def settle(state: State) -> State:
    """Drop actions that are no longer possible (K7, K8, K10, K17), and finish a Blue King after its last pick."""
    ask = state.ask
    if ask and not (
        state.owed and state.owed[0].id == ask.debt and state.table[ask.seat][ask.slot].mark == ask.mark
    ):
        # The question is dropped. K8: the mouse's card has left its slot, so the mouse chooses again. K23: or the
        # action itself has lapsed.
        state = replace(state, ask=None)
    state = replace(state, touched=tuple(it for it in state.touched if face_down(state, it.seat)))
    while state.owed and not state.ask and not _has_target(state, state.owed[0]):
        debt = state.owed[0]
        state = replace(state, owed=state.owed[1:])
        if debt.picked:
            state = _reveal(state, debt)
        elif debt.left:
            text = f"{name(debt.seat)} has nothing to choose from: the action lapses."
            state = tell(state, "lapsed", debt.seat, text, action=debt.kind)
    return state


def _due(state: State, seat: Seat, move: Action) -> Owed:
    if owes_touch(state, seat):
        raise IllegalMove("K17", "First turn one of your own cards face up.")
    if not state.owed or state.owed[0].seat != seat:
        raise IllegalMove("K7", "You have no action to perform now.")
    debt = state.owed[0]
    if not isinstance(move, DOES[debt.kind]):
        raise IllegalMove(CLAUSE[debt.kind], "That is not what your card does.")
    if state.ask:
        raise IllegalMove("K11", "Kodiak is choosing a card for your swap.")
    return debt


def _check_other(state: State, seat: Seat, move: Look | Expose | Pick, clause: str) -> None:
    card_at(state, move.seat, move.slot, move.mark, clause)
    if move.seat == seat:
        raise IllegalMove(clause, "Choose a card of another seat.")


def _pick(state: State, seat: Seat, debt: Owed, pick: Picked) -> State:
    if pick.seat == state.kodiak and not state.options.blue_king_hits_kodiak:
        return _touch(state, seat)
    if any(it.seat == pick.seat for it in debt.picked):
        raise IllegalMove("K13", "You have already picked a card of that seat.")
    debt = replace(debt, picked=(*debt.picked, pick))
    state = replace(state, owed=(debt, *state.owed[1:]))
    text = f"{name(seat)} picked a card of {name(pick.seat)}."
    return tell(state, "picked", seat, text, at=pick.seat, slot=pick.slot)


def _swap(state: State, seat: Seat, a: Place, b: Place, clause: str) -> State:
    if a.seat == b.seat:
        raise IllegalMove(clause, "A swap is between two different seats.")
    asks = touches = False
    for side in (a, b):
        if side.seat >= len(state.table):
            raise IllegalMove(clause, "There is nobody in that seat.")
        if side.slot is not None:
            card_at(state, side.seat, side.slot, side.mark, clause)
            touches = touches or (side.seat == state.kodiak != seat)
        elif side.seat != state.kodiak or seat == state.kodiak:
            raise IllegalMove(clause, "Say which slot.")
        elif not filled(state, side.seat) or side.mark is not None:
            raise IllegalMove(clause, "Name Kodiak's seat alone; he chooses the card.")
        else:
            asks = True
    if touches:
        return _touch(state, seat)
    if asks:
        side = b if a.seat == state.kodiak else a
        assert side.slot is not None
        assert side.mark is not None
        ask = Ask(state.ids + 1, state.owed[0].id, side.seat, side.slot, side.mark)
        state = replace(state, ids=ask.id, ask=ask)
        text = f"{name(seat)} wants one of {name(state.kodiak)}'s cards for a card of {name(side.seat)}."
        return tell(state, "asked", seat, text, at=side.seat, slot=side.slot)
    assert a.slot is not None
    assert b.slot is not None
    return _one_step_done(exchange_cards(state, (a.seat, a.slot), (b.seat, b.slot)))


def _touch(state: State, seat: Seat) -> State:
    # K17: the choice has no effect. The mouse pays its penalty, then chooses again.
    touch = Touch(state.ids + 1, seat)
    state = replace(state, ids=touch.id, touched=(*state.touched, touch))
    return tell(state, "touched", seat, f"{name(seat)} touched {name(state.kodiak)}'s cards!")


def _one_step_done(state: State) -> State:
    debt = replace(state.owed[0], left=state.owed[0].left - 1)
    return replace(state, ask=None, owed=(debt, *state.owed[1:]) if debt.left else state.owed[1:])


def _has_target(state: State, debt: Owed) -> bool:
    match debt.kind:
        case "peek_mine":
            return bool(filled(state, debt.seat))
        case "exposure":
            return bool(may_look_at(state, debt.seat))
        case "swap":
            return may_swap(state)
        case "red_king":
            return bool(filled(state, debt.seat) or may_look_at(state, debt.seat)) or may_swap(state)
        case _:
            return bool(may_pick(state, debt))


def _reveal(state: State, debt: Owed) -> State:
    # K13: all are turned up together and stay face up. A picked card that is gone by then is not replaced.
    for pick in debt.picked:
        if state.table[pick.seat][pick.slot].mark == pick.mark:
            state = turn_up(state, pick.seat, pick.slot)
            text = f"A card of {name(pick.seat)} was turned face up."
            state = tell(state, "turned_up", pick.seat, text, slot=pick.slot)
    return state
