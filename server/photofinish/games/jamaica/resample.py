"""Another state that this viewer cannot tell from this one: everything hidden from it is dealt again."""

from collections.abc import Iterator

from photofinish.engine import Rng, Viewer, replace
from photofinish.games.jamaica.box import the_box
from photofinish.games.jamaica.state import Deck, Ship, State, Treasure


def resample(state: State, viewer: Viewer, rng: Rng) -> State:
    decks = tuple(
        _deck(deck, rng, is_seen=seat == viewer or state.phase == "over")
        for seat, deck in enumerate(state.decks)
    )
    return _treasures(replace(state, decks=decks), viewer, rng)


def _deck(deck: Deck, rng: Rng, *, is_seen: bool) -> Deck:
    """Nobody knows the order of a draw pile. Only the seat itself knows its hand and its choice."""
    if is_seen:
        return replace(deck, pile=rng.shuffled(deck.pile))
    chosen = () if deck.chosen is None else (deck.chosen,)
    cards = rng.shuffled((*deck.hand, *deck.pile, *chosen))
    size = len(deck.hand)
    return replace(
        deck,
        hand=cards[:size],
        pile=cards[size : size + len(deck.pile)],
        chosen=cards[-1] if chosen else None,
    )


def _treasures(state: State, viewer: Viewer, rng: Rng) -> State:
    """In front of a seat no face-down card is a power, and a card that was given away is a curse. All others may be
    any card.
    """
    if state.phase == "over":
        return replace(state, pile=rng.shuffled(state.pile))
    kinds = {card.id: card.type for card in the_box().treasures}
    hidden = [
        (number, it)
        for number, ship in enumerate(state.ships)
        for it in ship.treasures
        if not it.up and number != viewer
    ]
    pool = list(rng.shuffled((*state.pile, *state.left_out, *(it.card for _, it in hidden))))
    drawn: dict[tuple[int, int], str] = {}
    for number, it in sorted(hidden, key=lambda at: (not at[1].curse, at[0] == state.ghost)):
        unfit = {"treasure", "power"} if it.curse else set() if number == state.ghost else {"power"}
        card = next(card for card in pool if kinds[card] not in unfit)
        pool.remove(card)
        drawn[number, it.place] = card
    ships = tuple(
        replace(ship, treasures=tuple(_redrawn(ship, number, drawn)))
        for number, ship in enumerate(state.ships)
    )
    size = len(state.pile)
    return replace(state, ships=ships, pile=tuple(pool[:size]), left_out=tuple(pool[size:]))


def _redrawn(ship: Ship, number: int, drawn: dict[tuple[int, int], str]) -> Iterator[Treasure]:
    for it in ship.treasures:
        yield replace(it, card=drawn.get((number, it.place), it.card))
