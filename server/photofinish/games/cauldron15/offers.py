"""The moves that a seat may send now. They follow from its own hand and the open table only."""

from collections.abc import Iterable
from typing import Any

from photofinish.engine import Offer, OneOf, Seat, SomeOf, offer, one
from photofinish.games.cauldron15.clocks import awaited
from photofinish.games.cauldron15.state import Bonus, Card, Decline, Play, Spend, State, Take
from photofinish.games.cauldron15.trick import led, may_take, playable
from photofinish.games.cauldron15.words import facts


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    if seat not in awaited(state):
        return ()
    match state.phase:
        case "play":
            cards = playable(state.hands[seat], led(state.trick))
            return (offer(Play, _card(cards), text="Play a card"),)
        case "take":
            return (offer(Take, _card(may_take(state.trick)), text="Take a card of the trick"),)
        case "bonus":
            later = "Keep the bonus for the end" if state.options.keep_bonus else "Give up no card"
            return (
                offer(Bonus, _card(state.before[seat]), text="Give up a card before you"),
                offer(Decline, text=later),
            )
        case _:
            values = _plain(state.before[seat])
            most = min(state.kept[seat], len(values))
            return (offer(Spend, SomeOf("cards", values, 0, most), text="Spend your kept bonuses"),)


def _card(cards: Iterable[Card]) -> OneOf:
    return one("card", _plain(cards))


def _plain(cards: Iterable[Card]) -> tuple[dict[str, Any], ...]:
    return tuple(facts(card) for card in cards)
