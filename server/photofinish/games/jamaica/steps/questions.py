"""Which seat is asked what, and every legal answer. Offers, clocks and `apply` all use this module."""

from photofinish.engine import Seat, all_seats, clockwise
from photofinish.games.jamaica.box import the_box
from photofinish.games.jamaica.scoring import to_go
from photofinish.games.jamaica.state import (
    DIRECTIONS,
    LADY_BETH,
    RESOURCES,
    SABRE,
    Action,
    AnyMove,
    Attack,
    Direction,
    Fire,
    GhostMove,
    HoldKey,
    Kind,
    Load,
    Pay,
    PlaceDice,
    Resource,
    Sail,
    Shortage,
    State,
)
from photofinish.games.jamaica.steps.cargo import holds_of, room_for
from photofinish.games.jamaica.words import ship_id

KEYS: tuple[HoldKey, ...] = ("0", "1", "2", "3", "4", "5")
COST_OF: dict[Kind, Resource] = {"port": "gold", "sea": "food"}
"""J19: the resource that a space of this kind costs."""
BACK_TO: dict[Shortage, Kind] = {"back_to_port": "port", "back_to_sea": "sea", "back_to_lair": "lair"}


def awaited(state: State) -> tuple[Seat, ...]:
    """The seats that the game waits for. This is public."""
    match state.phase:
        case "over":
            return ()
        case "choose":
            return tuple(seat for seat in all_seats(state.seats) if not has_chosen(state, seat))
        case "dice" | "ghost_move":
            return (state.captain,)
        case "fire":
            return (Seat(firing(state)),)
        case "sabre":
            owner = sabre_owner(state)
            assert owner is not None
            return (Seat(owner),)
        case "spoils":
            assert state.battle is not None
            assert state.battle.winner is not None
            return (decider(state, state.battle.winner),)
        case _:
            return (steersman(state),)


def has_chosen(state: State, seat: Seat) -> bool:
    return state.decks[seat].chosen is not None


def steersman(state: State) -> Seat:
    """The seat that moves the ship: its own seat, or the captain for the Ghost Ship (J45)."""
    return state.captain if state.mover == state.ghost else Seat(state.mover)


def decider(state: State, ship: int) -> Seat:
    """The seat that decides what the winner `ship` does: the ship's own seat. For the Ghost Ship it is the captain, or
    the next seat clockwise from the captain that is not in the battle (J47).
    """
    if ship != state.ghost:
        return Seat(ship)
    assert state.battle is not None
    others = {state.battle.attacker, state.battle.defender}
    return next(
        seat
        for seat in (clockwise(state.captain, state.seats, steps) for steps in range(state.seats))
        if seat not in others
    )


def action(state: State) -> Action:
    """The action of the shown card for this half of the day."""
    played = state.decks[state.mover].played
    assert played is not None
    card = the_box().action[played]
    return card.evening if state.half else card.morning


def loaded(state: State) -> Resource:
    it = action(state)
    assert it in RESOURCES
    return it


def loads(state: State) -> tuple[int, ...]:
    return room_for(state.ship, loaded(state))


def reaches(state: State) -> dict[int, int]:
    """Where the ship can end, with the lap count there: by its card (J16), or driven back (J33)."""
    chart, ship = the_box().chart, state.ship
    if state.shortage is not None:
        return dict.fromkeys(chart.behind(ship.space, BACK_TO[state.shortage]), ship.lap)
    direction = action(state)
    assert direction in DIRECTIONS
    return chart.reach(ship.space, ship.lap, state.die, direction)


def ghost_directions(state: State) -> tuple[Direction, ...]:
    """J45: alone in first place it goes backward, alone in last place forward, else the captain chooses."""
    *seats, ghost = to_go(state)
    if ghost < min(seats):
        return ("backward",)
    return ("forward",) if ghost > max(seats) else DIRECTIONS


def ghost_reaches(state: State) -> dict[tuple[Direction, int], int]:
    chart, ship = the_box().chart, state.ship
    return {
        (direction, to): lap
        for direction in ghost_directions(state)
        for to, lap in chart.reach(ship.space, ship.lap, state.die, direction).items()
    }


