"""What a seat owns on the table: shelters, boats and runes; and where it may put a rune."""

from functools import lru_cache

from photofinish.engine import Record, Seat, replace
from photofinish.engine.decks.cards import CardId
from photofinish.games.rune_market.moves import Colour, Place

COLOURS: tuple[Colour, Colour] = ("red", "blue")
MAIN: tuple[Colour, Colour] = COLOURS
PLACES: tuple[Place, ...] = ("red", "blue", "boat1", "boat2", "loose")
MOST_SHELTERS = 2


class Main(Record, frozen=True):
    """A red or blue shelter, perhaps with a boat in it, perhaps with somebody's bandit."""

    card: CardId
    runes: int = 0
    boat: bool = False
    bandit: Seat | None = None
    """Whose bandit sits in it."""


class Boat(Record, frozen=True):
    """A boat that stands alone. It has no colour until its first rune (R30)."""

    colour: Colour | None = None
    runes: int = 0


class Holding(Record, frozen=True):
    """Everything that a seat owns on the table (R4)."""

    red: Main | None = None
    blue: Main | None = None
    boat1: Boat | None = None
    boat2: Boat | None = None
    loose_red: int = 0
    loose_blue: int = 0


def main(it: Holding, colour: Colour) -> Main | None:
    return it.red if colour == "red" else it.blue


def boats(it: Holding) -> dict[Place, Boat]:
    """The lone boats by place."""
    rows: tuple[tuple[Place, Boat | None], ...] = (("boat1", it.boat1), ("boat2", it.boat2))
    return {place: boat for place, boat in rows if boat is not None}


def shelters(it: Holding) -> int:
    """The number of shelters of the seat; a boat inside a shelter does not count (R27)."""
    return sum(main(it, colour) is not None for colour in MAIN) + len(boats(it))


def runes_at(it: Holding, place: Place, colour: Colour) -> int:
    match place:
        case "red" | "blue":
            shelter = main(it, place)
            return shelter.runes if shelter is not None and place == colour else 0
        case "loose":
            return it.loose_red if colour == "red" else it.loose_blue
        case _:
            boat = boats(it).get(place)
            return boat.runes if boat is not None and boat.colour == colour else 0


def runes(it: Holding) -> int:
    shelters = (it.red, it.blue, it.boat1, it.boat2)
    return it.loose_red + it.loose_blue + sum([each.runes for each in shelters if each is not None])


def bandit_at(it: Holding, place: Place) -> Seat | None:
    """The seat whose bandit sits there. A lone boat never keeps a bandit (R32)."""
    shelter = main(it, place) if place in ("red", "blue") else None
    return shelter.bandit if shelter is not None else None


def shelter_of(it: Holding, colour: Colour) -> Place | None:
    """The seat's shelter of this colour, main or lone boat: at most one (R27)."""
    if main(it, colour) is not None:
        return colour
    return next((place for place, boat in boats(it).items() if boat.colour == colour), None)


def takes(it: Holding, colour: Colour) -> tuple[Place, ...]:
    """The shelters into which a rune of this colour may go (R9, R30)."""
    own = shelter_of(it, colour)
    if own is not None:  # R30: a lone boat's first rune may not be of the other shelter's colour
        return (own,)
    return tuple(place for place, boat in boats(it).items() if boat.colour is None)


def unsaid(it: Holding, colour: Colour) -> Place:
    """The default place for a rune (R9, R35)."""
    own = shelter_of(it, colour)
    return own if own is not None and bandit_at(it, own) is None else "loose"


def add(it: Holding, place: Place, colour: Colour, n: int) -> Holding:
    """Add n runes to a place that accepts them; remove runes if n is negative."""
    match place:
        case "red" | "blue":
            shelter = main(it, place)
            assert shelter is not None
            return replace(it, **{place: replace(shelter, runes=shelter.runes + n)})
        case "loose":
            name = f"loose_{colour}"
            return replace(it, **{name: getattr(it, name) + n})
        case _:
            boat = boats(it)[place]
            return replace(it, **{place: Boat(colour, boat.runes + n)})


def payable(it: Holding, colour: Colour, *, loose: bool = True) -> dict[Place, int]:
    """The runes of one colour that can buy goods: none under a bandit (R10)."""
    places = PLACES if loose else PLACES[:-1]
    counts = {place: runes_at(it, place, colour) for place in places if bandit_at(it, place) is None}
    return {place: n for place, n in counts.items() if n}


def boat_room(it: Holding) -> tuple[str, ...]:
    """Where a bought boat may go (R28)."""
    inside = [colour for colour in MAIN if (shelter := main(it, colour)) and can_take_boat(shelter)]
    return (*inside, "alone") if shelters(it) < MOST_SHELTERS else tuple(inside)


def can_take_boat(shelter: Main) -> bool:
    return not shelter.boat and shelter.bandit is None


def bandit_room(it: Holding) -> tuple[Place, ...]:
    """The shelters of this seat into which a bandit may be put (R31)."""
    free: list[Place] = [
        colour for colour in MAIN if (shelter := main(it, colour)) and shelter.bandit is None
    ]
    return (*free, *boats(it))


def boat_count(it: Holding) -> int:
    return len(boats(it)) + sum((shelter := main(it, colour)) is not None and shelter.boat for colour in MAIN)


def bandit_count(it: Holding) -> int:
    return sum(bandit_at(it, colour) is not None for colour in MAIN)


@lru_cache(maxsize=4_096)
def points(it: Holding) -> int:
    """R38. Remembered: each of four views asks for all four holdings, and a move changes one of them."""
    return runes(it) + boat_count(it) - bandit_count(it)
