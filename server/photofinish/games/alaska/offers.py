"""What a seat may send now."""

from itertools import combinations

from photofinish.engine import Offer, Seat, SomeOf, offer, one
from photofinish.engine.decks.cards import CardId
from photofinish.games.alaska.deck import SECTIONS, number, part
from photofinish.games.alaska.river import must_choose, standing_room
from photofinish.games.alaska.state import (
    Angler,
    Bear,
    Cast,
    Eagle,
    EndTurn,
    LetGo,
    PlaceSalmon,
    Snatch,
    State,
)


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    if state.over:
        return ()
    if state.catch is not None:
        return _bears(state, seat)
    if state.salmon:
        if seat != state.placer:
            return ()
        return (offer(PlaceSalmon, one("gap", SECTIONS), text="Place a salmon in this gap"),)
    if seat != state.turn:
        return ()
    # A10: every card can be played, and none is thrown away
    return (*_casts(state), *_anglers(state), *_wild(state), *_end(state))


def _of(state: State, seat: Seat, *parts: str) -> tuple[CardId, ...]:
    return tuple(card for card in state.hands[seat] if part(card) in parts)


def _bears(state: State, seat: Seat) -> tuple[Offer, ...]:
    """`let_go` to every other seat, `snatch` to those with a bear (A30, A32)."""
    assert state.catch is not None
    if seat == state.turn or seat in state.catch.let_go:
        return ()
    # A39: after its last turn a seat has no cards, so it cannot snatch
    letting = offer(LetGo, text="Let the salmon go")
    bears = _of(state, seat, "bear")
    return (offer(Snatch, one("card", bears), text="Snatch the salmon"), letting) if bears else (letting,)


def _casts(state: State) -> tuple[Offer, ...]:
    cards = _of(state, state.turn, "cast")
    weights = tuple(map(number, cards))
    in_reach = {*weights, *(a + b for a, b in combinations(weights, 2))} & {*SECTIONS}
    asking = {section: gaps for section in sorted(in_reach) if (gaps := must_choose(state, section))}
    plain = tuple(sorted(in_reach - {*asking}))
    text = "Cast one number card, or two for their sum"
    made = []
    if plain:
        made.append(offer(Cast, SomeOf("cards", cards, 1, 2, weights, plain), text=text))
    for section, gaps in asking.items():
        choice = SomeOf("cards", cards, 1, 2, weights, (section,))
        made.append(
            offer(Cast, choice, one("gap", gaps), text=f"Cast into section {section}, choose the gap")
        )
    off = tuple(card for card in cards if number(card) not in SECTIONS)  # A14
    if off:
        made.append(offer(Cast, SomeOf("cards", off, 1, 1), text="Cast into nothing"))
    return tuple(made)


def _anglers(state: State) -> tuple[Offer, ...]:
    made = []
    for kind in ("tourist", "local"):
        cards = _of(state, state.turn, kind)
        if cards:
            room = standing_room(state.anglers, cards[0])
            where = (one("section", room),) if room else ()  # A22
            made.append(offer(Angler, one("card", cards), *where, text=f"Place a {kind}"))
    return tuple(made)


def _wild(state: State) -> tuple[Offer, ...]:
    made = []
    eagles = _of(state, state.turn, "eagle")
    salmon = tuple(gap for gap in SECTIONS if state.gaps[gap - 1])
    anglers = tuple(section for section in SECTIONS if state.anglers[section - 1])
    if eagles and salmon:
        made.append(offer(Eagle, one("card", eagles), one("salmon", salmon), text="The eagle takes a salmon"))
    if eagles and anglers:
        made.append(
            offer(Eagle, one("card", eagles), one("angler", anglers), text="The eagle chases an angler")
        )
    if eagles and not salmon and not anglers:
        made.append(offer(Eagle, one("card", eagles), text="The eagle finds nothing"))
    bears = _of(state, state.turn, "bear")
    if bears:
        made.append(offer(Bear, one("card", bears), text="The bear chases all anglers"))
    return tuple(made)


def _end(state: State) -> tuple[Offer, ...]:
    return (offer(EndTurn, text="End your turn"),) if state.may_end else ()
