"""A table of Jamaica with chosen cards and cargo. Cargo is written as `"food 3"`, a roll as the number on the die."""

from collections.abc import Sequence

import pytest

from photofinish.engine import Act, Expired, Happened, IllegalMove, Rng, Seat, TableSetup, replace
from photofinish.games.jamaica import GAME
from photofinish.games.jamaica.box import the_box
from photofinish.games.jamaica.state import (
    EMPTY,
    HOLDS,
    SIXTH_HOLD,
    AnyMove,
    Choose,
    Hold,
    JamaicaOptions,
    PlaceDice,
    Ship,
    State,
)
from photofinish.games.jamaica.steps.cargo import take_treasure, with_ship

CHANCE = b"a fixed chance for the tests"
ROLLS = {"2": 0, "4": 1, "6": 2, "8": 3, "10": 4, "star": 5, "port": 0, "sea": 2, "lair": 4, "stay": 5}
POWERS = ("morgans_map", "sarans_sabre", "lady_beth", "sixth_hold")

# The cards of a colour by what is on them.
FOOD_FORWARD, FORWARD_FORWARD, FORWARD_BACKWARD, BACKWARD_FORWARD, FORWARD_POWDER, POWDER_GOLD = range(1, 7)
GOLD_GOLD, GOLD_FORWARD, FORWARD_FOOD, FOOD_POWDER, POWDER_FOOD = range(7, 12)


def fresh(seats: int, key: bytes = CHANCE, **options: object) -> State:
    return GAME.setup(TableSetup(seats, JamaicaOptions(**options)), Rng(key, 0))


def hold(text: str) -> Hold:
    if not text:
        return EMPTY
    resource, count = text.split()
    return Hold(resource, int(count))


def ship(space: int, *cargo: str, lap: int = 0, treasures: Sequence[str] = ()) -> Ship:
    """Treasures lie in places 0, 1, …; powers face up, others face down. A sixth cargo fills the 6th Hold."""
    holds = tuple(hold(text) for text in cargo[:HOLDS])
    made = Ship(space, (*holds, *(EMPTY for _ in range(HOLDS - len(holds)))), lap)
    for card in treasures:
        made = take_treasure(made, card, up=card in POWERS)
    if len(cargo) > HOLDS:
        assert SIXTH_HOLD in treasures
        made = replace(made, holds=(*made.holds[:HOLDS], hold(cargo[HOLDS])))
    return made


def laid(
    ships: Sequence[Ship],
    cards: Sequence[int],
    *,
    dice: tuple[int, int] = (1, 1),
    captain: int = 0,
    ghost: Ship | None = None,
    taken: Sequence[int] = (),
    pile: Sequence[str] = (),
    **options: object,
) -> State:
    """Dice placed, cards about to be chosen: each seat has its card leftmost in its hand."""
    seats = len(ships)
    state = fresh(seats, **options)
    every = [card.id for card in the_box().actions]
    decks = []
    for deck, card in zip(state.decks, cards, strict=True):
        rest = [it for it in every if it != card]
        decks.append(replace(deck, hand=(card, *rest[:2]), pile=tuple(rest[2:]), discard=()))
    state = replace(
        state,
        decks=tuple(decks),
        captain=Seat(captain),
        dice=dice,
        times=dice,
        phase="choose",
        tokens=tuple(lair for lair in state.tokens if lair not in taken),
    )
    for number, it in enumerate(ships):
        state = with_ship(state, number, it)
    if ghost is not None:
        state = with_ship(state, seats, take_treasure_first(ghost))
    return _sorted_out(state, pile)


def take_treasure_first(ghost: Ship) -> Ship:
    """Lady Beth lies in the ghost's place 0, the others after her."""
    bare = replace(ghost, treasures=(), places=0)
    bare = take_treasure(bare, "lady_beth", up=True)
    for it in ghost.treasures:
        bare = replace(
            bare, treasures=(*bare.treasures, replace(it, place=bare.places)), places=bare.places + 1
        )
    return bare


def _sorted_out(state: State, pile: Sequence[str]) -> State:
    """Every treasure card is somewhere, once. The pile begins with those named."""
    held = {it.card for each in state.ships for it in each.treasures} | set(pile)
    rest = [card.id for card in the_box().treasures if card.id not in held]
    size = len(state.tokens) - len(pile)
    return replace(state, pile=(*pile, *rest[:size]), left_out=tuple(rest[size:]))


def chance(*rolls: str) -> Rng:
    """Random numbers with which the die shows these faces, one roll after the other."""
    wanted = [ROLLS[roll] for roll in rolls]
    for step in range(1, 100_000):
        rng = Rng(CHANCE, step)
        if [rng.below(6) for _ in wanted] == wanted:
            return Rng(CHANCE, step)
    raise AssertionError(rolls)


def does(state: State, seat: int, move: AnyMove, *rolls: str) -> State:
    return GAME.apply(state, Act(Seat(seat), move), chance(*rolls))


def played(state: State, *rolls: str) -> State:
    """Everybody chooses the leftmost card; then the die shows these faces."""
    for seat in range(state.seats):
        state = does(state, seat, Choose(state.decks[seat].hand[0]), *rolls)
    return state


def rings(state: State, *rolls: str) -> State:
    """The first clock expires."""
    return GAME.apply(state, Expired(GAME.timers(state)[0].key), chance(*rolls))


def refuses(state: State, seat: int, move: AnyMove, clause: str) -> str:
    with pytest.raises(IllegalMove) as refusal:
        does(state, seat, move)

    assert refusal.value.clause == clause
    return refusal.value.text


def awaited(state: State) -> tuple[int, ...]:
    return GAME.view(state, None).awaited


def offered(state: State, seat: int) -> list[str]:
    return [it.move for it in GAME.offers(state, Seat(seat))]


def rows(state: State, seat: int, move: str) -> list[tuple[object, ...]]:
    """What an offer of one choice lists."""
    return [row for it in GAME.offers(state, Seat(seat)) if it.move == move for row in it.choices[0].rows]


def events(state: State, what: str, viewer: int | None = None) -> list[Happened]:
    """The events that this viewer gets."""
    seen = GAME.view(state, None if viewer is None else Seat(viewer))
    return [it for it in seen.last if it.what == what]


def cargo(state: State, number: int) -> list[str]:
    return ["" if it.resource is None else f"{it.resource} {it.count}" for it in state.ships[number].holds]


def cards_of(state: State, number: int) -> list[str]:
    return [it.card for it in state.ships[number].treasures]


def undecided(seats: int, dice: tuple[int, int], captain: int = 0) -> State:
    """Dice rolled, not placed."""
    return replace(fresh(seats), dice=dice, times=None, phase="dice", captain=Seat(captain))


def placing(first: int) -> PlaceDice:
    return PlaceDice(1 if first else 0)
