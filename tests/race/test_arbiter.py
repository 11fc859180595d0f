"""The arbiter releases moves in the order of the reactions, not of the arrivals."""

import pytest

from photofinish.race import Params
from photofinish.race.order import toss
from tests.race.bench import COIN, EAST, NORTH, SOUTH, WEST, Bench, ms

LATE_ENOUGH = 2_000.0


def test_the_faster_hand_beats_the_shorter_wire() -> None:
    race = Bench({NORTH: 10, EAST: 140}).open()
    race.slap(NORTH, 310)
    race.slap(EAST, 290)

    assert race.seats(LATE_ENOUGH) == [EAST, NORTH]


def test_a_slap_over_a_short_line_is_held_until_a_distant_player_could_have_answered() -> None:
    race = Bench({NORTH: 10, EAST: 140}).open()
    race.slap(NORTH, 310)

    # East's slap at 310 would be here at 310 + 140, and 43 ms are allowed for its jitter, 2 for a dead heat.
    assert race.seats(310 + 140 + 2 + 43) == []
    assert race.seats(310 + 140 + 2 + 43 + 0.001) == [NORTH]


def test_the_arbiter_returns_when_to_call_again_and_which_clock_it_waits_for() -> None:
    race = Bench({NORTH: 10, EAST: 140}).open()
    race.slap(NORTH, 310)
    assert race.next_release(320) is None

    wakes = race.arbiter.wakes_at()

    assert wakes == ms(495.001)
    assert race.arbiter.awaited_clocks() == {EAST: race.clock(EAST, 495.001)}
    assert race.seats(495.001) == [NORTH]
    assert race.arbiter.wakes_at() is None
    assert race.arbiter.awaited_clocks() == {}


def test_a_race_does_not_wait_for_a_seat_that_has_moved_with_a_higher_score() -> None:
    race = Bench({NORTH: 20, EAST: 40}).open()
    race.slap(NORTH, 310)
    race.slap(EAST, 313)

    assert race.seats(353) == [NORTH]


def test_a_seat_that_never_answers_holds_the_table_no_longer_than_hard() -> None:
    race = Bench({NORTH: 10, EAST: 40}).open()
    race.slap(NORTH, 300)

    assert race.seats(709.999, stuck=[EAST]) == []
    (release,) = race.released(710, stuck=[EAST])
    assert release.by == "hard"


def test_each_move_is_held_at_most_hard_and_lower_scores_go_before_it() -> None:
    race = Bench({NORTH: 10, EAST: 140, SOUTH: 20}).open()
    race.slap(NORTH, 320)
    race.slap(EAST, 300, held_up=40)
    # North has waited since 330. East came later but its hand was quicker: it must not follow North.
    assert race.seats(729, stuck=[SOUTH]) == []

    assert race.seats(730, stuck=[SOUTH]) == [EAST, NORTH]


def test_two_hands_within_two_milliseconds_are_a_dead_heat_drawn_by_the_committed_coin() -> None:
    seen = set()
    for number in range(20):
        key = f"race {number}"
        race = Bench({NORTH: 10, EAST: 140}).open(key)
        race.slap(NORTH, 300)
        race.slap(EAST, 301.9)
        first, second = race.released(LATE_ENOUGH)
        order = sorted((NORTH, EAST), key=lambda seat: toss(COIN, key, seat))
        assert [first.claim.seat, second.claim.seat] == order
        assert first.heat == tuple(order)
        assert not first.late
        assert not second.late
        seen.add(first.claim.seat)

    assert seen == {NORTH, EAST}


def test_a_hand_more_than_two_milliseconds_ahead_is_no_dead_heat() -> None:
    for number in range(20):
        race = Bench({NORTH: 10, EAST: 140}).open(f"race {number}")
        race.slap(NORTH, 302.1)
        race.slap(EAST, 300)
        releases = race.released(LATE_ENOUGH)

        assert [(it.claim.seat, it.heat) for it in releases] == [(EAST, ()), (NORTH, ())]


def test_one_seats_moves_keep_their_order_in_a_dead_heat() -> None:
    race = Bench({NORTH: 10, EAST: 10}).open()
    race.slap(NORTH, 300)
    race.slap(EAST, 300.5)
    race.slap(NORTH, 301)
    race.slap(EAST, 301.5)
    tickets = [release.claim.ticket for release in race.released(LATE_ENOUGH)]

    assert tickets in ([1, 3, 2, 4], [2, 4, 1, 3])


