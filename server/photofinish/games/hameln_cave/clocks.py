"""The seats that the game waits for, for how long, and the move that is made when a clock expires."""

from photofinish.engine import Act, Millis, Rng, Seat, Timer, limit
from photofinish.games.hameln_cave.state import (
    NAMES,
    SEATS,
    AnyMove,
    Apply,
    Character,
    Extra,
    Pass,
    Play,
    Ready,
    Reveal,
    State,
    Steer,
    Stop,
    by_number,
    partner,
)
from photofinish.games.hameln_cave.steps.effects import face_down
from photofinish.games.hameln_cave.steps.trick import legal


def awaited(state: State) -> tuple[Seat, ...]:
    """The seats that must answer before the game continues."""
    match state.phase:
        case "over":
            return ()
        case "character":
            return tuple(seat for seat in SEATS if state.characters[seat] is None)
        case "exchange":
            return tuple(seat for seat in SEATS if state.passes[seat] is None)
        case "pause":
            return tuple(seat for seat in SEATS if not state.ready[seat])
        case _:
            return (state.turn,)


def timers(state: State) -> tuple[Timer, ...]:
    if state.phase == "pause":  # H27; not answering is a legal answer
        talk = Millis(1000 * state.options.talk_seconds)
        return tuple(
            Timer(f"talk:{state.round}:{seat}", talk, seat, is_answer=True) for seat in awaited(state)
        )
    after = limit(state.options.turn_seconds)
    match state.phase:
        case "character":
            return tuple(Timer(f"character:{seat}", after, seat) for seat in awaited(state))
        case "exchange":
            return tuple(
                Timer(f"pass:{state.round}:{seat}", after, seat)
                for seat in awaited(state)
                if not waits_to_be_shown(state, seat)
            )
        case _:
            return tuple(Timer(f"turn:{state.decisions}", after, seat) for seat in awaited(state))


def waits_to_be_shown(state: State, seat: Seat) -> bool:
    """Aria's clock starts when she is shown the card (H35)."""
    return state.characters[seat] == "aria" and state.passes[partner(seat)] is None


def answer_for(state: State, key: str, rng: Rng) -> Act[AnyMove]:
    """The move that is made when the clock expires."""
    due = [timer.seat for timer in timers(state) if timer.key == key]
    assert due, f"no clock {key} is running"
    assert due[0] is not None
    seat = due[0]
    match state.phase:
        case "character":
            return Act(seat, Character(rng.pick([it for it in NAMES if it not in state.characters])))
        case "exchange":
            return Act(seat, Pass(min(state.hands[seat], key=by_number)))
        case "play":
            return Act(seat, Play(min(legal(state.hands[seat], state.trick), key=by_number)))
        case "steer":
            return Act(seat, Steer("winner"))
        case "reveal":
            slot = face_down(state)[0]
            return Act(seat, Reveal(slot, state.surplus[slot].mark))
        case "second":
            return Act(seat, Stop())
        case "choose":
            slot = state.turned[0]
            return Act(seat, Apply(slot, state.surplus[slot].mark))
        case "extra":
            return Act(seat, Extra(take=False))
        case _:
            return Act(seat, Ready())
