"""What each move does. Only `apply` decides whether a move is legal."""

from photofinish.engine import Act, Expired, Happened, IllegalMove, Input, Rng, Seat, clockwise, replace
from photofinish.games.gravekeepers import effects, scoring
from photofinish.games.gravekeepers.clocks import answer_for
from photofinish.games.gravekeepers.offers import reachable
from photofinish.games.gravekeepers.state import (
    SIDE,
    AnyMove,
    Colour,
    Declare,
    Decline,
    Draw,
    Drop,
    Final,
    Flip,
    Ghost,
    Line,
    Lying,
    MoveKeeper,
    Place,
    Relocate,
    State,
    TurnDown,
    in_order,
    pile_of,
)
from photofinish.games.gravekeepers.words import facts, spot, where


def apply(state: State, event: Input[AnyMove], _rng: Rng) -> State:
    """After the deal nothing is random."""
    if isinstance(event, Expired):
        return _clock(replace(state, last=()), event.timer)
    return _act(replace(state, last=()), event)


def _clock(state: State, key: str) -> State:
    """Answer for the seat; after a turn's clock, play the turn to its end."""
    state = _act(state, answer_for(state, key))
    while state.phase in {"place", "effect", "draw"}:
        state = _act(state, answer_for(state, key))
    return state


def _act(state: State, event: Act[AnyMove]) -> State:
    if state.phase == "over":
        raise IllegalMove("G35", "The game is over.")
    match event:
        case Act(seat, Declare(colour, to)):
            return _declare(state, seat, colour, to)
        case Act(seat, Place(card)):
            return _place(state, seat, card)
        case Act(seat, MoveKeeper(to)):
            _asked(state, seat, "move", "G18", to)
            return _refill(effects.move_keeper(state, seat, to))
        case Act(seat, Relocate(row, col)):
            _asked(state, seat, "relocate", "G19", row * SIDE + col)
            return _refill(effects.relocate(state, seat, row * SIDE + col))
        case Act(seat, Flip(row, col)):
            _asked(state, seat, "flip", "G20", row * SIDE + col)
            return _refill(effects.flip(state, seat, row * SIDE + col))
        case Act(seat, Decline()):
            return _decline(state, seat)
        case Act(seat, Draw(pile)):
            return _draw(state, seat, pile)
        case Act(seat, Final(card)):
            return _final(state, seat, card)
        case Act(seat, TurnDown(card)):
            _scores(state, seat)
            if card not in scoring.may_turn_down(state, seat, scoring.rule_now(state)):
                raise IllegalMove("G30", "This symbol's effect cannot turn that card down.")
            return scoring.turn_down(state, seat, card)
        case Act(seat, Drop()):
            _scores(state, seat)
            if not scoring.may_drop(state, seat, scoring.rule_now(state)):
                raise IllegalMove("G30", "This symbol's effect discards nothing.")
            return scoring.drop(state, seat)
    raise AssertionError(event.move)


def _declare(state: State, seat: Seat, colour: Colour, to: int) -> State:
    if state.phase != "declare" or seat != state.turn:
        raise IllegalMove("G8", "It is not your turn to declare a colour.")
    if not any(ghost.colour == colour for ghost in state.hands[seat]):
        raise IllegalMove("G8", f"You hold no {colour} card.")
    if to == state.keepers[pile_of(colour)]:
        raise IllegalMove("G9", "The keeper may not stay where it stands.")
    if to not in reachable(state, seat, colour):
        raise IllegalMove("G8", "The keeper moves one step for each card of its colour at most.")
    keepers = (to, state.keepers[1]) if colour == "white" else (state.keepers[0], to)
    declared = Happened(
        "declared",
        seat,
        f"{{{seat}}} declared {colour} and moved its keeper to {to}.",
        {"colour": colour, "to": to},
    )
    state = replace(state, keepers=keepers, line=Line(colour, to), last=(*state.last, declared))
    return replace(_gain(state, seat), phase="place")


def _gain(state: State, seat: Seat) -> State:
    """G11: the seat takes every ghost on the line as it lies. Nobody looks at the face-down ones."""
    assert state.line is not None
    cells = state.line.cells()
    lying = [grave for cell in cells if (grave := state.graves[cell])]
    up = tuple(it.ghost for it in lying if it.up)
    down = tuple(it.ghost for it in lying if not it.up)
    gained = Happened(
        "gained",
        seat,
        f"{{{seat}}} gained {len(up)} open and {len(down)} face-down ghosts.",
        {"cards": [facts(ghost) for ghost in up], "face_down": len(down)},
    )
    return replace(
        state,
        graves=tuple(None if cell in cells else grave for cell, grave in enumerate(state.graves)),
        shown=(*state.shown[:seat], (*state.shown[seat], *up), *state.shown[seat + 1 :]),
        down=(*state.down[:seat], (*state.down[seat], *down), *state.down[seat + 1 :]),
        last=(*state.last, gained),
    )