def test_a_chain_of_near_ties_does_not_let_a_slow_hand_go_first() -> None:
    """North, East and South are each within 2 ms of the next, but South is not within 2 ms of North."""
    for number in range(20):
        race = Bench({NORTH: 10, EAST: 10, SOUTH: 10}).open(f"race {number}")
        race.slap(NORTH, 300)
        race.slap(EAST, 301.5)
        race.slap(SOUTH, 303)

        assert race.seats(LATE_ENOUGH)[2] == SOUTH


def test_a_late_slap_is_marked_late_also_when_it_ties_with_one_still_held() -> None:
    race = Bench({NORTH: 10, EAST: 140, SOUTH: 140}).open()
    race.slap(NORTH, 310)
    assert race.seats(496) == [NORTH]
    race.late(EAST, 45)
    race.late(SOUTH, 45)
    race.slap(EAST, 300, held_up=45)
    race.slap(SOUTH, 300.5, held_up=45)

    assert [release.late for release in race.released(LATE_ENOUGH)] == [True, True]


def test_a_wrong_claim_of_the_fastest_seat_comes_before_the_right_claims_of_others() -> None:
    """C18, C20: the rules see East's wrong slap, then North's, then East's second slap."""
    race = Bench({NORTH: 10, EAST: 140}).open()
    race.slap(NORTH, 310)
    race.slap(EAST, 290)
    race.slap(EAST, 420)

    assert race.seats(LATE_ENOUGH) == [EAST, NORTH, EAST]


def test_a_second_slap_cannot_claim_to_be_earlier_than_the_first() -> None:
    race = Bench({NORTH: 10, EAST: 140}).open()
    race.slap(EAST, 320)
    race.slap(EAST, 330, says=1)
    first, second = race.released(LATE_ENOUGH)

    assert second.evidence.score >= first.evidence.score


def test_a_slap_that_scores_below_a_released_one_comes_next_and_is_marked_late() -> None:
    race = Bench({NORTH: 10, EAST: 140}).open()
    race.slap(NORTH, 310)
    assert race.seats(500) == [NORTH]
    race.late(EAST, 50)
    race.slap(EAST, 300, held_up=50)

    (release,) = race.released(LATE_ENOUGH)
    assert release.late
    assert release.evidence.late


def test_a_swap_does_not_overtake_a_slap_held_for_a_distant_player() -> None:
    """C16: the action runs beside the race, and is sorted with it."""
    race = Bench({NORTH: 10, EAST: 140, SOUTH: 300}).open()
    race.slap(EAST, 300)
    race.slap(NORTH, 450, kind="other")
    assert race.seats(465) == []

    assert race.seats(LATE_ENOUGH) == [EAST, NORTH]


def test_a_pounce_needs_no_trigger_and_may_be_quicker_than_any_hand() -> None:
    race = Bench({NORTH: 10, EAST: 20}).open()
    assert race.slap(NORTH, 40, kind="anytime", nonce="") is None

    assert race.seats(LATE_ENOUGH) == [NORTH]


def test_a_bot_in_the_server_is_waited_for_like_any_seat() -> None:
    race = Bench({NORTH: 40, SOUTH: 0}).open()
    race.slap(NORTH, 300)
    assert race.seats(340, stuck=[SOUTH]) == []
    race.slap(SOUTH, 290)

    assert race.seats(LATE_ENOUGH) == [SOUTH, NORTH]


def test_a_seat_that_the_race_did_not_name_is_scored_but_not_waited_for() -> None:
    """A30: the catcher is not in the race for its own salmon."""
    race = Bench({NORTH: 10, EAST: 20}).open()
    race.trips[WEST] = 300
    race.arbiter.shown(WEST, race.clock(WEST, 0))
    race.slap(NORTH, 300)
    race.slap(WEST, 280, kind="other")

    assert race.seats(LATE_ENOUGH) == [NORTH, WEST]


@pytest.mark.parametrize("seats", [2, 5, 8])
def test_a_distant_player_delays_the_others_by_at_most_the_longest_round_trip_and_its_jitter(
    seats: int,
) -> None:
    trips = {NORTH: 5.0, **{type(NORTH)(n): 900.0 for n in range(1, seats)}}
    race = Bench(trips, Params()).open()
    race.slap(NORTH, 200)

    # No more than CAP is taken off anybody, so no more than CAP is waited for.
    assert race.seats(200 + 350 + 60 + 2 + 0.001) == [NORTH]
