"""The moves that a seat may send now. They follow from public facts."""

from collections.abc import Iterable

from photofinish.engine import Move, Offer, OneOf, Seat, offer, once, one, rows
from photofinish.games.cambio import actions
from photofinish.games.cambio.clocks import waits
from photofinish.games.cambio.slaps import slappable
from photofinish.games.cambio.state import (
    Action,
    Call,
    Decline,
    Discard,
    Draw,
    Give,
    Keep,
    PeekMine,
    PeekYours,
    Pick,
    Place,
    Ready,
    Slap,
    State,
    Swap,
)
from photofinish.games.cambio.table import free_places, places_of, plain


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    match state.phase:
        case "look" | "scored":
            text = "I have looked" if state.phase == "look" else "Go on"
            return () if state.ready[seat] else (offer(Ready, text=text),)
        case "over":
            return ()
        case "turn":
            return (*_turn(state, seat), *_action(state, seat), *_gifts(state, seat), *_slaps(state, seat))


def _turn(state: State, seat: Seat) -> Iterable[Offer]:
    if state.turn != seat or waits(state):
        return
    if state.drawn is not None:
        yield offer(Keep, _own(state, seat), text="Keep it in place of this card")
        if state.drawn.source == "main" or state.options.return_discard:
            yield offer(Discard, text="Discard it")
        return
    piles = ("main", "discard") if state.discard and not state.frozen else ("main",)
    yield offer(Draw, one("from", piles), text="Draw a card")
    if state.caller is None:
        yield offer(Call, text="Call Cambio")


def _action(state: State, seat: Seat) -> Iterable[Offer]:
    action = state.action
    if action is None or action.seat != seat:
        return
    for kind in actions.kinds(action):
        yield from _part(state, action, kind)
    if action.kind != "blue_king":
        yield offer(Decline, one("what", ("action",)), text="Leave it")


def _part(state: State, action: Action, kind: str) -> Iterable[Offer]:
    targets = actions.targets(state, action, kind)
    if not targets:
        return
    match kind:
        case "peek_mine":
            yield offer(PeekMine, _own(state, action.seat), text="Look at a card of your own")
        case "peek_yours":
            yield _at(PeekYours, targets, "Look at another seat's card")
        case "swap":
            cards = tuple(plain(it) for it in targets)
            text = "Swap two cards of different seats"
            yield offer(Swap, one("a", cards), one("b", cards), where="different_seats", text=text)
        case _:
            yield _at(Pick, targets, "Pick a card to be shown")


def _gifts(state: State, seat: Seat) -> Iterable[Offer]:
    open_to = tuple(plain(it.to) for it in state.gifts if it.giver == seat)
    if open_to:
        yield offer(Give, _own(state, seat), one("to", open_to), text="Give a card of your own")
        yield offer(Decline, one("what", ("gift",)), text="Give nothing")


def _slaps(state: State, seat: Seat) -> tuple[Offer, ...]:
    race = state.race
    if race is None:
        return ()
    for tried in race.tries:
        if tried.seat == seat:
            return _slap(slappable(state, seat))
    return _any_slap(state)


@once
def _any_slap(state: State) -> tuple[Offer, ...]:
    """For every seat that has not slapped in this race."""
    return _slap(tuple(free_places(state)))


def _slap(targets: tuple[Place, ...]) -> tuple[Offer, ...]:
    if not targets:
        return ()
    return (_at(Slap, targets, "Slap an identical card", awaited=False, risky=True),)


def _own(state: State, seat: Seat) -> OneOf:
    return rows("slot mark", tuple((it.slot, it.mark) for it in places_of(state, seat)))


def _at(
    move: type[Move], targets: tuple[Place, ...], text: str, *, awaited: bool = True, risky: bool = False
) -> Offer:
    places = rows("seat slot mark", tuple((it.seat, it.slot, it.mark) for it in targets))
    return offer(move, places, text=text, awaited=awaited, risky=risky)
