"""Duels and thefts."""

from photofinish.engine import IllegalMove, Rng, Seat, replace
from photofinish.engine.decks.cards import CardId
from photofinish.games.rune_market import holdings as own
from photofinish.games.rune_market.deck import number, part
from photofinish.games.rune_market.goods import received
from photofinish.games.rune_market.moves import Colour, RuneAt, Steal
from photofinish.games.rune_market.shelters import shelter_colour
from photofinish.games.rune_market.state import OpenDuel, Shown, State, Theft, held_by, lay_down, put, say


def duel(state: State, card: CardId, seat: Seat) -> State:
    if card not in state.hand or part(card) != "number":
        raise IllegalMove("R18", "Attack with a number card from your hand.")
    if seat not in state.others:
        raise IllegalMove("R18", "Name another seat at this table.")
    if seat in state.duelled:
        raise IllegalMove("R18", "You have attacked that seat in this turn already.")
    state = replace(
        state,
        hands=put(state.hands, state.turn, tuple(it for it in state.hand if it != card)),
        played=state.played + 1,
        duelled=tuple(sorted((*state.duelled, seat))),
        duel=OpenDuel(card, seat),
        answers=state.answers + 1,
    )
    text = f"{{{state.turn}}} attacked {{{seat}}} with a {number(card)}."
    state = say(state, "duel", state.turn, text, victim=seat, card=card, number=number(card))
    return state if state.hands[seat] else give_up(state)  # R19


def defenders(state: State, seat: Seat) -> tuple[CardId, ...]:
    """The cards with which this seat could answer the attack (R19)."""
    assert state.duel is not None
    least = number(state.duel.card)
    return tuple(it for it in state.hands[seat] if part(it) == "number" and number(it) >= least)


def defend(state: State, seat: Seat, card: CardId) -> State:
    if card not in defenders(state, seat):
        raise IllegalMove("R19", "Defend with an equal or higher number card from your hand.")
    state = replace(_duel_over(state), shown=(*state.shown, Shown(state.answers, seat, card)))
    # The face is in the view while it is shown, never in `last`.
    return say(state, "defended", seat, f"{{{seat}}} fought the attack off.")


def give_up(state: State) -> State:
    duel = state.duel
    assert duel is not None
    state = say(_duel_over(state), "gave_up", duel.seat, f"{{{duel.seat}}} gave up.")
    return thefts(state, 1, duel.seat)  # R21


def _duel_over(state: State) -> State:
    assert state.duel is not None
    return replace(state, duel=None, discard=(*state.discard, state.duel.card))  # R20, R21


# Thefts


def thief(state: State, card: CardId) -> State:
    if card not in state.hand or part(card) != "thief":
        raise IllegalMove("R22", "That is no thief in your hand.")
    state = say(lay_down(state, card), "thief", state.turn, f"{{{state.turn}}} played a thief.", card=card)
    return thefts(state, 1, None)


def double_theft(state: State, card: CardId) -> State:
    if shelter_colour(state, card) is None:
        raise IllegalMove("R22", "Only a shelter from your hand is a double theft.")
    text = f"{{{state.turn}}} discarded a shelter for two thefts."
    return thefts(say(lay_down(state, card), "double_theft", state.turn, text, card=card), 2, None)


def thefts(state: State, left: int, victim: Seat | None) -> State:
    """Start this number of thefts, unless there is nothing to steal (R24)."""
    state = replace(state, theft=Theft(left, victim) if left else None, answers=state.answers + 1)
    if left and not victims(state):
        return say(replace(state, theft=None), "nothing_to_steal", state.turn, "There is nothing to steal.")
    return state


def victims(state: State) -> tuple[Seat, ...]:
    """The seats that the pending theft may name (R21, R24)."""
    assert state.theft is not None
    named = state.others if state.theft.victim is None else (state.theft.victim,)
    return tuple(seat for seat in named if state.hands[seat] or own.runes(state.holdings[seat]))


def steal(state: State, move: Steal, rng: Rng) -> State:
    assert state.theft is not None
    if move.seat not in victims(state):
        raise IllegalMove(
            "R21" if state.theft.victim is not None else "R24", "You cannot steal from that seat."
        )
    if (move.rune is None) == (move.card is None):
        raise IllegalMove("R23", "A theft takes one rune or one hand card.")
    if move.rune is not None:
        state = _steal_rune(state, move, move.rune)
    else:
        if move.into is not None:
            raise IllegalMove("R23", "A hand card goes into your hand.")
        state = _steal_card(state, move.seat, rng)
    return _next_theft(state)


def decline(state: State) -> State:
    return _next_theft(say(state, "declined", state.turn, f"{{{state.turn}}} stole nothing."))


def _next_theft(state: State) -> State:
    assert state.theft is not None
    return thefts(state, state.theft.left - 1, state.theft.victim)


def colour_of(it: own.Holding, rune: RuneAt) -> Colour | None:
    """The colour of the named rune, if there is such a rune."""
    colours = own.COLOURS if rune.colour is None else (rune.colour,)
    if rune.place == "loose" and rune.colour is None:
        return None  # only for loose runes the place does not determine the colour
    return next((colour for colour in colours if own.runes_at(it, rune.place, colour)), None)


def _steal_rune(state: State, move: Steal, rune: RuneAt) -> State:
    victim = state.holdings[move.seat]
    colour = colour_of(victim, rune)
    if colour is None:
        raise IllegalMove("R23", "There is no such rune to steal.")
    thiefs = received(state.own, colour, 1, move.into)  # R25
    state = held_by(state, state.turn, thiefs)
    state = held_by(state, move.seat, own.add(victim, rune.place, colour, -1))
    text = f"{{{state.turn}}} stole a {colour} rune from {{{move.seat}}}."
    return say(state, "stole_rune", state.turn, text, victim=move.seat, colour=colour, place=rune.place)


def _steal_card(state: State, victim: Seat, rng: Rng) -> State:
    if not state.hands[victim]:
        raise IllegalMove("R23", "That seat has no hand card.")
    card = rng.pick(state.hands[victim])  # R23: drawn blind
    thiefs = state.turn
    hands = put(state.hands, victim, tuple(it for it in state.hands[victim] if it != card))
    state = replace(state, hands=put(hands, thiefs, (*state.hand, card)))  # R25
    state = say(
        state, "stole_card", thiefs, f"{{{thiefs}}} stole a hand card from {{{victim}}}.", victim=victim
    )
    for seat in (thiefs, victim):
        state = say(state, "card_moved", thiefs, "It was this card.", seat, victim=victim, card=card)
    return state