def _place(state: State, seat: Seat, card: Ghost) -> State:
    if state.phase != "place" or seat != state.turn:
        raise IllegalMove("G12", "You have no card to place now.")
    if card not in state.hands[seat]:
        raise IllegalMove("G12", "That card is not in your hand.")
    if card.colour != state.declared:
        raise IllegalMove("G12", f"You declared {state.declared}: place a card of that colour.")
    cell = state.crossing
    assert state.graves[cell] is None, "the crossing is on the line"
    placed = Happened(
        "placed",
        seat,
        f"{{{seat}}} placed a {card.colour} card face down at {spot(cell)}.",
        {"colour": card.colour, **where(cell)},
    )
    graves = (*state.graves[:cell], Lying(card, up=False), *state.graves[cell + 1 :])
    state = _without(replace(state, graves=graves, visit=0, last=(*state.last, placed)), seat, card)
    return _refill(effects.walk(state))


def _asked(state: State, seat: Seat, verb: str, clause: str, target: int) -> None:
    effect = effects.asked(state)
    if effect is None or seat != state.turn or not effect.startswith(verb):
        raise IllegalMove(clause, f"No effect asks you to {verb} anything now.")
    if target not in effects.targets(state, effect, effects.visited(state)):
        raise IllegalMove(clause, "The effect cannot reach that.")


def _decline(state: State, seat: Seat) -> State:
    if seat == state.turn and state.phase == "effect":
        return _refill(effects.pass_by(state, seat))  # G16
    if seat == state.turn and state.phase == "score":
        return scoring.let_be(state, seat)  # G30
    clause = "G30" if state.phase == "score" else "G16"
    raise IllegalMove(clause, "There is no effect of yours to decline.")


def _refill(state: State) -> State:
    """G21: if both piles are empty, end the turn without a draw."""
    return _end_turn(state) if state.phase == "draw" and not any(state.piles) else state


def _draw(state: State, seat: Seat, colour: Colour) -> State:
    if state.phase != "draw" or seat != state.turn:
        raise IllegalMove("G21", "You have no card to draw now.")
    if not state.piles[pile_of(colour)]:
        raise IllegalMove("G21", f"The {colour} pile is empty.")
    state, ghost = effects.top_of(state, colour)
    if ghost is None:  # G22: only the dawn card was left in this pile, so draw from the other
        state, ghost = effects.top_of(state, "black" if colour == "white" else "white")
    if ghost is None:
        return _end_turn(state)
    drew = Happened("drew", seat, f"{{{seat}}} drew a {ghost.colour} card.", {"colour": ghost.colour})
    hand = tuple(sorted((*state.hands[seat], ghost), key=in_order))
    hands = (*state.hands[:seat], hand, *state.hands[seat + 1 :])
    return _end_turn(replace(state, hands=hands, last=(*state.last, drew)))


def _end_turn(state: State) -> State:
    state = replace(state, turns=state.turns + 1, line=None, visit=0)
    following = clockwise(state.turn, state.seats)
    # G23: the game goes on until all seats have had the same number of turns.
    if all(state.dawns) and following == state.starter:
        over = Happened("dawned", text="It has dawned. Everybody chooses a final card.")
        return replace(state, phase="final", turn=following, last=(*state.last, over))
    return replace(state, phase="declare", turn=following)


def _final(state: State, seat: Seat, card: Ghost) -> State:
    """G26: the seats choose in secret; all cards are shown when the last seat has chosen."""
    if state.phase != "final":
        raise IllegalMove("G26", "The final card is chosen when both dawn cards are out and the lap is over.")
    if state.finals[seat] is not None:
        raise IllegalMove("G26", "You have chosen your final card.")
    if card not in state.hands[seat]:
        raise IllegalMove("G26", "That card is not in your hand.")
    chosen = Happened("chose", seat, f"{{{seat}}} has chosen a final card.")
    finals = (*state.finals[:seat], card, *state.finals[seat + 1 :])
    state = replace(state, finals=finals, last=(*state.last, chosen))
    return state if None in finals else _reveal(state)


def _reveal(state: State) -> State:
    up = state.options.final_card == "up"
    for number, card in enumerate(state.finals):
        assert card is not None
        seat = Seat(number)
        state = _without(state, seat, card)
        text = f"{{{seat}}} adds {facts(card)['symbol']}." if up else f"{{{seat}}} adds a face-down ghost."
        added = Happened("final", seat, text, {"card": facts(card)} if up else {})
        rows = state.shown if up else state.down
        rows = (*rows[:seat], (*rows[seat], card), *rows[seat + 1 :])
        state = replace(state, **{"shown" if up else "down": rows}, last=(*state.last, added))
    left = tuple(ghost for hand in state.hands for ghost in hand)
    # Cards left in hand are removed unseen. Even their colour could show which card was added face down.
    empty: tuple[tuple[Ghost, ...], ...] = ((),) * state.seats
    state = replace(state, hands=empty, out=(*state.out, *left), finals=(None,) * state.seats)
    return scoring.tally(state)


def _scores(state: State, seat: Seat) -> None:
    if state.phase != "score" or seat != state.turn:
        raise IllegalMove("G30", "No symbol's effect is yours to use now.")


def _without(state: State, seat: Seat, card: Ghost) -> State:
    hand = list(state.hands[seat])
    hand.remove(card)
    return replace(state, hands=(*state.hands[:seat], tuple(hand), *state.hands[seat + 1 :]))
