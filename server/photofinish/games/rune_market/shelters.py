"""Placing a shelter, and the boats that move into it."""

from photofinish.engine import IllegalMove, replace
from photofinish.engine.decks.cards import CardId
from photofinish.games.rune_market import holdings as own
from photofinish.games.rune_market.deck import part
from photofinish.games.rune_market.moves import Colour, Shelter
from photofinish.games.rune_market.state import State, held_by, put, say


def shelter(state: State, move: Shelter) -> State:
    seat, it = state.turn, state.own
    colour = shelter_colour(state, move.card)
    if colour is None:
        raise IllegalMove("R26", "That is no shelter in your hand.")
    if own.main(it, colour) is not None:
        raise IllegalMove("R26", f"You have a {colour} shelter already.")
    if move.boat_into is not None and move.boat_into not in boat_moves(it, colour):
        raise IllegalMove("R29", "No boat can move there now.")
    before = own.shelters(it)
    new = own.Main(move.card)
    for place, boat in own.boats(it).items():
        if boat.colour == colour:  # R29: it moves in with its runes
            it, new = replace(it, **{place: None}), replace(new, runes=boat.runes, boat=True)
    into = move.boat_into
    if into is None and own.shelters(it) == before == own.MOST_SHELTERS:
        into = colour  # R29: otherwise the seat would have three shelters
    it = replace(it, **{colour: new})
    if into is not None:
        bare = next(place for place, boat in own.boats(it).items() if boat.colour is None)
        taking = own.main(it, into)
        assert taking is not None
        it = replace(it, **{bare: None, into: replace(taking, boat=True)})
    hand = tuple(card for card in state.hand if card != move.card)
    state = replace(held_by(state, seat, it), hands=put(state.hands, seat, hand), played=state.played + 1)
    return say(
        state, "shelter", seat, f"{{{seat}}} placed a {colour} shelter.", card=move.card, colour=colour
    )


def shelter_colour(state: State, card: CardId) -> Colour | None:
    if card not in state.hand:
        return None
    return {"red_shelter": "red", "blue_shelter": "blue"}.get(part(card))  # type: ignore[return-value]  # both are colours


def boat_moves(it: own.Holding, colour: Colour) -> tuple[Colour, ...]:
    """Into which main shelters a boat without colour may move when this one is placed (R29)."""
    alone = own.boats(it).values()
    if not any(boat.colour is None for boat in alone) or any(boat.colour == colour for boat in alone):
        return ()
    if own.shelters(it) < own.MOST_SHELTERS:
        return (colour,)
    other: Colour = "blue" if colour == "red" else "red"
    there = own.main(it, other)
    return (colour, other) if there is not None and own.can_take_boat(there) else (colour,)
