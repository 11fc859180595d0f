"""The names of ships and goods, for people and for clients."""

from typing import Any

from photofinish.engine import Happened, Seat, replace
from photofinish.games.jamaica.state import Ghost, Hold, Resource, State

UNITS: dict[Resource, str] = {"gold": "doubloons", "food": "food", "gunpowder": "gunpowder"}
DAY = ("morning", "evening")


def ship_id(state: State, ship: int) -> int | Ghost:
    """A ship on the wire: its seat's number, or `ghost`."""
    return "ghost" if ship == state.ghost else ship


def ship_name(state: State, ship: int) -> str:
    return "the Ghost Ship" if ship == state.ghost else f"{{{ship}}}"


def goods(resource: Resource, count: int) -> str:
    return f"{count} {UNITS[resource]}"


def cargo(hold: Hold) -> dict[str, Any]:
    return {"resource": hold.resource, "count": hold.count}


def tell(state: State, what: str, ship: int | None, text: str, **detail: Any) -> State:
    """Add to what happened in this step. `{ship}` in the text is the ship's name."""
    if ship is None:
        happened = Happened(what, None, text, detail)
    else:
        sentence = text.replace("{ship}", ship_name(state, ship))
        sentence = sentence[:1].upper() + sentence[1:]
        seat = None if ship == state.ghost else Seat(ship)
        happened = Happened(what, seat, sentence, {"ship": ship_id(state, ship), **detail})
    return replace(state, last=(*state.last, happened))
