"""The end: an empty market, points, ties, and scissors, stone, paper."""

from collections.abc import Callable

from photofinish.engine import IllegalMove, Rng, Seat, all_seats, replace
from photofinish.games.rune_market import holdings as own
from photofinish.games.rune_market.deck import number, part
from photofinish.games.rune_market.moves import Sign
from photofinish.games.rune_market.state import State, Throwing, put, say

BEATS = {Sign.SCISSORS: Sign.PAPER, Sign.STONE: Sign.SCISSORS, Sign.PAPER: Sign.STONE}


def scores(state: State) -> tuple[int, ...]:
    return tuple(map(own.points, state.holdings))


def sold_out(state: State) -> State:
    """The game ends at once when the market has neither red nor blue runes (R37)."""
    if state.market.red or state.market.blue:
        return state
    return finish(say(state, "sold_out", None, "The last rune has left the market."))


def finish(state: State) -> State:
    """Pending decisions lapse (R37); the points are counted (R38, R39)."""
    if state.duel is not None:
        state = replace(state, discard=(*state.discard, state.duel.card), duel=None)
    state = replace(state, theft=None, shown=(), due_red=0, due_blue=0)
    left, why = _best(all_seats(state.seats), lambda seat: own.points(state.holdings[seat])), "most points"
    if len(left) > 1:
        left, why = _best(left, lambda seat: own.boat_count(state.holdings[seat])), "more boats"
    if len(left) > 1:
        left, why = _best(left, lambda seat: -own.bandit_count(state.holdings[seat])), "fewer bandits"
    if len(left) > 1:
        state = replace(state, open_hands=left)
        left, why = _best(left, lambda seat: _highest(state, seat)), "the highest number card in hand"
    if len(left) == 1:
        return _won(state, left, why)
    nothing = (None,) * state.seats
    return say(
        replace(state, throwing=Throwing(left, (0,) * state.seats, nothing)),
        "tie",
        None,
        "A tie: scissors, stone, paper.",
        tied=list(left),
    )


def _best(seats: tuple[Seat, ...], worth: Callable[[Seat], int]) -> tuple[Seat, ...]:
    most = max(map(worth, seats))
    return tuple(seat for seat in seats if worth(seat) == most)


def _highest(state: State, seat: Seat) -> int:
    return max((number(card) for card in state.hands[seat] if part(card) == "number"), default=0)


def _won(state: State, winners: tuple[Seat, ...], why: str) -> State:
    state = replace(state, winners=winners, why=why)
    return say(state, "game_over", None, f"The game is over: {why}.", winners=list(winners))


# Scissors, stone, paper


def throw(state: State, seat: Seat, sign: Sign) -> State:
    throwing = state.throwing
    assert throwing is not None
    if seat not in throwing.tied:
        raise IllegalMove("R40", "Only the tied seats throw.")
    if throwing.signs[seat] is not None:
        raise IllegalMove("R40", "You have thrown already.")
    signs = put(throwing.signs, seat, sign)
    state = replace(state, throwing=replace(throwing, signs=signs))
    state = say(state, "threw", seat, f"{{{seat}}} has thrown.")
    if any(signs[it] is None for it in throwing.tied):
        return state
    return _reveal(state)


def throw_blindly(state: State, seat: Seat, rng: Rng) -> State:
    return throw(state, seat, rng.pick(tuple(Sign)))


def _reveal(state: State) -> State:
    it = state.throwing
    assert it is not None
    signs, points = it.signs, list(it.points)
    state = say(state, "throw", None, "The signs are shown.", signs=list(signs))
    there = {sign for sign in signs if sign is not None}
    if len(there) == 2:  # R40: a throw counts only in this case
        (winning,) = (sign for sign in there if BEATS[sign] in there)
        for seat in it.tied:
            points[seat] += signs[seat] == winning
    nothing = (None,) * state.seats
    it = Throwing(it.tied, tuple(points), nothing, it.throws + 1, signs)
    done = tuple(seat for seat in it.tied if points[seat] >= 2)
    if len(done) == 1:
        return _won(replace(state, throwing=it), done, "scissors, stone, paper")
    if done:  # several seats win the throw: they throw again, the others are out
        it = replace(it, tied=done, points=(0,) * state.seats)
    state = replace(state, throwing=it)
    if it.throws >= state.options.max_throws:
        return _won(state, it.tied, "still tied after the last throw")  # R41
    return state
