"""G27 to G35: the losses, and who wins."""

from photofinish.engine import Happened, Outcome, Seat, all_seats, replace
from photofinish.engine.places import ranked
from photofinish.games.gravekeepers.box import Rule, the_box
from photofinish.games.gravekeepers.state import SYMBOLS, Ghost, Group, Loss, State, in_order
from photofinish.games.gravekeepers.words import facts, name

GROUPS: tuple[Group, ...] = (*SYMBOLS, "face_down")


def counts(state: State) -> tuple[tuple[int, ...], ...]:
    """G27: the number of ghosts of each of the six groups per seat, in the order of `GROUPS`."""
    return tuple(
        (*map([ghost.symbol for ghost in shown].count, SYMBOLS), len(down))
        for shown, down in zip(state.shown, state.down, strict=True)
    )


def sole_most(numbers: tuple[int, ...]) -> Seat | None:
    """The seat that alone has the most (G29)."""
    most = max(numbers)
    return Seat(numbers.index(most)) if numbers.count(most) == 1 else None


def lost(state: State) -> tuple[int, ...]:
    return tuple(
        sum(loss.points for loss in state.losses if loss.seat == seat) for seat in all_seats(state.seats)
    )


def scores(state: State) -> tuple[int, ...]:
    """The number of ghosts of each seat. More is better for seats that are not out."""
    return tuple(len(shown) + len(down) for shown, down in zip(state.shown, state.down, strict=True))


def tally(state: State) -> State:
    """Score the remaining symbols until a seat may use an effect, then the other groups."""
    while state.scored < len(SYMBOLS):
        rule = the_box().rules[state.scored]
        seat = sole_most(tuple(row[state.scored] for row in counts(state)))
        if seat is not None:
            state = _lose(state, seat, rule.symbol, rule.points)
            if may_turn_down(state, seat, rule) or may_drop(state, seat, rule):
                return replace(state, phase="score", turn=seat)  # G30
        state = replace(state, scored=state.scored + 1)
    return _close(state)


def rule_now(state: State) -> Rule:
    return the_box().rules[state.scored]


def may_turn_down(state: State, seat: Seat, rule: Rule) -> tuple[Ghost, ...]:
    """The face-up ghosts that this symbol's effect may turn face down."""
    return tuple(sorted({it for it in state.shown[seat] if it in rule.turns_down}, key=in_order))


def may_drop(state: State, seat: Seat, rule: Rule) -> bool:
    return not rule.turns_down and bool(state.down[seat])


def turn_down(state: State, seat: Seat, ghost: Ghost) -> State:
    """G31: the card changes group at once."""
    shown = list(state.shown[seat])
    shown.remove(ghost)
    turned = Happened(
        "turned_down", seat, f"{{{seat}}} turned {name(ghost)} face down.", {"card": facts(ghost)}
    )
    return _next(
        replace(
            state,
            shown=(*state.shown[:seat], tuple(shown), *state.shown[seat + 1 :]),
            down=(*state.down[:seat], (*state.down[seat], ghost), *state.down[seat + 1 :]),
            last=(*state.last, turned),
        )
    )


def drop(state: State, seat: Seat) -> State:
    """Discard one face-down ghost. Which one makes no difference."""
    gone, *left = state.down[seat]
    dropped = Happened("dropped", seat, f"{{{seat}}} discarded a face-down ghost.")
    return _next(
        replace(
            state,
            down=(*state.down[:seat], tuple(left), *state.down[seat + 1 :]),
            out=(*state.out, gone),
            last=(*state.last, dropped),
        )
    )


def let_be(state: State, seat: Seat) -> State:
    declined = Happened("declined", seat, f"{{{seat}}} did not use the effect.")
    return _next(replace(state, last=(*state.last, declined)))


def _next(state: State) -> State:
    return tally(replace(state, scored=state.scored + 1))


def _lose(state: State, seat: Seat, group: Group, points: int) -> State:
    loss = Happened(
        "lost",
        seat,
        f"{{{seat}}} loses {points} for {group.replace('_', ' ')}.",
        {"group": group, "points": points},
    )
    return replace(state, losses=(*state.losses, Loss(seat, group, points)), last=(*state.last, loss))


def _close(state: State) -> State:
    """G32, G33: face-down ghosts and the number of kinds; then the game is over."""
    box, table = the_box(), counts(state)
    most = sole_most(tuple(row[-1] for row in table))
    if most is not None:
        state = _lose(state, most, "face_down", box.face_down_points)
    for seat in all_seats(state.seats):
        points = box.kinds_points[sum(number > 0 for number in table[seat])]
        if points:
            state = _lose(state, seat, "kinds", points)
    state = replace(state, phase="over")
    result = verdict(state)
    who = " and ".join(f"{{{seat}}}" for seat in result.winners)
    over = Happened(
        "game_over", text=f"Game over. Won by: {who}. {result.why}", detail={"winners": list(result.winners)}
    )
    return replace(state, last=(*state.last, over))


def fallen(state: State) -> Seat | None:
    """G34: the seat that alone has the greatest loss is out."""
    return sole_most(lost(state)) if state.phase == "over" else None


def outcome(state: State) -> Outcome | None:
    return verdict(state) if state.phase == "over" else None


def verdict(state: State) -> Outcome:
    """G35: the most ghosts among those not out, then the smaller loss."""
    points, ghosts, gone = lost(state), scores(state), fallen(state)
    left = [seat for seat in all_seats(state.seats) if seat != gone]
    best = max((ghosts[seat], -points[seat]) for seat in left)
    winners = tuple(seat for seat in left if (ghosts[seat], -points[seat]) == best)
    return Outcome(winners, f"Most ghosts of those still in: {best[0]}, with a loss of {-best[1]}.")


def places(state: State) -> tuple[int, ...]:
    """T36: by ghosts, then by the smaller loss; the seat that is out (G34) is last."""
    points, ghosts, gone = lost(state), scores(state), fallen(state)
    return ranked([(seat != gone, ghosts[seat], -points[seat]) for seat in all_seats(state.seats)])
