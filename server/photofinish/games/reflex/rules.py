"""What happens: the dark, the light, a press, the end."""

from photofinish.engine import (
    Act,
    Expired,
    Happened,
    IllegalMove,
    Input,
    Millis,
    Outcome,
    Race,
    Rng,
    Seat,
    TableSetup,
    Timer,
    replace,
)
from photofinish.games.reflex.state import Flash, Light, Press, ReflexOptions, Sign, State

MOST_SPANS = 16
ONE_IN = 4
"""In each span of the dark the light comes with a chance of 1 in this number (X3)."""


def setup(table: TableSetup[ReflexOptions], rng: Rng) -> State:
    """X1, X2, X3: all random numbers are drawn here, so the same seed gives every table the same lights."""
    draw = drawn if table.follows(2) else drawn_in_ticks
    pile = tuple(draw(table.options, rng) for _ in range(table.options.flashes))
    zeros = (0,) * table.seats
    return State(table.options, pile, points=zeros, false_starts=zeros, wrong=zeros)


def drawn(options: ReflexOptions, rng: Rng) -> Flash:
    """X2, X3: one light: how long the dark before it lasts, and its sign."""
    gap = options.gap_ms
    spans = _spans(rng) - 1
    dark = gap * 9 // 16 + spans * gap // 8 + rng.below(gap // 8)
    return Flash(1, _sign(options, rng), dark)


def drawn_in_ticks(options: ReflexOptions, rng: Rng, after: int = 0) -> Flash:
    """One light by the rules of version 1: the dark before it has more than `after` ticks of known length."""
    return Flash(_spans(rng, after), _sign(options, rng))


def _spans(rng: Rng, after: int = 0) -> int:
    spans = after + 1
    while spans < MOST_SPANS and rng.below(ONE_IN):
        spans += 1
    return spans


def _sign(options: ReflexOptions, rng: Rng) -> Sign:
    return "stop" if rng.below(100) < options.stop_percent else "go"


def apply(state: State, event: Input[Press], _rng: Rng) -> State:
    clean = replace(state, last=())
    match event:
        case Act() if state.phase == "over":
            raise IllegalMove("X11", "The game is over.")
        case Act(seat) if seat in state.out:
            raise IllegalMove("X8", "After a false start you miss the next light.")
        case Act(seat) if seat in state.pressed:
            raise IllegalMove("X6", "You have pressed already.")
        case Act(seat):
            return _false_start(clean, seat) if state.phase == "dark" else _press(clean, seat)
        case Expired(timer):
            assert timer in {it.key for it in timers(state)}, f"no clock {timer} is running"
            return _end_of_light(clean) if state.phase == "lit" else _tick(clean)


def _tick(state: State) -> State:
    state = replace(state, ticks=state.ticks + 1)
    flash = state.pile[0]
    if state.ticks < flash.ticks:
        return state
    text = "The light is green." if flash.sign == "go" else "The light is red."
    state = replace(
        state,
        phase="lit",
        light=Light(state.number, flash.sign),
        last=(Happened("lit", text=text, detail={"flash": state.number, "sign": flash.sign}),),
    )
    return state if state.racers else _end_of_light(state)  # X8


def _false_start(state: State, seat: Seat) -> State:
    """X8: a press in the dark costs points, and the seat misses the next light."""
    event = Happened(
        "false_start", seat, f"{{{seat}}} pressed in the dark.", {"race": race_key(state.number)}
    )
    state = replace(state, false_starts=_added(state.false_starts, seat, 1), last=(event,))
    state = replace(state, out=tuple(sorted((*state.out, seat))))
    return replace(state, points=_added(state.points, seat, -state.options.false_start_cost))


def _press(state: State, seat: Seat) -> State:
    """A press at a light. X6: the first press wins; X7: it may end the light; X9: a press at red costs points."""
    light, is_first = state.light, not state.pressed
    assert light is not None
    state = replace(state, pressed=(*state.pressed, seat))
    if light.sign == "stop":
        cost = state.options.false_start_cost
        state = replace(state, wrong=_added(state.wrong, seat, 1), points=_added(state.points, seat, -cost))
        event = Happened("wrong_press", seat, f"{{{seat}}} pressed at a red light.")
    elif is_first:
        state = replace(state, points=_added(state.points, seat, 1))
        event = Happened("pressed", seat, f"{{{seat}}} was first.")
    else:
        place = len(state.pressed)
        event = Happened("late_press", seat, f"{{{seat}}} pressed as number {place}.", {"place": place})
    state = replace(state, last=(*state.last, event))
    is_decided = light.sign == "go" and not state.options.all_press
    return _end_of_light(state) if is_decided or not state.to_press else state


def _end_of_light(state: State) -> State:
    """X7, X10: the light is over; nobody may have won it. X11: after the last light the game is over."""
    assert state.light is not None
    winner = state.pressed[0] if state.pressed and state.light.sign == "go" else None
    last = state.last
    if winner is None and state.light.sign == "go":
        last = (*last, Happened("missed", text="Nobody pressed.", detail={"flash": state.number}))
    elif not state.pressed:
        last = (*last, Happened("held_back", text="Nobody pressed at red.", detail={"flash": state.number}))
    pile = state.pile[1:]
    if not pile:
        last = (*last, Happened("game_over", text="That was the last light."))
    return replace(
        state,
        pile=pile,
        winners=(*state.winners, winner),
        phase="dark" if pile else "over",
        ticks=0,
        pressed=(),
        out=(),
        last=last,
    )


def _added(row: tuple[int, ...], seat: Seat, more: int) -> tuple[int, ...]:
    return tuple(count + more * (at == seat) for at, count in enumerate(row))


def timers(state: State) -> tuple[Timer, ...]:
    """X3, X7: the clock of the dark or of the light. That of the dark is hidden: nobody knows when the light comes."""
    match state.phase:
        case "dark" if state.pile[0].dark_ms:
            return (Timer(f"dark:{state.number}", Millis(state.pile[0].dark_ms), hidden=True),)
        case "dark":
            gap = state.options.gap_ms
            first = 0 if state.ticks else gap // 2
            return (Timer(f"dark:{state.number}:{state.ticks}", Millis(first + gap // 8)),)
        case "lit":
            assert state.light is not None
            waits_for = state.to_press if state.light.sign == "go" else ()
            after = Millis(state.options.window_ms)
            return (Timer(f"window:{state.number}", after, waits_for=waits_for, ends_race=True),)
        case "over":
            return ()


def race_key(number: int) -> str:
    return f"flash:{number}"


def race(state: State) -> Race[Press] | None:
    """X5: each light is a race. `throws` stays 0, because no later press depends on an earlier one."""
    if state.phase != "lit":
        return None
    return Race(race_key(state.number), state.racers, contested=(Press,))


def scores(state: State) -> tuple[int, ...]:
    return state.points


def outcome(state: State) -> Outcome | None:
    """X11: the most points win, if they are more than 0; equal points share the win."""
    if state.phase != "over":
        return None
    most = max(state.points)
    winners = tuple(seat for seat in state.seats if most > 0 and state.points[seat] == most)
    return Outcome(winners, f"{len(state.winners)} lights are over (X11).")
