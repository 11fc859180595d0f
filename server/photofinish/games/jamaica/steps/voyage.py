"""Loading, sailing, and the battle, cost or treasure at the end of a movement."""

from photofinish.engine import Happened, Rng, Seat, replace
from photofinish.games.jamaica.box import the_box
from photofinish.games.jamaica.state import Direction, Hold, State
from photofinish.games.jamaica.steps.cargo import from_lowest, spent, take_treasure, with_hold, with_ship
from photofinish.games.jamaica.steps.questions import COST_OF, due, loaded, targets
from photofinish.games.jamaica.words import UNITS, cargo, goods, tell


def load(state: State, hold: int) -> State:
    """J12; a hold that was not empty goes to the bank first (J13)."""
    resource, number, before = loaded(state), state.mover, state.ship.holds[hold]
    if before.resource is not None:
        text = f"{{ship}} emptied hold {hold} of {goods(before.resource, before.count)}."
        state = tell(state, "emptied", number, text, hold=hold, **cargo(before))
    full = Hold(resource, state.die)
    state = with_ship(state, number, with_hold(state.ship, hold, full))
    text = f"{{ship}} loaded {goods(resource, state.die)} into hold {hold}."
    return replace(tell(state, "loaded", number, text, hold=hold, **cargo(full)), phase="done")


def sail(state: State, to: int, lap: int, direction: Direction) -> State:
    """J16. Only the space where the ship ends its movement counts."""
    number, came_from = state.mover, state.ship.space
    state = with_ship(state, number, replace(state.ship, space=to, lap=lap))
    detail = {"from": came_from, "to": to, "direction": direction, "shortage": state.shortage is not None}
    verb = "was driven back" if state.shortage else f"sailed {direction}"
    state = tell(state, "sailed", number, f"{{ship}} {verb} from {came_from} to {to}.", **detail)
    if state.ship.has_finished:  # J17
        state = tell(state, "finished", number, "{ship} came home to Port Royal. This is the last round.")
    return replace(state, phase="landed")


def landed(state: State) -> State:
    """J18: after the movement, first a battle if there is another ship."""
    return replace(state, phase="attack" if targets(state) else "settle")


def settle(state: State, rng: Rng) -> State:
    """J18: after the battle the treasure or the cost of the space. If the ship cannot pay, a shortage."""
    space = the_box().chart.spaces[state.ship.space]
    state = replace(state, phase="done", battle=None)
    if space.id in state.tokens:
        return _treasure(state)
    # J21, J35, J46: nothing is paid in Port Royal, after a shortage, or by the Ghost Ship.
    if space.kind not in COST_OF or state.shortage is not None or state.mover == state.ghost:
        return state
    resource, cost = due(state)
    if not cost:
        return state
    return replace(state, phase="pay") if state.ship.total(resource) >= cost else _shortage(state, rng)


def pay(state: State, amounts: dict[int, int]) -> State:
    resource, cost = due(state)
    state = with_ship(state, state.mover, spent(state.ship, amounts))
    named = {str(hold): count for hold, count in amounts.items() if count}
    text = f"{{ship}} paid {goods(resource, cost)}."
    state = tell(state, "paid", state.mover, text, resource=resource, count=cost, holds=named)
    return replace(state, phase="done")


def _treasure(state: State) -> State:
    """J20: remove the token; the ship gets the top card. J46: the Ghost Ship always gets it face down."""
    number, (card, *rest) = state.mover, state.pile
    face, place = the_box().treasure[card], state.ship.places
    up = face.type == "power" and number != state.ghost  # J37
    state = with_ship(state, number, take_treasure(state.ship, card, up=up))
    tokens = tuple(lair for lair in state.tokens if lair != state.ship.space)
    state = replace(state, pile=tuple(rest), tokens=tokens)
    if up:
        return tell(state, "treasure", number, f"{{ship}} found {name_of(card)}.", place=place, card=card)
    state = tell(state, "treasure", number, "{ship} found a treasure and keeps it face down.", place=place)
    return state if number == state.ghost else privately(state, number, card, place, "found")


def privately(state: State, seat: int, card: str, place: int, how: str) -> State:
    """J37, J40: tell only this seat the points of a card that it found, got, gave or lost."""
    points = the_box().treasure[card].points
    text = f"The treasure you {how} is worth {points}."
    secret = Happened("treasure_worth", Seat(seat), text, {"place": place, "points": points}, Seat(seat))
    return replace(state, last=(*state.last, secret))


def name_of(card: str) -> str:
    """The name for sentences: `sarans_sabre` is "Saran's Sabre"."""
    return {
        "morgans_map": "Morgan's Map",
        "sarans_sabre": "Saran's Sabre",
        "lady_beth": "Lady Beth",
        "sixth_hold": "the 6th Hold",
    }.get(card, card)


def _shortage(state: State, rng: Rng) -> State:
    """J33: the ship pays all that it has, then the die decides how far it is driven back."""
    number, (resource, cost) = state.mover, due(state)
    has = state.ship.total(resource)
    state = with_ship(state, number, spent(state.ship, from_lowest(state.ship, resource, has)))
    rolled = rng.pick(the_box().die).shortage
    text = f"{{ship}} could pay only {has} of {cost} {UNITS[resource]}: {rolled.replace('_', ' ')}."
    detail = {"resource": resource, "count": has, "cost": cost, "rolled": rolled}
    state = tell(state, "shortage", number, text, **detail)
    if rolled == "stay" or state.ship.lap < 0:  # J36, J34
        return state
    return replace(state, phase="move", shortage=rolled)
