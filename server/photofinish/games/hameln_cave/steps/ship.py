"""The ship: one space at a time."""

from photofinish.engine import Seat, replace
from photofinish.games.hameln_cave.chart import Heading, side_of
from photofinish.games.hameln_cave.state import Direction, State, partner
from photofinish.games.hameln_cave.steps.ghosts import add
from photofinish.games.hameln_cave.words import end, say


def heading(to: Direction, winner: Seat) -> Heading:
    match to:
        case "winner":
            return side_of(winner)
        case "partner":
            return side_of(partner(winner))
        case "straight":
            return "straight"


def sail(state: State, course: Heading) -> State:
    """The ship enters the space there and nothing between (H17); if it cannot, it stays (H18)."""
    there = state.chart.ahead(state.ship, course)
    way = "straight ahead" if course == "straight" else f"to the {course}"
    if there is None:
        return say(state, "blocked", f"There is no way {way}: the ship stays.", heading=course)
    state = replace(state, ship=there)
    state = say(
        state, "sailed", f"The ship goes {way}.", heading=course, to={"col": there.col, "row": there.row}
    )
    match state.chart.kinds[there]:
        case "goal":  # H29, H31: nothing more of the trick is carried out
            return end(state, "H29", "The ship has reached the end of the cave: both win.", won=True)
        case "ghost":
            return add(say(state, "haunted", "Ghosts wait there."), 1)  # H19
        case _:
            return state
