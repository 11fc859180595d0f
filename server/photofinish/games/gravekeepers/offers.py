"""The moves that a seat may send now. They follow from its own hand and the open table only."""

from collections.abc import Iterable
from typing import Any

from photofinish.engine import Offer, OneOf, Seat, all_seats, offer, one, rows
from photofinish.games.gravekeepers import effects, scoring
from photofinish.games.gravekeepers.box import the_box
from photofinish.games.gravekeepers.state import (
    CELLS,
    COLOURS,
    SIDE,
    Colour,
    Declare,
    Decline,
    Draw,
    Drop,
    Final,
    Flip,
    Ghost,
    MoveKeeper,
    Place,
    Relocate,
    State,
    TurnDown,
    in_order,
    pile_of,
)
from photofinish.games.gravekeepers.words import facts


def awaited(state: State) -> tuple[Seat, ...]:
    """The seats that the game waits for."""
    match state.phase:
        case "over":
            return ()
        case "final":
            return tuple(seat for seat in all_seats(state.seats) if state.finals[seat] is None)
        case _:
            return (state.turn,)


def reachable(state: State, seat: Seat, colour: Colour) -> tuple[int, ...]:
    """G8, G9: one to n places away, where n is the number of cards of that colour in hand. No wrap-around."""
    steps = sum(ghost.colour == colour for ghost in state.hands[seat])
    here = state.keepers[pile_of(colour)]
    return tuple(place for place in range(SIDE) if 1 <= abs(place - here) <= steps)


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    if seat not in awaited(state):
        return ()
    hand = state.hands[seat]
    match state.phase:
        case "declare":
            steps = [(colour, to) for colour in COLOURS for to in reachable(state, seat, colour)]
            return (offer(Declare, rows("colour to", steps), text="Declare a colour and move its keeper"),)
        case "place":
            cards = (ghost for ghost in hand if ghost.colour == state.declared)
            return (offer(Place, _card(cards), text="Place a card face down at the crossing"),)
        case "effect":
            return (_effect(state), offer(Decline, text="Let the effect pass"))
        case "draw":
            piles = [colour for colour in COLOURS if state.piles[pile_of(colour)]]
            return (offer(Draw, one("pile", piles), text="Draw a card"),)
        case "final":
            return (offer(Final, _card(hand), text="Choose your final card"),)
        case _:
            return (_scoring_effect(state, seat), offer(Decline, text="Leave your ghosts as they are"))


def _effect(state: State) -> Offer:
    effect = effects.asked(state)
    assert effect is not None
    reach = effects.targets(state, effect, effects.visited(state))
    text = the_box().effects[effect]
    if effect.startswith("move"):
        return offer(MoveKeeper, one("to", reach), text=text)
    kind = Relocate if effect.startswith("relocate") else Flip
    return offer(kind, rows("row col", (CELLS[cell] for cell in reach)), text=text)


def _scoring_effect(state: State, seat: Seat) -> Offer:
    rule = scoring.rule_now(state)
    if rule.turns_down:
        cards = scoring.may_turn_down(state, seat, rule)
        return offer(TurnDown, _card(cards), text="Turn one of your ghosts face down")
    return offer(Drop, text="Discard one of your face-down ghosts")


def _card(cards: Iterable[Ghost]) -> OneOf:
    """Equal cards appear once."""
    values: tuple[dict[str, Any], ...] = tuple(facts(ghost) for ghost in sorted(set(cards), key=in_order))
    return one("card", values)
