"""The ransom of a shelter with a bandit."""

from collections.abc import Iterable
from itertools import product
from typing import Any

import msgspec

from photofinish.engine import IllegalMove, replace
from photofinish.games.rune_market import holdings as own
from photofinish.games.rune_market.goods import pay_cards
from photofinish.games.rune_market.moves import Colour, Payment, Place, Ransom
from photofinish.games.rune_market.state import State, held_by, say


def ransom(state: State, move: Ransom) -> State:
    shelter = own.main(state.own, move.place)
    if shelter is None or shelter.bandit is None:
        raise IllegalMove("R36", "There is no bandit in that shelter of yours.")
    if (move.runes is None) == (move.cards is None):
        raise IllegalMove("R36", "Pay the ransom with runes or with number cards.")
    if move.runes is not None:
        if msgspec.to_builtins(in_order(move.runes)) not in ransoms(state, move.place):
            raise IllegalMove(
                "R36",
                f"The ransom is {state.options.ransom_runes} runes from other places than that shelter, each place "
                "named once.",
            )
        holding, market = state.own, state.market
        for it in move.runes:
            colour = it.colour or _colour_at(holding, it.place)
            holding, market = own.add(holding, it.place, colour, -it.n), market.give(colour, -it.n)
        state = replace(held_by(state, state.turn, holding), market=market)
    else:
        assert move.cards is not None
        state = pay_cards(state, move.cards, "R36")
    shelter = own.main(state.own, move.place)
    assert shelter is not None
    state = held_by(state, state.turn, replace(state.own, **{move.place: replace(shelter, bandit=None)}))
    state = replace(state, market=replace(state.market, bandits=state.market.bandits + 1))
    return say(state, "ransom", state.turn, f"{{{state.turn}}} paid a bandit off.", place=move.place)


def in_order(runes: Iterable[Payment]) -> list[Payment]:
    """The payment in the order of `ransoms`. A seat may list its places in any order."""
    return sorted(
        runes, key=lambda it: (own.PLACES.index(it.place), own.COLOURS.index(it.colour) if it.colour else 0)
    )


def _colour_at(it: own.Holding, place: Place) -> Colour:
    return next(colour for colour in own.COLOURS if own.runes_at(it, place, colour))


def ransoms(state: State, place: Place) -> list[list[dict[str, Any]]]:
    """Every way to pay in runes. Loose runes name their colour; the others name it all or not at all."""
    heaps = [
        (at, colour, n)
        for at in own.PLACES
        for colour in own.COLOURS
        if at != place and (n := own.runes_at(state.own, at, colour))
    ]
    price = state.options.ransom_runes
    found: list[list[dict[str, Any]]] = []
    for counts in product(*(range(min(n, price) + 1) for _, _, n in heaps)):
        if sum(counts) != price:
            continue
        paid = [(at, colour, n) for (at, colour, _), n in zip(heaps, counts, strict=True) if n]
        for names_colour in (False, True):
            row: list[dict[str, Any]] = [
                {"place": at, "n": n, "colour": colour}
                if names_colour or at == "loose"
                else {"place": at, "n": n}
                for at, colour, n in paid
            ]
            if row not in found:
                found.append(row)
    return found
