"""Alaska A35–A40, the clocks and who sees what."""

import pytest

from photofinish.engine import Rng, replace
from photofinish.games.alaska import GAME
from tests.games.alaska.bank import (
    BEAR,
    EAGLE,
    LOCAL,
    SALMON,
    TOURIST,
    E,
    N,
    S,
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


def test_A35_a_missed_turn_draws_four_cards_and_nothing_else():
    main = [cast(n, 3) for n in (1, 2, 3, 4, 5, 6, 7, 8)]
    state = river((cast(4), cast(2)), (cast(9),), anglers={4: TOURIST[0]}, main=main)
    state = play(state, N, "cast", cards=[cast(4)])
    assert state.hands[N] == ()

    state = play(state, E, "end_turn")
    assert state.turn == E  # north's turn came and went
    assert state.hands[N] == tuple(main[3:7])
    assert state.missing == (False, False)
    assert "missed_turn" in whats(state)


def test_A35_salmon_drawn_in_a_missed_turn_wait_for_the_turn_after():
    main = [cast(n, 3) for n in (1, 2, 3)] + SALMON[:1] + [cast(n, 3) for n in (4, 5, 6, 7, 8)]
    state = river((cast(4), cast(2)), (cast(9),), anglers={4: TOURIST[0]}, main=main)
    state = play(play(state, N, "cast", cards=[cast(4)]), E, "end_turn")

    assert SALMON[0] in state.hands[N]
    assert state.salmon == ()


def last_round(**more):
    """East has just drawn the last card, so south begins the last round."""
    state = river(
        (cast(1), cast(2)), (cast(9),), (cast(3), cast(4)), main=[cast(5), cast(6), cast(7)], turn=E, **more
    )
    return play(state, E, "end_turn")


def test_A36_each_seat_has_one_more_turn_ending_with_the_one_that_drew_the_last_card():
    state = last_round()
    assert (state.turn, state.main, state.turns_left) == (S, (), 3)
    assert "last_round" in whats(state)

    turns = [state.turn]
    while not state.over:
        state = play(state, state.turn, "cast", cards=[state.hand[0]])
        if state.turn != turns[-1]:
            turns.append(state.turn)
    assert turns == [S, N, E]


def test_A36_a_draw_that_finds_too_few_cards_takes_what_there_is():
    state = play(river((cast(1),), main=[cast(5)]), N, "end_turn")

    assert state.hands[N] == (cast(1), cast(5))
    assert state.turns_left == 2


def test_A36_a_missed_turn_may_draw_the_last_card():
    state = river((), (cast(9),), main=[cast(n, 2) for n in range(1, 7)], turn=E)
    state = play(replace(state, missing=(True, False)), E, "end_turn")

    assert state.hands[N] == tuple(cast(n, 2) for n in (4, 5, 6))
    assert (state.turn, state.turns_left) == (E, 2)


def test_A37_in_the_last_turn_all_cards_are_played_and_none_drawn():
    state = play(last_round(), S, "cast", cards=[cast(3)])

    assert len(state.hand) == 1
    assert refused(state, S, "end_turn") == "A37"
    assert "end_turn" not in [offer.move for offer in GAME.offers(state, S)]
    state = play(state, S, "cast", cards=[cast(4)])
    assert state.turn == N
    assert state.hands[S] == ()


def test_A38_a_seat_whose_missed_turn_falls_in_the_last_round_has_no_other():
    state = river((cast(4), cast(2)), (cast(9),), anglers={4: TOURIST[0]}, main=[cast(5), cast(6)])
    state = play(play(state, N, "cast", cards=[cast(4)]), E, "end_turn")

    # East drew the last card; north's one turn was the missed one; now east has the last.
    assert (state.turn, state.turns_left, state.hands[N]) == (E, 1, ())
    for card in state.hands[E]:
        state = play(state, E, "cast", cards=[card])
    assert state.over


def test_A39_before_its_last_turn_a_seat_can_snatch_and_after_it_has_no_cards():
    state = river(
        (cast(1), cast(2)),
        (BEAR[0],),
        (cast(3), cast(4)),
        gaps={3: SALMON[:1], 1: SALMON[1:2]},
        main=[cast(9)],
        turn=E,
    )
    state = play(state, E, "end_turn")
    state = play(state, S, "cast", cards=[cast(3)])
    state = play(state, E, "snatch", card=BEAR[0])
    assert state.caught[S] == ()

    state = play(state, S, "cast", cards=[cast(4)])
    state = play(state, N, "cast", cards=[cast(1)])
    assert [offer.move for offer in GAME.offers(state, S)] == ["let_go"]


@pytest.mark.parametrize(
    ("caught", "winners"),
    [([SALMON[:2], SALMON[2:3]], (N,)), ([SALMON[:1], SALMON[1:2]], (N, E)), (None, (N, E))],
)
def test_A40_most_salmon_win_and_equal_numbers_share(caught, winners):
    state = river((cast(1),), (), caught=caught, main=[], turns_left=1)
    assert GAME.outcome(state) is None
    state = play(state, N, "cast", cards=[cast(1)])

    assert GAME.outcome(state).winners == winners == GAME.view(state, None).winners
    assert GAME.scores(state) == tuple(map(len, state.caught))
    assert GAME.timers(state) == ()
    assert GAME.offers(state, N) == GAME.offers(state, E) == ()
    assert refused(state, N, "end_turn") == "A40"


# Clocks


def test_when_the_turn_clock_runs_out_the_hand_is_played_from_the_left_until_one_card_remains():
    hand = (cast(6), TOURIST[0], EAGLE[0], BEAR[0])
    state = river(hand, anglers={1: LOCAL[0], 3: TOURIST[1]}, main=[cast(n, 3) for n in range(1, 9)])
    state = wait(state, "turn:0")

    # The cast finds nothing, the tourist chases the lowest local, the eagle the lowest angler left.
    assert state.anglers == (None,) * 10
    assert state.hands[N][0] == BEAR[0]
    assert state.turn == E
    assert whats(state)[:4] == ["time_over", "cast", "chased_local", "eagle_chased"]


def test_when_the_turn_clock_runs_out_the_lower_gap_and_the_lowest_salmon_are_taken():
    state = river((cast(1), EAGLE[0], cast(9)), gaps={10: SALMON[:1], 1: SALMON[1:2]})
    state = wait(state, "turn:0")
    assert state.caught[N] == (SALMON[1],)
    assert GAME.race(state) is not None
    assert "turn:0" not in keys(state)

    state = let_go(state, E)  # the hand plays on by itself
    assert state.caught[N] == (SALMON[1], SALMON[0])
    state = wait(state, "bear:2:1")
    assert state.turn == E


def test_when_the_clock_of_a_last_turn_runs_out_the_whole_hand_is_played():
    state = wait(river((LOCAL[0], BEAR[0]), main=[], turns_left=2), "turn:0")

    assert state.hands[N] == ()
    assert state.turn == E


def test_a_late_placer_has_a_random_gap_chosen():
    state = play(river((cast(1),), (SALMON[0], SALMON[1], cast(4), cast(6))), N, "end_turn")
    (turn, place) = GAME.timers(state)
    assert (turn.running, place.seat, place.after) == (False, N, 20_000)

    gaps = {wait(state, place.key, seed=b"%d" % n).gaps.index((SALMON[0],)) for n in range(60)}
    assert gaps == set(range(10))
    assert keys(wait(state, place.key))[1] != place.key  # the next salmon has a clock of its own


def test_without_turn_seconds_there_is_no_turn_clock():
    state = river((cast(1), cast(2)), options={"turn_seconds": 0})

    assert [(it.after, it.seat) for it in GAME.timers(state)] == [(None, state.turn)]


# Who sees what


def test_nobody_sees_another_hand_nor_the_order_of_the_main_pile():
    state = caught_by_north((BEAR[0], cast(6), cast(7), cast(8)))
    for viewer in (E, None):
        text = str(GAME.view(state, viewer))
        assert not any(f"'{card}'" in text for card in (*state.hands[N], *state.main))
    assert GAME.view(state, None).hand == ()
    assert GAME.view(state, N).hand_sizes == (3, 4)
    assert not any(f"'{card}'" in str(GAME.view(state, N)) for card in state.hands[E])


def test_the_hand_lost_to_a_tourist_is_laid_open():
    state = river((cast(4), BEAR[0], cast(2)), anglers={4: TOURIST[0]})
    state = play(state, N, "cast", cards=[cast(4)])

    assert {card.id for card in GAME.view(state, E).discard} == {cast(4), TOURIST[0], BEAR[0], cast(2)}


def test_a_resampled_hand_in_its_own_turn_holds_neither_salmon_nor_flow():
    state = river((cast(1), cast(2), cast(3)))
    seen = set()
    for n in range(40):
        other = GAME.resample(state, E, Rng(b"%d" % n, 0))
        seen |= {*other.hands[N]}
        assert not any(card.startswith(("energy", "swap")) for card in other.hands[N])
    assert len(seen) > 20
