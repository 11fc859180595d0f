"""The clocks of Alaska, and what happens when they expire."""

from photofinish.engine import Millis, Rng, Seat, Timer, limit, replace
from photofinish.games.alaska import actions, race, river
from photofinish.games.alaska.deck import SECTIONS, number, part
from photofinish.games.alaska.state import State, say


def timers(state: State) -> tuple[Timer, ...]:
    if state.over:
        return ()
    waits = state.catch is not None or bool(state.salmon)
    clocks = []
    if not state.hurried:
        turn = limit(state.options.turn_seconds)
        clocks.append(Timer(f"turn:{state.turns}", turn, seat=state.turn, running=not waits))
    if state.salmon:
        after = Millis(state.options.place_seconds * 1000)
        clocks.append(Timer(f"place:{state.placings}", after, seat=state.placer))
    if state.catch is not None:
        # A32: every other seat has a clock until the race closes. So the clocks do not show who has let go.
        after = Millis(state.options.bear_ms)
        clocks += [
            Timer(_bear_clock(state, seat), after, seat=seat, is_answer=True, ends_race=True)
            for seat in state.others
        ]
    return tuple(clocks)


def _bear_clock(state: State, seat: Seat) -> str:
    return f"bear:{state.catches}:{seat}"


def run_out(state: State, key: str, rng: Rng) -> State:
    """The answer that is given for a seat when its clock expires."""
    assert key in {timer.key for timer in timers(state)}, f"no clock {key} is running"
    if state.catch is not None:
        for seat in state.others:
            if key == _bear_clock(state, seat):
                fresh = replace(state, last=())
                return fresh if seat in state.catch.let_go else race.let_pass(fresh, seat)
    state = replace(state, last=())
    if state.salmon:
        assert key == f"place:{state.placings}"
        return place(state, rng.pick(SECTIONS))
    text = f"{{{state.turn}}}'s time is over."
    return say(replace(state, hurried=True), "time_over", state.turn, text)


def place(state: State, gap: int) -> State:
    """The next salmon goes into this gap (A7)."""
    salmon, *rest = state.salmon
    there = (*state.gaps[gap - 1], salmon)
    state = replace(
        state,
        salmon=tuple(rest),
        gaps=(*state.gaps[: gap - 1], there, *state.gaps[gap:]),
        placings=state.placings + 1,
    )
    seat = state.placer
    return say(state, "placed", seat, f"{{{seat}}} placed a salmon in gap {gap}.", gap=gap, salmon=salmon)


def play_leftmost(state: State, rng: Rng) -> State:
    """Play one card for the seat whose turn clock has expired."""
    card = state.hand[0]
    match part(card):
        case "cast":
            choice = river.must_choose(state, number(card)) if number(card) in SECTIONS else ()
            return actions.cast(state, (card,), min(choice, default=None), rng)
        case "tourist" | "local":
            return actions.angler(state, card, min(river.standing_room(state.anglers, card), default=None))
        case "eagle":
            salmon = next((gap for gap in SECTIONS if state.gaps[gap - 1]), None)
            on = next((it for it in SECTIONS if state.anglers[it - 1]), None) if salmon is None else None
            return actions.eagle(state, card, salmon, on)
        case _:
            return actions.bear(state, card)
