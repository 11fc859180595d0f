"""Interest, purchases, ransom and shelters: exchanges between a seat and the market."""

from collections.abc import Mapping, Sequence
from typing import Any

from photofinish.engine import IllegalMove, Seat, replace
from photofinish.engine.decks.cards import CardId
from photofinish.games.rune_market import holdings as own
from photofinish.games.rune_market.deck import number, part
from photofinish.games.rune_market.ending import sold_out
from photofinish.games.rune_market.moves import Buy, BuyRune, Collect, Colour, Into, Place, Store
from photofinish.games.rune_market.state import State, held_by, lay_down, say

RUNE_SUMS = (5, 10, 15)
GOOD_SUM = 21


def collect(state: State, move: Collect) -> State:
    wanted: dict[Colour, int] = {"red": move.red, "blue": move.blue}
    if not any(wanted.values()):
        raise IllegalMove("R7", "Say how many runes you collect.")
    into = move.into or Into()
    for colour, n in wanted.items():
        if n > state.due(colour):
            raise IllegalMove("R8", f"So many {colour} runes are not due, or not in the market.")
        place = into.red if colour == "red" else into.blue
        if place is not None and not n:
            raise IllegalMove("R9", f"You collect no {colour} rune to put there.")
    for colour, n in wanted.items():
        if n:
            state = gain(state, colour, n, into.red if colour == "red" else into.blue)
    state = replace(state, due_red=state.due_red - move.red, due_blue=state.due_blue - move.blue)
    text = f"{{{state.turn}}} collected {move.red + move.blue} runes of interest."
    return sold_out(say(state, "interest", state.turn, text, red=move.red, blue=move.blue))


def gain(state: State, colour: Colour, n: int, into: Place | None) -> State:
    """Runes go from the market to the seat whose turn it is (R9)."""
    state = held_by(state, state.turn, received(state.own, colour, n, into))
    return replace(state, market=state.market.give(colour, n))


def received(it: own.Holding, colour: Colour, n: int, into: Place | None) -> own.Holding:
    place = own.unsaid(it, colour) if into is None else into
    if place != "loose" and place not in own.takes(it, colour):
        raise IllegalMove("R9" if into in ("red", "blue") else "R30", f"A {colour} rune cannot go there.")
    return own.add(it, place, colour, n)


def store(state: State, move: Store) -> State:
    colour, n = move.colour, move.runes
    if n > own.runes_at(state.own, "loose", colour):
        raise IllegalMove("R9", f"You do not have so many loose {colour} runes.")
    if move.place == "loose":
        raise IllegalMove("R9", "Runes leave a shelter only by payment, theft or bandit.")
    holding = own.add(received(state.own, colour, n, move.place), "loose", colour, -n)
    text = f"{{{state.turn}}} stored {n} {colour} runes."
    return say(
        held_by(state, state.turn, holding),
        "stored",
        state.turn,
        text,
        colour=colour,
        runes=n,
        place=move.place,
    )


# Purchases


def buy(state: State, move: Buy) -> State:
    if (move.runes is None) == (move.cards is None):
        raise IllegalMove("R10", "Pay with runes or with number cards.")
    if move.cards is not None and move.colour is not None:
        raise IllegalMove("R16", "Number cards have no colour.")
    _check_place(state, move)
    if move.runes is not None:
        state = _pay_runes(state, move.runes, move.colour)
    else:
        assert move.cards is not None
        state = pay_cards(state, move.cards, "R16")
    paid: dict[str, Any] = {"runes": dict(move.runes)} if move.runes else {"cards": list(move.cards or ())}
    text = f"{{{state.turn}}} bought a {move.what}."
    state = say(state, "bought", state.turn, text, good=move.what, **paid)
    if move.what == "boat":
        return _place_boat(state, move.place)
    assert move.seat is not None
    assert move.place != "alone"
    return _place_bandit(state, move.seat, move.place)


def _check_place(state: State, move: Buy) -> None:
    """If the pile is empty or there is no legal place, refuse before anything is paid (R11)."""
    if move.what == "boat":
        if not state.market.boats:
            raise IllegalMove("R11", "The market has no boat left.")
        room = own.boat_room(state.own)
        if not room:
            raise IllegalMove("R11", "You have no place for a boat.")
        if move.place not in room or move.seat is not None:
            raise IllegalMove(
                "R28", "A boat goes into a main shelter of yours without boat or bandit, or alone."
            )
        return
    if not state.market.bandits:
        raise IllegalMove("R11", "The market has no bandit left.")
    targets = bandit_targets(state)
    if not targets:
        raise IllegalMove("R11", "No shelter at the table can take a bandit.")
    if (move.seat, move.place) not in targets:
        raise IllegalMove("R31", "A bandit goes into another seat's shelter that has none.")


