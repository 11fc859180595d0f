"""Alaska A30–A34: the bear out of turn."""

import msgspec
import pytest

from photofinish.engine import Rng, replace
from photofinish.engine.offers import admits
from photofinish.games.alaska import GAME
from photofinish.games.alaska.state import Snatch
from tests.games.alaska.bank import (
    BEAR,
    EAGLE,
    LOCAL,
    SALMON,
    E,
    N,
    S,
    W,
    cast,
    caught_by_north,
    keys,
    let_go,
    play,
    refused,
    river,
    wait,
    whats,
)

BEAR_EAST = (BEAR[0], cast(6), cast(7), cast(8))
BEAR_SOUTH = (BEAR[1], cast(6, 2), cast(7, 2), cast(8, 2))
NO_BEAR = (cast(6, 3), cast(7, 3), cast(8, 3), cast(9, 3))
LET_GO = {"t": "let_go"}


def sees(state, viewer):
    """Everything that this viewer gets: view, offers, clocks and race."""
    offers = GAME.offers(state, viewer) if viewer is not None else ()
    race = GAME.race(state)
    return (
        msgspec.msgpack.encode((GAME.view(state, viewer), offers)),
        GAME.timers(state),
        (race.key, race.seats, race.contested) if race else None,
    )


def test_A30_a_snatched_salmon_belongs_to_nobody():
    state = play(caught_by_north(BEAR_EAST), E, "snatch", card=BEAR[0])

    assert state.caught == ((), ())
    assert state.discard[-2:] == (SALMON[0], BEAR[0])
    assert state.catch is None
    assert state.turn == N
    assert whats(state) == ["snatched"]


def test_A30_the_race_is_open_to_all_seats_but_the_catcher():
    state = caught_by_north(BEAR_EAST, NO_BEAR)
    race = GAME.race(state)

    assert race.seats == (E, S)
    assert Snatch in race.contested
    assert race.opener == N
    assert GAME.offers(state, N) == ()
    assert refused(state, N, "snatch", card=cast(1)) == "A30"


def test_A30_only_a_bear_of_the_own_hand_snatches():
    state = caught_by_north(BEAR_EAST, NO_BEAR)

    assert refused(state, E, "snatch", card=cast(6)) == "A30"
    assert refused(state, S, "snatch", card=BEAR[0]) == "A30"
    assert not admits(GAME.offers(state, S), {"t": "snatch", "card": BEAR[0]})


def test_A31_the_first_snatch_counts_and_a_later_one_keeps_its_bear():
    state = play(caught_by_north(BEAR_EAST, BEAR_SOUTH), S, "snatch", card=BEAR[1])

    assert refused(state, E, "snatch", card=BEAR[0]) == "A31"
    assert BEAR[0] in state.hands[E]
    assert "snatch" not in [offer.move for offer in GAME.offers(state, E)]


def test_A32_the_catchers_turn_stands_still_while_the_race_is_open():
    state = caught_by_north(BEAR_EAST)

    assert refused(state, N, "cast", cards=[cast(1)]) == "A32"
    assert refused(state, N, "end_turn") == "A32"
    assert refused(state, E, "place", gap=1) == "A32"
    (turn,) = [timer for timer in GAME.timers(state) if timer.key.startswith("turn")]
    assert not turn.running


def test_A32_the_race_closes_when_every_other_seat_has_let_go():
    state = caught_by_north(BEAR_EAST, BEAR_SOUTH, NO_BEAR)
    state = let_go(state, S, W)
    assert state.catch is not None

    state = let_go(state, E)
    assert state.catch is None
    assert state.caught[N] == (SALMON[0],)
    assert whats(state) == ["kept"]


def test_A32_a_seat_that_has_let_go_cannot_snatch_in_that_race():
    state = let_go(caught_by_north(BEAR_EAST, NO_BEAR), E)

    assert GAME.offers(state, E) == ()
    assert refused(state, E, "snatch", card=BEAR[0]) == "A32"
    assert refused(state, E, "let_go") == "A32"
    assert GAME.view(state, E).you_let_go


def test_A32_letting_go_is_seen_by_nobody_else():
    before = caught_by_north(BEAR_EAST, BEAR_SOUTH, NO_BEAR)
    after = let_go(before, S)
    missed = wait(before, "bear:1:2")

    after_events = replace(before, last=())
    for viewer in (N, E, W, None):
        assert sees(after, viewer) == sees(after_events, viewer) == sees(missed, viewer)
        assert GAME.view(after, viewer).last == ()  # repeating the catch would reveal that somebody let go
    assert sees(after, S) != sees(after_events, S)
    assert [it.what for it in GAME.view(after, S).last] == ["let_go"]


