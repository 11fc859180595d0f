"""What a seat may send now."""

from typing import Any

from photofinish.engine import Amounts, Move, Offer, OneOf, Seat, SomeOf, offer, one, rows
from photofinish.engine.decks.cards import CardId
from photofinish.games.rune_market import attacks, goods, ransom, shelters
from photofinish.games.rune_market import holdings as own
from photofinish.games.rune_market.deck import number, part
from photofinish.games.rune_market.moves import (
    Buy,
    BuyRune,
    Collect,
    Colour,
    Decline,
    Defend,
    DoubleTheft,
    Duel,
    EndTurn,
    GiveUp,
    Place,
    Ransom,
    Shelter,
    Sign,
    Steal,
    Store,
    Thief,
    Throw,
)
from photofinish.games.rune_market.state import State


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    if state.over:
        return ()
    if state.throwing is not None:
        if seat not in state.throwing.tied or state.throwing.signs[seat] is not None:
            return ()
        return (offer(Throw, one("sign", tuple(Sign)), text="Throw"),)
    if state.duel is not None:
        return _answers(state) if seat == state.duel.seat else ()
    if seat != state.turn:
        return ()
    if state.theft is not None:
        return (*_steals(state), offer(Decline, text="Steal nothing"))
    made = [*_interest(state), *_stores(state), *_goods(state), *_runes(state), *_ransoms(state)]
    return (*made, *_shelters(state), *_attacks(state), *_end(state))


def _answers(state: State) -> tuple[Offer, ...]:
    assert state.duel is not None
    cards = attacks.defenders(state, state.duel.seat)
    giving = offer(GiveUp, text="Give up")
    return (offer(Defend, one("card", cards), text="Defend"), giving) if cards else (giving,)


def _gaining(state: State, colour: Colour) -> tuple[str, ...]:
    """Where the seat may put a rune that it gains (R9)."""
    return (*own.takes(state.own, colour), "loose")


def _steals(state: State) -> list[Offer]:
    made = []
    for colour in own.COLOURS:
        runes: list[tuple[Seat, dict[str, Any]]] = []
        for seat in attacks.victims(state):
            for place in own.PLACES:
                if own.runes_at(state.holdings[seat], place, colour):
                    runes.append((seat, {"place": place, "colour": colour}))
                    if place != "loose":
                        runes.append((seat, {"place": place}))
        if runes:
            into = one("into", _gaining(state, colour), optional=True)
            made.append(offer(Steal, rows("seat rune", runes), into, text=f"Steal a {colour} rune"))
    hands = [seat for seat in attacks.victims(state) if state.hands[seat]]
    if hands:
        made.append(offer(Steal, one("seat", hands), one("card", [True]), text="Steal a hand card, unseen"))
    return made


def _interest(state: State) -> list[Offer]:
    most = {colour: state.due(colour) for colour in own.COLOURS}
    made = []
    for takes_red, takes_blue in ((True, True), (True, False), (False, True)):
        reds = range(1, most["red"] + 1) if takes_red else (0,)
        blues = range(1, most["blue"] + 1) if takes_blue else (0,)
        amounts = [(red, blue) for red in reds for blue in blues]
        if not amounts:
            continue
        places: list[dict[str, str]] = [{}]
        for colour, taken in (("red", takes_red), ("blue", takes_blue)):
            if taken:
                there = _gaining(state, "red" if colour == "red" else "blue")
                places = [*places, *({**row, colour: place} for row in places for place in there)]
        into = one("into", places, optional=True)  # {}: the default place, as if the field were omitted (R9)
        made.append(offer(Collect, rows("red blue", amounts), into, text="Collect interest"))
    return made


def _stores(state: State) -> list[Offer]:
    choices = [
        (colour, n, place)
        for colour in own.COLOURS
        for place in own.takes(state.own, colour)
        for n in range(1, own.runes_at(state.own, "loose", colour) + 1)
    ]
    return [offer(Store, rows("colour runes place", choices), text="Store loose runes")] if choices else []


