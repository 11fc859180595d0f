"""The moves that a seat may send now: exactly those that `apply` accepts."""

from photofinish.engine import Amounts, Offer, Seat, offer, one, rows
from photofinish.games.jamaica.state import (
    Accept,
    Attack,
    Choose,
    Curse,
    Fire,
    GhostMove,
    Leave,
    Load,
    Loot,
    Pay,
    PlaceDice,
    Sabre,
    Sail,
    State,
)
from photofinish.games.jamaica.steps.cargo import holds_of
from photofinish.games.jamaica.steps.questions import (
    awaited,
    curses,
    due,
    ghost_reaches,
    hold_loots,
    keyed,
    loads,
    powder,
    reaches,
    targets,
    treasure_loots,
)
from photofinish.games.jamaica.words import goods, ship_id


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    if seat not in awaited(state):
        return ()
    match state.phase:
        case "dice":
            return (offer(PlaceDice, one("morning", (0, 1)), text="Put one of the dice on morning"),)
        case "choose":
            return (offer(Choose, one("card", state.decks[seat].hand), text="Choose the card you will play"),)
        case "load":
            return (offer(Load, one("hold", loads(state)), text="Load into a hold"),)
        case "move":
            text = "Choose where to drift back to" if state.shortage else "Choose where to sail"
            return (offer(Sail, one("to", reaches(state)), text=text),)
        case "ghost_move":
            ways = ghost_reaches(state)
            return (offer(GhostMove, rows("direction to", ways), text="Move the Ghost Ship"),)
        case "attack":
            ships = [ship_id(state, ship) for ship in targets(state)]
            return (offer(Attack, one("ship", ships), text="Choose whom to fight"),)
        case "fire":
            held = powder(state)
            return (
                offer(
                    Fire, _amounts("powder", held, 0, sum(held.values())), text="Spend gunpowder, then roll"
                ),
            )
        case "sabre":
            return (
                offer(Sabre, text="Have the roll made again"),
                offer(Accept, text="Let the roll stand"),
            )
        case "spoils":
            return _spoils(state)
        case "pay":
            resource, cost = due(state)
            held = holds_of(state.ship, resource)
            return (offer(Pay, _amounts("from", held, cost, cost), text=f"Pay {goods(resource, cost)}"),)
        case _:
            return ()


def _spoils(state: State) -> tuple[Offer, ...]:
    """J29: taking nothing is always possible, so the winner is always asked."""
    found = [offer(Leave, text="Let the loser go")]
    kept = [(hold, into) for hold, into in hold_loots(state) if into is not None]
    sunk = [hold for hold, into in hold_loots(state) if into is None]
    if kept:
        found.append(offer(Loot, rows("hold into", kept), text="Take a hold's contents into a hold"))
    if sunk:
        found.append(offer(Loot, one("hold", sunk), text="Throw a hold's contents overboard"))
    if places := treasure_loots(state):
        found.append(offer(Loot, one("treasure", places), text="Take a treasure card"))
    if places := curses(state):
        found.append(offer(Curse, one("treasure", places), text="Give away a cursed treasure"))
    return tuple(found)


def _amounts(field: str, held: dict[int, int], least: int, most: int) -> Amounts:
    return Amounts(field, {str(key): count for key, count in keyed(held).items()}, least, most)
