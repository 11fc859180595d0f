"""A stall at the market: builds positions of The Rune Market and plays moves through the rules."""

import msgspec
import pytest

from photofinish.engine import Act, Expired, IllegalMove, Rng, Seat
from photofinish.engine.convert import move
from photofinish.games.rune_market import GAME
from photofinish.games.rune_market.deck import hand_cards
from photofinish.games.rune_market.holdings import Boat, Holding, Main
from photofinish.games.rune_market.state import Market, Setting, State

N, E, S, W, X = (Seat(seat) for seat in range(5))

RED = [f"red_king_{n}" for n in range(1, 6)]
BLUE = [f"blue_king_{n}" for n in range(1, 6)]
THIEF = [f"swap_{n}" for n in range(1, 7)]


def num(number, copy=1):
    return f"y{number}_{copy}"


QUIET = (
    *(tuple(num(number, copy) for number in (1, 2, 3)) for copy in (1, 2, 3)),
    (THIEF[5], RED[4], BLUE[4]),
)


def red(runes=0, *, boat=False, bandit=None):
    return Main(RED[0], runes, boat=boat, bandit=bandit)


def blue(runes=0, *, boat=False, bandit=None):
    return Main(BLUE[0], runes, boat=boat, bandit=bandit)


def own(**parts):
    return Holding(**parts)


def market(
    *hands, holdings=(), piles=(10, 10, 5, 5), main=None, options=None, turn=N, discard=(), **more
) -> State:
    """A position in north's turn, with nothing due and nothing played. Hands not given are quiet."""
    seats = max(2, len(hands), len(holdings))
    hands = (*map(tuple, hands), *QUIET)[:seats]
    held = (*holdings, *(Holding() for _ in range(seats)))[:seats]
    used = {card for hand in hands for card in hand} | {*discard}
    used |= {it.card for holding in held for it in (holding.red, holding.blue) if it}
    return State(
        Setting(**(options or {})),
        hands=hands,
        main=tuple(card for card in hand_cards() if card not in used) if main is None else tuple(main),
        market=Market(*piles),
        holdings=held,
        turn=turn,
        discard=tuple(discard),
        **more,
    )


def play(state, seat, name, /, *, seed=b"stall", **fields):
    return GAME.apply(state, Act(seat, move(GAME, {"t": name, **fields})), Rng(seed, 1))


def wait(state, key, *, seed=b"stall"):
    return GAME.apply(state, Expired(key), Rng(seed, 1))


def refused(state, seat, name, /, **fields) -> str:
    """The clause that refuses this move."""
    before = msgspec.msgpack.encode(state)
    with pytest.raises(IllegalMove) as refusal:
        play(state, seat, name, **fields)
    assert msgspec.msgpack.encode(state) == before
    assert refusal.value.text.endswith(".")
    return refusal.value.clause


def next_turn(state):
    """North plays its leftmost number card in a duel, is given up to, declines, and ends its turn."""
    state = play(state, N, "duel", card=state.hands[N][0], seat=E)
    if state.duel is not None:
        state = play(state, E, "give_up")
    if state.theft is not None:
        state = play(state, N, "decline")
    return play(state, N, "end_turn")


def keys(state):
    return [timer.key for timer in GAME.timers(state)]


def whats(state):
    return [it.what for it in state.last]


def offered(state, seat):
    return {offer.move for offer in GAME.offers(state, seat)}


__all__ = [
    "BLUE", "GAME", "QUIET", "RED", "THIEF", "Boat", "E", "Holding", "Main", "N", "S", "W", "X", "blue", "keys",
    "market", "next_turn", "num", "offered", "own", "play", "red", "refused", "wait", "whats",
]  # fmt: skip