def _goods(state: State) -> list[Offer]:
    places: list[tuple[str, OneOf]] = []
    boats, bandits = own.boat_room(state.own), goods.bandit_targets(state)
    if state.market.boats and boats:
        places.append(("boat", one("place", boats)))
    if state.market.bandits and bandits:
        places.append(("bandit", rows("seat place", bandits)))
    made = []
    for what, where in places:
        good, text = one("what", [what]), f"Buy a {what}"
        if not state.bought and not state.played:
            for colour in own.COLOURS:
                price = state.price
                purse = own.payable(state.own, colour)
                if sum(purse.values()) >= price:
                    paid = _paying(purse, price)
                    made.append(offer(Buy, good, paid, one("colour", [colour]), where, text=text))
                purse = own.payable(state.own, colour, loose=False)
                if sum(purse.values()) >= price:  # the place determines the colour
                    made.append(offer(Buy, good, _paying(purse, price), where, text=text))
        cards = _sum_of_21(state)
        if cards is not None:
            made.append(offer(Buy, good, cards, where, text=f"{text} with number cards"))
    return made


def _paying(purse: dict[Place, int], price: int) -> Amounts:
    return Amounts("runes", {str(place): n for place, n in purse.items()}, price, price)


def _of(state: State, *parts: str) -> tuple[CardId, ...]:
    return tuple(card for card in state.hand if part(card) in parts)


def _sum_of_21(state: State) -> SomeOf | None:
    cards = _of(state, "number")
    weights = tuple(map(number, cards))
    if sum(weights) < goods.GOOD_SUM:
        return None
    return SomeOf("cards", cards, 1, len(cards), weights, sum_least=goods.GOOD_SUM)


def _runes(state: State) -> list[Offer]:
    cards = _of(state, "number")
    weights = tuple(map(number, cards))
    in_reach = {0}
    for weight in weights:
        in_reach |= {total + weight for total in in_reach if total + weight <= max(goods.RUNE_SUMS)}
    sums = tuple(it for it in goods.RUNE_SUMS if it in in_reach)
    if not sums:
        return []
    paid = SomeOf("cards", cards, 1, len(cards), weights, sums)
    return [
        offer(
            BuyRune,
            paid,
            one("colour", [colour]),
            one("into", _gaining(state, colour), optional=True),
            text=f"Buy a {colour} rune",
        )
        for colour in own.COLOURS
        if state.market.runes(colour)
    ]


def _ransoms(state: State) -> list[Offer]:
    made = []
    for place in own.MAIN:
        if own.bandit_at(state.own, place) is None:
            continue
        there, text = one("place", [place]), "Pay the bandit off"
        ways = ransom.ransoms(state, place)
        if ways:
            made.append(offer(Ransom, there, one("runes", ways), text=text))
        cards = _sum_of_21(state)
        if cards is not None:
            made.append(offer(Ransom, there, cards, text=f"{text} with number cards"))
    return made


def _shelters(state: State) -> list[Offer]:
    made = []
    for colour in own.MAIN:
        cards = _of(state, f"{colour}_shelter")
        if not cards or own.main(state.own, colour) is not None:
            continue
        boats = shelters.boat_moves(state.own, colour)
        choices = (one("boat_into", boats, optional=True),) if boats else ()
        made.append(offer(Shelter, one("card", cards), *choices, text=f"Place a {colour} shelter"))
    return made


def _attacks(state: State) -> list[Offer]:
    made: list[Offer] = []
    # R17: every number card can at least attack, so a number card is never discarded without effect
    numbers, named = _of(state, "number"), [seat for seat in state.others if seat not in state.duelled]
    if numbers and named:
        made.append(offer(Duel, one("card", numbers), one("seat", named), text="Attack"))
    kinds: tuple[tuple[type[Move], tuple[CardId, ...], str], ...] = (
        (Thief, _of(state, "thief"), "Send the thief"),
        (DoubleTheft, _of(state, "red_shelter", "blue_shelter"), "Discard a shelter for two thefts"),
    )
    made += [offer(kind, one("card", cards), text=text) for kind, cards, text in kinds if cards]
    return made


def _end(state: State) -> list[Offer]:
    return [] if state.hand and not state.played else [offer(EndTurn, text="End your turn")]
