"""A turn: draw, look, exchange (K3–K5). Also the look at a card before the first turn (K2)."""

from photofinish.engine import IllegalMove, Rng, Seat, clockwise, replace
from photofinish.games.kodiak.actions import owe
from photofinish.games.kodiak.moves import Keep
from photofinish.games.kodiak.rounds import end_round
from photofinish.games.kodiak.state import State, name, tell
from photofinish.games.kodiak.table import card_at, lay_on_pile, put, take_top
from photofinish.games.kodiak.throws import count_hairball, open_race


def say_ready(state: State, seat: Seat) -> State:
    if state.phase != "look" or state.ready[seat]:
        raise IllegalMove("K2", "You have already put your card back.")
    ready = (*state.ready[:seat], True, *state.ready[seat + 1 :])
    state = tell(replace(state, ready=ready), "ready", seat, f"{name(seat)} is ready.")
    return begin(state) if all(ready) else state


def begin(state: State) -> State:
    """All cards are back on the table; Kodiak has the first turn."""
    state = replace(state, phase="draw", ready=(True,) * len(state.table))
    return tell(state, "began", state.turn, f"{name(state.turn)} takes the first turn.")


def draw(state: State, seat: Seat, rng: Rng) -> State:
    """Take the top card of the main pile. Closes the race on the card before."""
    if state.phase == "look":
        raise IllegalMove("K2", "Everybody is still looking at a card.")
    if state.phase != "draw" or seat != state.turn:
        raise IllegalMove("K4", "It is not your turn to draw.")
    if state.is_in_window:
        raise IllegalMove("K24", "A mouse has thrown its last card: only a grab can keep the round going.")
    if state.is_waiting:
        raise IllegalMove("K8", "An action is not finished yet.")
    state = replace(state, race=None)  # K22
    if not state.main and not state.awake:
        return end_round(state, "A whole main pile went by without a move from anybody.", rng)
    state, card = take_top(state, rng)
    if card is None:
        return end_round(state, "There is no card left to draw.", rng)  # K5
    state = replace(state, drawn=card, phase="exchange")
    return tell(state, "drew", seat, f"{name(seat)} drew a card.")


def keep(state: State, seat: Seat, move: Keep) -> State:
    """Exchange the drawn card for one on the table. The old card goes face up on the pile and opens a race."""
    if state.phase != "exchange" or seat != state.turn:
        raise IllegalMove("K4", "You have no drawn card to exchange.")
    card = card_at(state, seat, move.slot, move.mark, "K4")
    state = put(state, seat, move.slot, state.drawn)
    state = count_hairball(lay_on_pile(state, card), seat, card)
    state = replace(
        state,
        drawn=None,
        phase="draw",
        turn=clockwise(seat, len(state.table)),  # K3
        turns=state.turns + 1,
    )
    text = f"{name(seat)} exchanged a card."
    state = tell(state, "exchanged", seat, text, slot=move.slot, mark=state.marks)
    return owe(open_race(state, card, seat), seat, card, "exchange")