def bandit_targets(state: State) -> tuple[tuple[Seat, Place], ...]:
    """Where a bought bandit may be put (R31)."""
    return tuple((seat, place) for seat in state.others for place in own.bandit_room(state.holdings[seat]))


def _pay_runes(state: State, paid: Mapping[Place, int], colour: Colour | None) -> State:
    if state.bought or state.played:
        raise IllegalMove(
            "R10" if state.bought else "R12", "One purchase with runes per turn, before any hand card."
        )
    if colour is None and "loose" not in paid:  # the place determines the colour
        colour = next((it for it in own.COLOURS if {*paid} <= {*own.payable(state.own, it)}), None)
    if colour is None:
        raise IllegalMove("R10", "Say which colour you pay with.")
    purse = own.payable(state.own, colour)
    if any(n > purse.get(place, -1) for place, n in paid.items()) or sum(paid.values()) != state.price:
        raise IllegalMove(
            "R10", f"The price is {state.price} runes of one colour, none of them under a bandit."
        )
    holding = state.own
    for place, n in paid.items():
        if n:
            holding = own.add(holding, place, colour, -n)
    state = replace(held_by(state, state.turn, holding), bought=True)
    return replace(state, market=state.market.give(colour, -state.price))


def pay_cards(state: State, cards: Sequence[CardId], clause: str) -> State:
    """Number cards of 21 or more (R16, R36)."""
    if _sum(state, cards, clause) < GOOD_SUM:
        raise IllegalMove(clause, f"The price is number cards with a sum of {GOOD_SUM} or more.")
    return lay_down(state, *cards)


def _sum(state: State, cards: Sequence[CardId], clause: str) -> int:
    if len({*cards}) != len(cards) or any(it not in state.hand or part(it) != "number" for it in cards):
        raise IllegalMove(clause, "Pay with different number cards from your hand.")
    return sum(map(number, cards))


def _place_boat(state: State, place: str) -> State:
    holding, seat = state.own, state.turn
    if place == "alone":
        free = "boat1" if holding.boat1 is None else "boat2"
        holding = replace(holding, **{free: own.Boat()})
    else:
        colour: Colour = "red" if place == "red" else "blue"
        shelter = own.main(holding, colour)
        assert shelter is not None
        holding = replace(holding, **{colour: replace(shelter, boat=True)})
    state = replace(state, market=replace(state.market, boats=state.market.boats - 1))
    return say(held_by(state, seat, holding), "boat", seat, f"{{{seat}}} placed a boat.", place=place)


def _place_bandit(state: State, victim: Seat, place: Place) -> State:
    holding, market = state.holdings[victim], state.market
    if place in ("red", "blue"):
        shelter = own.main(holding, place)
        assert shelter is not None
        market = replace(market, bandits=market.bandits - 1, boats=market.boats + shelter.boat)  # R32
        holding = replace(holding, **{place: replace(shelter, boat=False, bandit=state.turn)})
    else:  # R32: the boat goes back, its runes become loose, and the bandit is removed
        boat = own.boats(holding)[place]
        market = replace(market, boats=market.boats + 1)
        holding = replace(holding, **{place: None})
        if boat.colour is not None:
            holding = own.add(holding, "loose", boat.colour, boat.runes)
    state = held_by(replace(state, market=market), victim, holding)
    text = f"{{{state.turn}}} sent a bandit to {{{victim}}}."
    return say(state, "bandit", state.turn, text, victim=victim, place=place)


def buy_rune(state: State, move: BuyRune) -> State:
    if _sum(state, move.cards, "R15") not in RUNE_SUMS:
        raise IllegalMove("R15", "A rune costs number cards with a sum of exactly 5, 10 or 15.")
    if not state.market.runes(move.colour):
        raise IllegalMove("R15", f"The market has no {move.colour} rune left.")
    state = gain(lay_down(state, *move.cards), move.colour, 1, move.into)
    text = f"{{{state.turn}}} bought a {move.colour} rune."
    return sold_out(say(state, "bought_rune", state.turn, text, colour=move.colour, cards=list(move.cards)))