def test_A32_a_seat_that_has_let_go_gets_no_second_event_when_another_lets_go():
    state = let_go(caught_by_north(BEAR_EAST, BEAR_SOUTH, NO_BEAR), S, E)

    assert state.catch is not None
    assert [it.what for it in GAME.view(state, E).last] == ["let_go"]
    assert GAME.view(state, S).last == ()


@pytest.mark.parametrize("viewer", [N, S, W, None])
def test_A32_the_wait_does_not_show_which_seat_holds_a_bear(viewer):
    with_bear = caught_by_north(BEAR_EAST, NO_BEAR, (cast(10, 1), cast(10, 2), cast(10, 3), EAGLE[0]))
    without = caught_by_north(
        (cast(9), *BEAR_EAST[1:]), NO_BEAR, (cast(10, 1), cast(10, 2), cast(10, 3), EAGLE[0])
    )

    assert sees(with_bear, viewer) == sees(without, viewer)
    assert admits(GAME.offers(with_bear, E), LET_GO)
    assert admits(GAME.offers(without, E), LET_GO)


def test_A32_each_other_seat_has_a_let_go_clock_of_its_own_until_the_race_closes():
    state = caught_by_north(BEAR_EAST, NO_BEAR, options={"bear_ms": 2500})
    clocks = [timer for timer in GAME.timers(state) if timer.ends_race]

    assert [(timer.seat, timer.after) for timer in clocks] == [(E, 2500), (S, 2500)]
    state = let_go(state, E)
    assert keys(state) == ["turn:0", "bear:1:1", "bear:1:2"]
    assert wait(state, "bear:1:1") == replace(state, last=())  # it had let go already: nothing happens
    state = wait(state, "bear:1:2")
    assert state.catch is None
    assert keys(state) == ["turn:0"]


def test_A32_a_snatch_after_the_close_is_refused_unseen():
    state = wait(caught_by_north(BEAR_EAST), "bear:1:1")

    assert refused(state, E, "snatch", card=BEAR[0]) == "A31"
    assert refused(state, E, "let_go") == "A32"
    assert BEAR[0] in state.hands[E]


def test_A32_a_seat_cannot_tell_from_the_catch_who_else_has_let_go():
    state = let_go(caught_by_north(BEAR_EAST, BEAR_SOUTH, NO_BEAR), S)
    others = {GAME.resample(state, E, Rng(b"%d" % n, 0)).catch.let_go for n in range(60)}

    assert others == {(), (S,), (W,), (S, W)}  # east has not let go, so all others may have


def test_A33_a_seat_that_snatched_draws_only_at_the_end_of_its_own_turn():
    state = play(caught_by_north(BEAR_EAST), E, "snatch", card=BEAR[0])
    assert len(state.hands[E]) == 3

    for number in (1, 2):
        state = play(state, N, "cast", cards=[cast(number)])
    state = play(state, N, "end_turn")
    assert len(state.hands[E]) == 3
    assert refused(state, E, "end_turn") == "A9"
    state = play(state, E, "cast", cards=[cast(6)])
    state = play(state, E, "cast", cards=[cast(7)])
    state = play(state, E, "end_turn")
    assert "drew" in [it.what for it in state.last if it.seat == E and it.detail == {"cards": 3}]


def test_A34_a_salmon_that_outlived_its_race_is_safe_but_for_a_local():
    state = let_go(caught_by_north(BEAR_EAST, anglers={2: LOCAL[0]}), E)

    assert refused(state, E, "snatch", card=BEAR[0]) == "A31"
    state = play(state, N, "cast", cards=[cast(2)])
    assert state.caught[N] == ()


def test_A34_one_bear_answers_one_catch_and_is_not_answered():
    hand = (cast(5), cast(1), cast(2), cast(3))
    two_bears = (BEAR[0], BEAR[2], cast(6), cast(7))
    state = river(hand, two_bears, BEAR_SOUTH, gaps={5: SALMON[:1], 1: SALMON[1:2]})
    state = play(play(state, N, "cast", cards=[cast(5)]), E, "snatch", card=BEAR[0])
    assert GAME.race(state) is None

    state = play(state, N, "cast", cards=[cast(1)])
    assert GAME.race(state).key == "bear:2"
    state = let_go(state, S, E)
    assert state.caught[N] == (SALMON[1],)
