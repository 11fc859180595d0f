"""The moves that a seat may send now. They follow only from what the seat may know."""

from collections.abc import Iterable
from typing import Any

from photofinish.engine import Offer, OneOf, Seat, offer, once, one, rows
from photofinish.games.kodiak.actions import may_look_at, may_pick, may_swap
from photofinish.games.kodiak.moves import (
    Draw,
    Expose,
    Grab,
    Keep,
    Look,
    OfferCard,
    PeekMine,
    Pick,
    Pounce,
    Ready,
    Scurry,
    Swap,
    TouchPenalty,
)
from photofinish.games.kodiak.state import State, face_down, filled, owes_touch
from photofinish.games.kodiak.throws import differ


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    if state.phase == "over":
        return ()
    if state.phase == "look":
        return () if state.ready[seat] else (offer(Ready, text="Put your card back"),)
    return (*_duties(state, seat), *_throws(state, seat), *_turn(state, seat))


def _turn(state: State, seat: Seat) -> list[Offer]:
    if seat != state.turn:
        return []
    if state.phase == "exchange":
        return [offer(Keep, _own(state, seat), text="Exchange the drawn card for one of yours")]
    return [] if state.is_waiting or state.is_in_window else [offer(Draw, text="Draw a card")]


def _throws(state: State, seat: Seat) -> list[Offer]:
    own = _own(state, seat)
    if not own.rows:
        return []
    race = state.race
    is_racing = race is not None and not race.grabbed
    untried = own
    if race is not None and race.tried:
        untried = rows("slot mark", [row for row in own.rows if row[1] not in race.tried])
    if seat != state.kodiak:
        is_offered = is_racing and untried.rows
        text = "Scurry: throw an identical card"
        return [offer(Scurry, untried, text=text, awaited=False, risky=True)] if is_offered else []
    found = _pounces(state, seat, own)
    if is_racing and race is not None and race.winner is not None and untried.rows:
        text = "Grab: stop the escape with an identical card"
        found.append(offer(Grab, untried, text=text, awaited=False, risky=True))
    return found


def _pounces(state: State, seat: Seat, own: OneOf) -> list[Offer]:
    """Any card on any mouse's card (K18), except two cards that are visible and different."""
    mice = tuple(
        [
            (mouse, slot, mark)
            for mouse, cards in enumerate(_cards(state))
            if mouse != seat
            for slot, mark in cards.rows
        ]
    )
    visible = {(it.seat, it.slot, it.mark) for it in state.shown}
    shown = [it for it in mice if it in visible]
    by_prey: dict[tuple[tuple[int, int, int], ...], list[tuple[Any, ...]]] = {}
    for row in own.rows:
        prey = mice
        if shown and (seat, *row) in visible:
            prey = tuple(
                [it for it in mice if it not in shown or not differ(state, seat, row[0], Seat(it[0]), it[1])]
            )
        by_prey.setdefault(prey, []).append(row)
    text = "Pounce: lay a card on an identical one of a mouse"
    return [
        offer(
            Pounce,
            rows("slot mark", mine),
            OneOf(("seat", "target", "target_mark"), prey),
            text=text,
            awaited=False,
            risky=True,
        )
        for prey, mine in by_prey.items()
        if prey
    ]


def _duties(state: State, seat: Seat) -> list[Offer]:
    found = []
    if state.touched and owes_touch(state, seat):
        down = [(slot, state.table[seat][slot].mark) for slot in face_down(state, seat)]
        text = "You touched Kodiak's cards: turn one of yours face up"
        found.append(offer(TouchPenalty, rows("slot mark", down), text=text))
    elif state.owed and state.owed[0].seat == seat and state.ask is None:
        found += _actions(state, seat)
    if state.ask and seat == state.kodiak:
        found.append(offer(OfferCard, _own(state, seat), text="Choose which of your cards is swapped"))
    return found


def _actions(state: State, seat: Seat) -> list[Offer]:
    debt = state.owed[0]
    own, others = _own(state, seat), _marked(state, may_look_at(state, seat))
    found = []
    if debt.kind in ("peek_mine", "red_king") and own.rows:
        found.append(offer(PeekMine, own, text="Look at one of your cards"))
    if debt.kind == "exposure":
        found.append(offer(Expose, rows("seat slot mark", others), text="Turn a mouse's card face up"))
    if debt.kind == "red_king" and others:
        found.append(offer(Look, rows("seat slot mark", others), text="Look at a mouse's card"))
    if debt.kind in ("swap", "red_king") and may_swap(state):
        sides = list(_sides(state, seat))
        text = "Swap two cards of two seats"
        found.append(offer(Swap, one("a", sides), one("b", sides), where="different_seats", text=text))
    if debt.kind == "blue_king":
        picks = _marked(state, may_pick(state, debt))
        found.append(offer(Pick, rows("seat slot mark", picks), text="Pick a card to be turned face up"))
    return found


def _sides(state: State, actor: Seat) -> Iterable[dict[str, Any]]:
    for seat in state.seats:
        if seat == state.kodiak != actor:  # K11, K17: a mouse never names Kodiak's slot
            yield from ({"seat": seat},) if filled(state, seat) else ()
        else:
            for slot in filled(state, seat):
                yield {"seat": seat, "slot": slot, "mark": state.table[seat][slot].mark}


def _own(state: State, seat: Seat) -> OneOf:
    return _cards(state)[seat]


@once
def _cards(state: State) -> tuple[OneOf, ...]:
    """The cards in front of each seat. Slots and marks are public."""
    return tuple(
        [
            rows("slot mark", [(slot, it.mark) for slot, it in enumerate(row) if it.card is not None])
            for row in state.table
        ]
    )


def _marked(state: State, at: Iterable[tuple[Seat, int]]) -> tuple[tuple[int, int, int], ...]:
    return tuple((seat, slot, state.table[seat][slot].mark) for seat, slot in at)
