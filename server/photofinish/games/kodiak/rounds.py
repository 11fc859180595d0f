"""The deal, the end of a round and of the game, and the points."""

from photofinish.engine import IllegalMove, Outcome, Rng, Seat, TableSetup, all_seats, clockwise, replace
from photofinish.engine.decks.cards import the_deck
from photofinish.games.kodiak.faces import face_of, is_hairball
from photofinish.games.kodiak.moves import KodiakOptions
from photofinish.games.kodiak.state import RoundResult, Slot, State, filled, name, tell

CARDS_EACH = 3
CATCH = 5
HAIRBALL_DISCARDED = 5


def setup(table: TableSetup[KodiakOptions], rng: Rng) -> State:
    if not 2 <= table.seats <= 6:
        raise IllegalMove("K1", "Kodiak is a game for two to six.")
    kodiak = rng.pick(all_seats(table.seats))  # K1
    nobody = State(
        options=table.options,
        phase="look",
        round=0,
        kodiak=kodiak,
        turn=kodiak,
        table=((),) * table.seats,
        main=(),
        discard=(),
        ready=(),
        totals=(0,) * table.seats,
        hairballs=(),
        by_hand=table.follows(2),
    )
    return _deal(nobody, rng)


def end_round(state: State, why: str, rng: Rng) -> State:
    """Turn up and count all cards, then deal the next round or end the game (K24–K26)."""
    points = _points(state)
    totals = tuple(total + more for total, more in zip(state.totals, points, strict=True))
    left = tuple(tuple(face_of(slot.card) for slot in row if slot.card is not None) for row in state.table)
    result = RoundResult(state.round, state.kodiak, why, left, state.catches, state.hairballs, points)
    state = tell(state, "round_ended", None, why, round=state.round, points=list(points))
    state = replace(state, totals=totals, result=result)
    if state.round + 1 < state.rounds:
        next_kodiak = clockwise(state.kodiak, len(state.table))  # K26: to the left
        return _deal(replace(state, round=state.round + 1, kodiak=next_kodiak), rng)
    back = (state.drawn,) if state.drawn else ()  # a drawn card that was not exchanged belongs to no seat
    over = replace(_cleared(state), phase="over", table=_all_up(state), main=(*state.main, *back))
    text = "Every seat has been Kodiak equally often: the game is over."
    return tell(over, "game_ended", None, text)


def seat_without_cards(state: State) -> Seat | None:
    """A seat that has no table card left, unless Kodiak can still grab what it threw (K24)."""
    for seat in state.seats:
        saved = state.race is not None and state.race.window and state.race.winner == seat
        if not filled(state, seat) and not saved:
            return seat
    return None


def outcome(state: State) -> Outcome | None:
    if state.phase != "over":
        return None
    fewest = min(state.totals)
    # K26: fewest points wins; equal totals share the win.
    winners = tuple(seat for seat in state.seats if state.totals[seat] == fewest)
    return Outcome(winners, f"Every seat was Kodiak equally often; fewest points in all: {fewest}.")


def scores(state: State) -> tuple[int, ...]:
    return state.totals


def _deal(state: State, rng: Rng) -> State:
    chance = rng.hand(state.round + 1) if state.by_hand and state.round else rng
    deck = chance.shuffled(the_deck().ids())  # K1: all 76
    count = len(state.table)
    rows = tuple(
        tuple(
            Slot(deck[seat * CARDS_EACH + n], state.marks + seat * CARDS_EACH + n + 1)
            for n in range(CARDS_EACH)
        )
        for seat in range(count)
    )
    state = replace(
        _cleared(state),
        phase="look",
        turn=state.kodiak,  # K3
        table=rows,
        main=deck[count * CARDS_EACH :],
        discard=(),
        ready=(False,) * count,
        hairballs=(0,) * count,
        catches=0,
        awake=False,
        turns=state.turns + 1,
        marks=state.marks + count * CARDS_EACH,
    )
    text = f"Three cards each. {name(state.kodiak)} is Kodiak."
    return tell(state, "dealt", state.kodiak, text, round=state.round)


def _cleared(state: State) -> State:
    """Nothing pending, nothing shown."""
    return replace(state, drawn=None, race=None, owed=(), ask=None, touched=(), peeks=(), shown=())


def _all_up(state: State) -> tuple[tuple[Slot, ...], ...]:
    return tuple(tuple(replace(slot, up=slot.card is not None) for slot in row) for row in state.table)


def _points(state: State) -> tuple[int, ...]:
    # K25
    points = []
    for seat in state.seats:
        total = HAIRBALL_DISCARDED * state.hairballs[seat]
        for slot in state.table[seat]:
            if slot.card is not None:
                left = state.options.hairball_left if is_hairball(slot.card) else face_of(slot.card).value
                total += left
        if seat == state.kodiak:
            total -= CATCH * state.catches
        points.append(total)
    return tuple(points)
