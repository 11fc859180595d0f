"""A round: the deal, the look at two cards, the points at the end."""

from photofinish.engine import IllegalMove, Outcome, Rng, Seat, TableSetup, all_seats, clockwise, replace
from photofinish.engine.decks.cards import the_deck
from photofinish.games.cambio.state import CambioOptions, Slot, State
from photofinish.games.cambio.table import card_of, said

HAND = 4
LOOKED_AT = (2, 3)
"""The bottom row, which each seat sees once (C3)."""
BONUS = 5


def setup(table: TableSetup[CambioOptions], rng: Rng) -> State:
    if len(the_deck().cards) < table.seats * HAND:
        raise IllegalMove("C2", "This deck is too small for so many seats.")
    state = State(
        options=table.options,
        seats=table.seats,
        phase="look",
        round=0,
        dealer=Seat(rng.below(table.seats)),  # C1
        turn=None,
        turn_clock=0,
        table=(),
        main=(),
        totals=(0,) * table.seats,
        by_hand=table.follows(2),
    )
    return deal(state, rng)


def deal(state: State, rng: Rng) -> State:
    """C1, C2: four cards to each seat out of all 76; the rest is the main pile."""
    chance = rng.hand(state.round + 1) if state.by_hand and state.round else rng
    cards = chance.shuffled(the_deck().ids())
    rows, serial = [], state.serial
    for seat in range(state.seats):
        hand = cards[seat * HAND : (seat + 1) * HAND]
        rows.append(tuple(Slot(serial + 1 + n, card) for n, card in enumerate(hand)))
        serial += HAND
    state = replace(
        state,
        phase="look",
        round=state.round + 1,
        turn=None,
        table=tuple(rows),
        main=cards[state.seats * HAND :],
        discard=(),
        frozen=False,
        ready=(False,) * state.seats,
        caller=None,
        awake=False,
        serial=serial,
    )
    return said(
        state,
        "dealt",
        state.dealer,
        f"{{{state.dealer}}} dealt round {state.round}. Everybody may look at the bottom two cards.",
        round=state.round,
    )


def ready(state: State, seat: Seat, rng: Rng) -> State:
    if state.phase not in {"look", "scored"} or state.ready[seat]:
        raise IllegalMove("C3", "Nobody is waiting for you to be ready.")
    state = replace(state, ready=(*state.ready[:seat], True, *state.ready[seat + 1 :]))
    state = said(state, "ready", seat, f"{{{seat}}} is ready.")
    return go_on(state, rng) if all(state.ready) else state


def go_on(state: State, rng: Rng) -> State:
    """Everybody is ready or the time is over: start the first turn or the next deal."""
    if state.phase == "look":
        state = replace(
            state,
            phase="turn",
            turn=state.dealer,  # C4
            turn_clock=state.serial + 1,
            serial=state.serial + 1,
            ready=(),
        )
        return said(state, "began", state.dealer, f"{{{state.dealer}}} has the first turn.")
    assert state.phase == "scored"
    return deal(replace(state, dealer=clockwise(state.dealer, state.seats)), rng)  # C1


def end_round(state: State, why: str, text: str) -> State:
    """C27: all cards are turned up and counted; C28: perhaps the game has ended, too."""
    sums = points(state)
    scored = list(sums)
    if state.caller is not None:
        scored[state.caller] += -BONUS if sums[state.caller] == min(sums) else BONUS
    totals = tuple(total + points for total, points in zip(state.totals, scored, strict=True))
    over = max(totals) >= state.options.target_points  # C28
    state = replace(
        state,
        phase="over" if over else "scored",
        turn=None,
        frozen=False,
        drawn=None,
        action=None,
        race=None,
        gifts=(),
        shows=(),
        ready=() if over else (False,) * state.seats,
        totals=totals,
        sheet=(*state.sheet, tuple(scored)),
    )
    state = said(state, "round_ended", None, text, why=why, sums=list(sums), scored=scored)
    if over:
        return said(state, "game_ended", None, _why(state), winners=list(_winners(state)))
    return state


def points(state: State) -> tuple[int, ...]:
    """The points of the cards in front of each seat."""
    return tuple(
        sum(card_of(slot.card).value for slot in state.table[seat] if slot.card is not None)
        for seat in all_seats(state.seats)
    )


def scores(state: State) -> tuple[int, ...]:
    """The points of all rounds counted so far. Fewer are better."""
    return state.totals


def outcome(state: State) -> Outcome | None:
    """C28: the fewest points win; equal totals share the win."""
    return Outcome(_winners(state), _why(state)) if state.phase == "over" else None


def _winners(state: State) -> tuple[Seat, ...]:
    fewest = min(state.totals)
    return tuple(seat for seat in all_seats(state.seats) if state.totals[seat] == fewest)


def _why(state: State) -> str:
    return f"A total has reached {state.options.target_points} points; the fewest points win (C28)."
