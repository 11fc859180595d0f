"""The moves that a seat may send now. They follow from its own hand and the open table only."""

from collections.abc import Iterable

from photofinish.engine import Offer, OneOf, Seat, offer, one, rows
from photofinish.games.hameln_cave.clocks import awaited
from photofinish.games.hameln_cave.state import (
    NAMES,
    Apply,
    Card,
    Character,
    Extra,
    Pass,
    Play,
    Ready,
    Reveal,
    State,
    Steer,
    Stop,
)
from photofinish.games.hameln_cave.steps.effects import choices, face_down
from photofinish.games.hameln_cave.steps.trick import legal
from photofinish.games.hameln_cave.words import facts


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    if state.phase == "character":  # H3: a pick may be changed
        free = [name for name in NAMES if name not in state.characters]
        return (offer(Character, one("name", free), text="Choose your character"),)
    if seat not in awaited(state):
        return ()
    hand = state.hands[seat]
    match state.phase:
        case "exchange":
            return (offer(Pass, _card(hand), text="Pass a card to your partner"),)
        case "play":
            text = "Follow with a card" if state.trick else "Lead a card"
            return (offer(Play, _card(legal(hand, state.trick)), text=text),)
        case "steer":
            return (offer(Steer, one("to", choices(state)), text="Where shall the ship go?"),)
        case "reveal":
            return (offer(Reveal, _slots(state, face_down(state)), text="Turn up a Surplus card"),)
        case "second":
            return (
                offer(Reveal, _slots(state, face_down(state)), text="Turn up a second Surplus card"),
                offer(Stop, text="Leave it at the first card"),
            )
        case "choose":
            return (offer(Apply, _slots(state, state.turned), text="Choose the card that takes effect"),)
        case "extra":
            return (offer(Extra, one("take", (True, False)), text="Call an extra trick?"),)
        case _:
            return (offer(Ready, text="Go on to the next deal"),)


def _card(cards: Iterable[Card]) -> OneOf:
    return one("card", (facts(card) for card in cards))


def _slots(state: State, slots: Iterable[int]) -> OneOf:
    return rows("slot mark", ((slot, state.surplus[slot].mark) for slot in slots))
