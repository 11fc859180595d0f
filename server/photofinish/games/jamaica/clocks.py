"""The clocks, and the move that is made for a seat that does not answer in time."""

from photofinish.engine import Act, Millis, Timer, limit
from photofinish.games.jamaica.state import (
    Accept,
    AnyMove,
    Attack,
    Choose,
    Fire,
    GhostMove,
    Leave,
    Load,
    Pay,
    PlaceDice,
    Sail,
    State,
)
from photofinish.games.jamaica.steps.cargo import from_lowest
from photofinish.games.jamaica.steps.questions import (
    awaited,
    due,
    ghost_reaches,
    keyed,
    loads,
    reaches,
    targets,
)
from photofinish.games.jamaica.words import ship_id


def timers(state: State) -> tuple[Timer, ...]:
    """One clock per seat for the choice of cards; one for each other question, from when it is asked."""
    deliberate = Millis(1000 * state.options.choose_seconds)
    match state.phase:
        case "dice":
            return (Timer(f"dice:{state.round}", deliberate, state.captain),)
        case "choose":
            return tuple(Timer(f"choose:{state.round}:{seat}", deliberate, seat) for seat in awaited(state))
        case _:
            after = limit(state.options.turn_seconds)
            key = f"{state.phase}:{state.questions}"
            return tuple(Timer(key, after, seat) for seat in awaited(state))


def answer_for(state: State, key: str) -> Act[AnyMove]:
    """The move that is made when the clock expires."""
    due_now = [timer.seat for timer in timers(state) if timer.key == key]
    assert due_now, f"no clock {key} is running"
    assert due_now[0] is not None
    seat = due_now[0]
    if state.phase == "choose":
        return Act(seat, Choose(state.decks[seat].hand[0]))  # leftmost
    return Act(seat, _answer(state))


def _answer(state: State) -> AnyMove:
    match state.phase:
        case "dice":
            return PlaceDice(0)  # the first die on morning
        case "load":
            holds = state.ship.holds
            return Load(min(loads(state), key=lambda hold: (holds[hold].count, hold)))
        case "move":
            return Sail(min(reaches(state)))
        case "attack":
            return Attack(ship_id(state, min(targets(state))))
        case "fire":
            return Fire({})
        case "sabre":
            return Accept()
        case "spoils":
            return Leave()
        case "pay":
            resource, cost = due(state)
            return Pay(keyed(from_lowest(state.ship, resource, cost)))
        case _:
            ways = list(ghost_reaches(state))
            forward = [way for way in ways if way[0] == "forward"]
            return GhostMove(*min(forward or ways, key=lambda way: way[1]))
