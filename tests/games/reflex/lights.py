"""Helpers: a game of Reflex with chosen lights, and the way to the next of them."""

from photofinish.engine import Act, IllegalMove, Rng, Seat, replace
from photofinish.engine.playthrough import Playthrough, start
from photofinish.games.reflex import GAME
from photofinish.games.reflex.state import Flash, Press, ReflexOptions, Sign, State

NORTH, EAST, SOUTH = Seat(0), Seat(1), Seat(2)


def game(seats: int = 3, *flashes: Flash, **options: object) -> Playthrough:
    """A game with these lights, or with two green ones."""
    pile = flashes or (light("go"), light("go"))
    chosen = ReflexOptions(flashes=len(pile), **options)
    play = start(GAME, seats, b"lights", chosen)
    play.state = replace(play.state, pile=pile)
    return play


def light(sign: Sign, dark_ms: int = 700) -> Flash:
    return Flash(1, sign, dark_ms)


def lit(play: Playthrough) -> State:
    """Let the clocks run until the light is on."""
    while play.state.phase == "dark":
        play.wait()
    state: State = play.state
    return state


def press(play: Playthrough, *seats: Seat) -> State:
    for seat in seats:
        play.apply(Act(seat, Press()))
    state: State = play.state
    return state


def refused(state: State, seat: Seat) -> str:
    """The clause that refuses this seat's press."""
    try:
        GAME.apply(state, Act(seat, Press()), Rng(b"refused", 1))
    except IllegalMove as no:
        return no.clause
    return ""


def words(state: State) -> list[str]:
    return [it.what for it in state.last]