def targets(state: State) -> tuple[int, ...]:
    """The other ships where the mover lies; in Port Royal there is no battle (J21)."""
    if state.ship.space == the_box().chart.port_royal:
        return ()
    return tuple(
        number
        for number, ship in enumerate(state.ships)
        if number != state.mover and ship.space == state.ship.space
    )


def firing(state: State) -> int:
    """The side whose roll is next, or has just been made."""
    battle = state.battle
    assert battle is not None
    if state.phase == "fire":
        return battle.attacker if battle.attack is None else battle.defender
    return battle.attacker if battle.defence is None else battle.defender


def sabre_owner(state: State) -> int | None:
    """Saran's Sabre in this battle, not yet used (J28). The Ghost Ship cannot use it (J46)."""
    battle = state.battle
    assert battle is not None
    sides = (battle.attacker, battle.defender)
    owner = next((it for it in sides if it != state.ghost and state.ships[it].has(SABRE)), None)
    return None if battle.sabre_used else owner


def hold_loots(state: State) -> tuple[tuple[int, int | None], ...]:
    """J30: each hold of the loser that can be taken, with each hold of the winner for its contents. J48: anything but
    gold that the Ghost Ship takes goes to the bank; then the hold is None.
    """
    battle = state.battle
    assert battle is not None
    assert battle.winner is not None
    winner, loser = state.ships[battle.winner], state.ships[battle.loser]
    found: list[tuple[int, int | None]] = []
    for number, hold in enumerate(loser.holds):
        if hold.resource is None:
            continue
        if battle.winner == state.ghost and hold.resource != "gold":
            found.append((number, None))
        else:
            found += [(number, into) for into in room_for(winner, hold.resource)]
    return tuple(found)


def treasure_loots(state: State) -> tuple[int, ...]:
    """J31, by place. Lady Beth is never stolen from the Ghost Ship (J44)."""
    assert state.battle is not None
    loser = state.battle.loser
    places = tuple(it.place for it in state.ships[loser].treasures)
    return tuple(place for place in places if not is_ghosts_lady(state, place))


def is_ghosts_lady(state: State, place: int) -> bool:
    """Is Lady Beth in that place of the defeated Ghost Ship?"""
    assert state.battle is not None
    loser = state.battle.loser
    return loser == state.ghost and any(
        it.place == place and it.up and it.card == LADY_BETH for it in state.ships[loser].treasures
    )


def curses(state: State) -> tuple[int, ...]:
    """J32: the winner's own cursed cards, by place. The Ghost Ship gives none (J48)."""
    assert state.battle is not None
    winner = state.battle.winner
    if winner is None or winner == state.ghost:
        return ()
    treasure = the_box().treasure
    return tuple(it.place for it in state.ships[winner].treasures if treasure[it.card].type == "cursed")


def due(state: State) -> tuple[Resource, int]:
    """What the space costs (J19)."""
    space = the_box().chart.spaces[state.ship.space]
    return COST_OF[space.kind], space.cost


def powder(state: State) -> dict[int, int]:
    return holds_of(state.ships[firing(state)], "gunpowder")


def keyed(amounts: dict[int, int]) -> dict[HoldKey, int]:
    """The names of holds on the wire."""
    return {KEYS[number]: count for number, count in amounts.items()}


def only_answer(state: State) -> AnyMove | None:
    """The answer that the server gives because it is the only one. Never for `choose` and J29."""
    match state.phase:
        case "dice" if state.dice[0] == state.dice[1]:  # J7
            return PlaceDice(0)
        case "load" if len(holds := loads(state)) == 1:
            return Load(holds[0])
        case "move" if len(spaces := reaches(state)) == 1:
            return Sail(next(iter(spaces)))
        case "attack" if len(ships := targets(state)) == 1:
            return Attack(ship_id(state, ships[0]))
        case "fire" if not powder(state):
            return Fire({})
        case "pay":
            resource, cost = due(state)
            held = holds_of(state.ship, resource)
            if len(held) == 1:
                return Pay({KEYS[next(iter(held))]: cost})
            return Pay(keyed(held)) if sum(held.values()) == cost else None
        case "ghost_move" if len(ways := ghost_reaches(state)) == 1:
            direction, to = next(iter(ways))
            return GhostMove(direction, to)
        case _:
            return None
