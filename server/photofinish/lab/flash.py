"""Flash, the laboratory's own game: a light goes on, the first hand wins, next. Not on the public shelf.

F1. Between two races the light is off: for half the gap, and then until a coin, tossed every quarter of it, says
on. So the pause is the gap on average and nobody can tell when it ends. F2. While the light is on everybody may
claim; every claim is right, and the first wins. F3. A race that nobody answers within the window goes to nobody.
F4. After the last race the game is over.
"""

from typing import Annotated, Literal

import msgspec

from photofinish.engine import (
    Act,
    Expired,
    Game,
    Happened,
    IllegalMove,
    Input,
    Millis,
    Move,
    Offer,
    Options,
    Outcome,
    Race,
    Record,
    Rng,
    Seat,
    Table,
    Timer,
    Viewer,
    all_seats,
    offer,
    replace,
)


class FlashOptions(Options, frozen=True):
    races: Annotated[int, msgspec.Meta(ge=1, le=500)] = 10
    gap_ms: Annotated[int, msgspec.Meta(ge=40, le=10_000)] = 800
    window_ms: Annotated[int, msgspec.Meta(ge=200, le=10_000)] = 3_000


class Claim(Move, frozen=True):
    """F2."""


class State(Record, frozen=True):
    options: FlashOptions
    wins: tuple[int, ...]
    winners: tuple[Seat | None, ...] = ()
    """Of each race so far; None where nobody answered."""
    phase: Literal["dark", "lit", "over"] = "dark"
    tosses: int = 0
    last: tuple[Happened, ...] = ()


class View(Record, frozen=True):
    race: int
    """The one being run, or to be run next, from 1."""
    races: int
    phase: Literal["dark", "lit", "over"]
    winners: tuple[Seat | None, ...]
    wins: tuple[int, ...]
    last: tuple[Happened, ...]


def setup(table: Table[FlashOptions], _rng: Rng) -> State:
    return State(table.options, wins=(0,) * table.seats)


def offers(state: State, _seat: Seat) -> tuple[Offer, ...]:
    return (offer(Claim, text="Claim the race"),) if state.phase == "lit" else ()


def apply(state: State, event: Input[Claim], rng: Rng) -> State:
    match event:
        case Act(seat, Claim()) if state.phase == "lit":
            return _won(state, seat)
        case Act() if state.phase == "over":
            raise IllegalMove("F4", "The game is over.")
        case Act():
            raise IllegalMove("F2", "The light is not on.")
        case Expired(timer):
            assert timer in {it.key for it in timers(state)}, f"nobody waits for {timer}"
            return _won(state, None) if state.phase == "lit" else _toss(state, rng)


def _toss(state: State, rng: Rng) -> State:
    if rng.below(2):
        return replace(state, phase="lit", last=(Happened("lit", text="The light is on."),))
    return replace(state, tosses=state.tosses + 1, last=())


def _won(state: State, seat: Seat | None) -> State:
    told = Happened("won", seat, f"{{{seat}}} was first." if seat is not None else "Nobody answered.")
    winners = (*state.winners, seat)
    return replace(
        state,
        wins=tuple(count + (number == seat) for number, count in enumerate(state.wins)),
        winners=winners,
        phase="over" if len(winners) == state.options.races else "dark",
        tosses=0,
        last=(told,),
    )


def timers(state: State) -> tuple[Timer, ...]:
    number, gap = _number(state), state.options.gap_ms
    match state.phase:
        case "dark":
            wait = gap // 4 if state.tosses else gap // 2 + gap // 4
            return (Timer(f"dark:{number}:{state.tosses}", Millis(wait)),)
        case "lit":
            return (Timer(f"window:{number}", Millis(state.options.window_ms), ends_race=True),)
        case "over":
            return ()


def race(state: State) -> Race[Claim] | None:
    if state.phase != "lit":
        return None
    return Race(f"flash:{_number(state)}", all_seats(len(state.wins)), contested=(Claim,))


def view(state: State, _viewer: Viewer) -> View:
    return View(
        race=min(_number(state), state.options.races),
        races=state.options.races,
        phase=state.phase,
        winners=state.winners,
        wins=state.wins,
        last=state.last,
    )


def resample(state: State, _viewer: Viewer, _rng: Rng) -> State:
    """There are no secrets: the coins are tossed when they fall."""
    return state


def scores(state: State) -> tuple[int, ...]:
    return state.wins


def outcome(state: State) -> Outcome | None:
    if state.phase != "over":
        return None
    most = max(state.wins)
    winners = tuple(seat for seat in all_seats(len(state.wins)) if most and state.wins[seat] == most)
    return Outcome(winners, f"{len(state.winners)} races are run")


def _number(state: State) -> int:
    return len(state.winners) + 1


FLASH: Game[State, Claim, View, FlashOptions] = Game(
    key="flash",
    title="Flash",
    blurb="The laboratory's own: a light goes on, the first hand wins.",
    seats=range(2, 9),
    state=State,
    moves=(Claim,),
    sight=View,
    options=FlashOptions,
    setup=setup,
    offers=offers,
    apply=apply,
    view=view,
    resample=resample,
    scores=scores,
    outcome=outcome,
    timers=timers,
    race=race,
)
