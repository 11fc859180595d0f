"""Ships in Port Royal, cards dealt, treasures hidden, and the first dice."""

from photofinish.engine import IllegalMove, Rng, Seat, TableSetup
from photofinish.games.jamaica.box import Box, the_box
from photofinish.games.jamaica.flow import run
from photofinish.games.jamaica.state import (
    EMPTY,
    HOLDS,
    LADY_BETH,
    Deck,
    Hold,
    JamaicaOptions,
    Resource,
    Ship,
    State,
)
from photofinish.games.jamaica.steps.cargo import take_treasure
from photofinish.games.jamaica.words import tell


def setup(table: TableSetup[JamaicaOptions], rng: Rng) -> State:
    box, options = the_box(), table.options
    if options.ghost_ship == "on" and table.seats == 6:
        raise IllegalMove("J44", "With six seats there is no ship left for the Ghost.")
    ghost = options.ghost_ship == "on" or table.seats == 2
    start = (_some("food", options.start_food), _some("gold", options.start_gold))  # J3
    ship = Ship(box.chart.port_royal, _holds(start))
    treasures = [card.id for card in box.treasures if not (ghost and card.id == LADY_BETH)]
    hidden = rng.shuffled(treasures)
    state = State(
        options=options,
        ships=(*(ship for _ in range(table.seats)), *((_ghost(box),) if ghost else ())),
        decks=tuple(_deck(box, rng) for _ in range(table.seats)),
        captain=Seat(rng.below(table.seats)),  # J6
        tokens=box.chart.lairs,
        pile=hidden[: box.in_play],  # J4
        left_out=hidden[box.in_play :],
    )
    return run(tell(state, "laid_out", None, "All ships lie in Port Royal."), rng)


def _deck(box: Box, rng: Rng) -> Deck:
    """J2: each seat has its own shuffled pile, and its hand is the first cards of it."""
    cards = rng.shuffled(card.id for card in box.actions)
    return Deck(cards[: box.hand], cards[box.hand :])


def _ghost(box: Box) -> Ship:
    """J44: doubloons in its first holds, and Lady Beth."""
    gold = tuple(_some("gold", count) for count in box.ghost_gold)
    return take_treasure(Ship(box.chart.port_royal, _holds(gold)), LADY_BETH, up=True)


def _holds(first: tuple[Hold, ...]) -> tuple[Hold, ...]:
    return (*first, *(EMPTY for _ in range(HOLDS - len(first))))


def _some(resource: Resource, count: int) -> Hold:
    return Hold(resource, count) if count else EMPTY
