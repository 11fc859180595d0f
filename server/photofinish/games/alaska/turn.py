"""A turn from start to end: salmon and flow cards shown, cards drawn, the next seat, the last round."""

from photofinish.engine import clockwise, replace
from photofinish.games.alaska.deck import HAND, part
from photofinish.games.alaska.state import State, put, say


def begin(state: State) -> State:
    """Start the turn of `state.turn`: its salmon and flow cards are shown (A6, A8)."""
    seat = state.turn
    state = replace(state, turns=state.turns + 1, hurried=False)
    if state.missing[seat]:  # A35: the seat only draws four cards
        state = replace(state, missing=put(state.missing, seat, value=False))
        state = say(state, "missed_turn", seat, f"{{{seat}}} misses this turn.")
        # A38: in the last round there is nothing to draw, and the seat has no other turn.
        return pass_on(draw(state))
    state = say(state, "turn", seat, f"It is {{{seat}}}'s turn.", last=state.is_last_turn)
    salmon = tuple(card for card in state.hand if part(card) == "salmon")
    flow = tuple(card for card in state.hand if part(card) == "flow")
    if salmon:
        state = say(
            state,
            "salmon_shown",
            seat,
            f"{{{seat}}} hands {{{state.placer}}} {len(salmon)} salmon to place.",
            salmon=len(salmon),
            placer=state.placer,
        )
    left = tuple(card for card in state.hand if card not in (*salmon, *flow))
    return replace(state, hands=put(state.hands, seat, left), salmon=salmon, flow=flow)


def end(state: State) -> State:
    """End the turn: draw, then the next seat (A11)."""
    return pass_on(draw(state))


def draw(state: State) -> State:
    """Draw up to four cards, or fewer if the pile has fewer (A36); in the last turn the main pile is empty (A37)."""
    wanted = HAND - len(state.hand)
    cards, main = state.main[:wanted], state.main[wanted:]
    if cards:
        state = say(state, "drew", state.turn, f"{{{state.turn}}} drew {len(cards)} cards.", cards=len(cards))
    return replace(state, main=main, hands=put(state.hands, state.turn, (*state.hand, *cards)))


def pass_on(state: State) -> State:
    """The next seat's turn begins, or the game is over."""
    if state.turns_left is not None:
        left = state.turns_left - 1
        if left == 0:
            return say(replace(state, turns_left=0, over=True), "game_over", None, "The game is over.")
        state = replace(state, turns_left=left)
    elif not state.main:  # A36: one more turn each, ending with the seat that drew the last card
        state = say(
            replace(state, turns_left=state.seats),
            "last_round",
            None,
            "The main pile is empty: the last round.",
        )
    return begin(replace(state, turn=clockwise(state.turn, state.seats)))
