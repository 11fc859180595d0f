"""Ships and their contents. Only this module changes holds and treasure cards."""

from collections.abc import Mapping

from photofinish.engine import replace
from photofinish.games.jamaica.box import the_box
from photofinish.games.jamaica.state import EMPTY, HOLDS, SIXTH_HOLD, Hold, Resource, Ship, State, Treasure


def with_ship(state: State, number: int, ship: Ship) -> State:
    return replace(state, ships=(*state.ships[:number], ship, *state.ships[number + 1 :]))


def with_hold(ship: Ship, number: int, hold: Hold) -> Ship:
    return replace(ship, holds=(*ship.holds[:number], hold, *ship.holds[number + 1 :]))


def room_for(ship: Ship, resource: Resource) -> tuple[int, ...]:
    """The holds into which this resource may be loaded: the empty ones (J12), else those with another resource, which
    are then emptied (J13). None if every hold has this resource (J14).
    """
    empty = tuple(n for n, hold in enumerate(ship.holds) if hold.resource is None)
    return empty or tuple(n for n, hold in enumerate(ship.holds) if hold.resource != resource)


def holds_of(ship: Ship, resource: Resource) -> dict[int, int]:
    """Which holds have it, and how much."""
    return {n: hold.count for n, hold in enumerate(ship.holds) if hold.resource == resource}


def spent(ship: Ship, amounts: Mapping[int, int]) -> Ship:
    """The ship without these amounts. A hold that is used up is empty again (J15)."""
    for number, amount in amounts.items():
        hold = ship.holds[number]
        left = hold.count - amount
        assert left >= 0
        ship = with_hold(ship, number, replace(hold, count=left) if left else EMPTY)
    return ship


def from_lowest(ship: Ship, resource: Resource, amount: int) -> dict[int, int]:
    """This amount of the resource, from the lowest holds first."""
    taken = {}
    for number, count in holds_of(ship, resource).items():
        taken[number] = min(count, amount)
        amount -= taken[number]
    return {number: count for number, count in taken.items() if count}


def take_treasure(ship: Ship, card: str, *, up: bool, curse: bool = False) -> Ship:
    """Put a card beside the ship, in a new place. A face-up 6th Hold is hold 5 (J39)."""
    treasure = Treasure(ship.places, card, up, curse)
    ship = replace(ship, treasures=(*ship.treasures, treasure), places=ship.places + 1)
    return replace(ship, holds=(*ship.holds, EMPTY)) if up and card == SIXTH_HOLD else ship


def drop_treasure(ship: Ship, place: int) -> Ship:
    """Remove the card. If it is the 6th Hold, its hold is removed too."""
    gone = treasure_at(ship, place)
    assert gone is not None
    ship = replace(ship, treasures=tuple(it for it in ship.treasures if it.place != place))
    return replace(ship, holds=ship.holds[:HOLDS]) if gone.up and gone.card == SIXTH_HOLD else ship


def treasure_at(ship: Ship, place: int) -> Treasure | None:
    return next((it for it in ship.treasures if it.place == place), None)


def points(ship: Ship) -> int:
    """The points of its treasures minus those of its curses. A power has no points."""
    return sum(the_box().treasure[it.card].points for it in ship.treasures)
