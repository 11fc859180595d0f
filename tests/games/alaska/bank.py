"""The river bank: builds positions of Alaska and plays moves through the rules."""

import msgspec
import pytest

from photofinish.engine import Act, Expired, IllegalMove, Rng, Seat, replace
from photofinish.engine.convert import move
from photofinish.games.alaska import GAME
from photofinish.games.alaska.deck import playing_cards
from photofinish.games.alaska.state import Catch, Setting, State

N, E, S, W = (Seat(seat) for seat in range(4))

SALMON = [f"energy_{n}" for n in range(1, 11)]
FLOW = [f"swap_{n}" for n in range(1, 7)]
TOURIST = [f"red_king_{n}" for n in range(1, 6)]
LOCAL = [f"blue_king_{n}" for n in range(1, 6)]
EAGLE = [f"peek_mine_{n}" for n in range(1, 6)]
BEAR = [f"peek_yours_{n}" for n in range(1, 6)]


def cast(number, copy=1):
    return f"y{number}_{copy}"


# Three hands without an effect: no salmon, no flow card, no bear.
QUIET = tuple(tuple(cast(number, copy) for number in (7, 8, 9, 10)) for copy in (1, 2, 3))


def river(*hands, gaps=None, anglers=None, caught=None, main=None, options=None, turn=N, **more) -> State:
    """A position in the play step of north's turn. Hands not given hold nothing of interest."""
    gaps, anglers = gaps or {}, anglers or {}
    seats = max(2, len(hands))
    hands = (*map(tuple, hands), *QUIET)[:seats]
    caught = tuple(map(tuple, caught)) if caught else ((),) * seats
    used = {card for row in (*hands, *gaps.values(), *caught, tuple(anglers.values())) for card in row}
    rest = tuple(card for card in playing_cards() if card not in used)
    return State(
        Setting(**(options or {})),
        hands=hands,
        main=rest if main is None else tuple(main),
        turn=turn,
        missing=(False,) * seats,
        caught=caught,
        gaps=tuple(tuple(gaps.get(gap, ())) for gap in range(1, 11)),
        anglers=tuple(anglers.get(section) for section in range(1, 11)),
        **more,
    )


def play(state, seat, name, *, seed=b"bank", **fields):
    return GAME.apply(state, Act(seat, move(GAME, {"t": name, **fields})), Rng(seed, 1))


def wait(state, key, *, seed=b"bank"):
    return GAME.apply(state, Expired(key), Rng(seed, 1))


def refused(state, seat, name, **fields) -> str:
    """The clause with which this move is refused. The move must not be in anybody's offers."""
    before = msgspec.msgpack.encode(state)
    with pytest.raises(IllegalMove) as refusal:
        play(state, seat, name, **fields)
    assert msgspec.msgpack.encode(state) == before
    assert refusal.value.text.endswith(".")
    return refusal.value.clause


def let_go(state, *seats):
    for seat in seats:
        state = play(state, seat, "let_go")
    return state


def caught_by_north(*others, **more) -> State:
    """North has just caught the salmon of gap 5, and the race for it is open."""
    hand = more.pop("hand", (cast(5), cast(1), cast(2), cast(3)))
    state: State = play(river(hand, *others, gaps={5: SALMON[:1]}, **more), N, "cast", cards=[cast(5)])
    assert isinstance(state.catch, Catch)
    return state


def keys(state):
    return [timer.key for timer in GAME.timers(state)]


def whats(state):
    return [it.what for it in state.last]


def with_hand(state, seat, *cards):
    hands = tuple(cards if it == seat else hand for it, hand in enumerate(state.hands))
    return replace(state, hands=hands)
