"""What a seat may send now. The button is always there: pressing in the dark is a foul, not a refusal (X8)."""

from photofinish.engine import Offer, Seat, offer
from photofinish.games.reflex.state import Press, State


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    if state.phase == "over" or seat not in state.to_press:
        return ()
    is_green = state.phase == "lit" and state.light is not None and state.light.sign == "go"
    return (offer(Press, text="Press", awaited=is_green, risky=not is_green),)
