"""What ends a race: draws that must not come too soon, clocks, and the close itself."""

from tests.race.bench import EAST, NORTH, SOUTH, Bench, ms

LATE_ENOUGH = 5_000.0


def test_c22_no_draw_takes_effect_before_its_time() -> None:
    race = Bench({NORTH: 10, EAST: 40}).open(not_before=800)
    race.slap(NORTH, 300, kind="closer")

    assert race.seats(799) == []
    assert race.arbiter.wakes_at() is not None
    # A slap at 800 by East would be here 85 ms later.
    assert race.seats(800 + 40 + 2 + 43 + 0.001) == [NORTH]


def test_c22_no_draw_takes_effect_before_its_time_even_if_everybody_else_is_gone() -> None:
    race = Bench({NORTH: 10, EAST: 40}).open(not_before=800)
    race.arbiter.lost(EAST, ms(20))
    race.slap(NORTH, 300, kind="closer")
    assert race.seats(780) == []

    assert race.arbiter.wakes_at() == ms(800)
    assert race.seats(799.999) == []
    assert race.seats(800) == [NORTH]


def test_c22_a_slap_made_before_the_draws_time_goes_before_the_draw() -> None:
    race = Bench({NORTH: 10, EAST: 140}).open(not_before=800)
    race.slap(NORTH, 300, kind="closer")
    race.slap(EAST, 790)

    assert race.seats(LATE_ENOUGH) == [EAST, NORTH]


def test_c22_a_slap_made_after_the_draw_goes_after_it() -> None:
    race = Bench({NORTH: 140, EAST: 10}).open(not_before=200)
    race.slap(EAST, 420)
    race.slap(NORTH, 400, kind="closer")

    assert race.seats(LATE_ENOUGH) == [NORTH, EAST]


def test_c22_a_throw_restarts_the_time_before_the_draw() -> None:
    race = Bench({NORTH: 10, EAST: 40}).open(not_before=800)
    race.slap(NORTH, 300, kind="closer")
    race.slap(EAST, 780)
    assert race.next_release(850) is not None
    race.arbiter.thrown(ms(850))

    assert race.seats(1_649) == []
    assert race.seats(850 + 800 + 40 + 2 + 43 + 0.001) == [NORTH]


def test_a_draws_longest_wait_is_counted_from_its_time() -> None:
    race = Bench({NORTH: 10, EAST: 40}).open(not_before=800)
    race.slap(NORTH, 300, kind="closer")

    assert race.seats(1_199, stuck=[EAST]) == []
    assert race.seats(1_200, stuck=[EAST]) == [NORTH]


def test_a_held_draw_does_not_delay_a_later_slap_of_the_same_seat() -> None:
    race = Bench({NORTH: 10, EAST: 40}).open(not_before=800)
    race.slap(NORTH, 200, kind="closer")
    race.slap(NORTH, 400)
    first, second = race.released(LATE_ENOUGH)

    assert (first.evidence.kind, second.evidence.kind) == ("contested", "closer")
    assert not first.late
    assert not second.late


def test_a_swap_waits_behind_a_held_draw_of_the_same_seat() -> None:
    race = Bench({NORTH: 10, EAST: 40}).open(not_before=800)
    race.slap(NORTH, 200, kind="closer")
    race.slap(NORTH, 250, kind="other")
    assert race.seats(700) == []
    # The swap has been held for more than 400 ms, but the draw's time counts: the clock is not asked again and again.
    assert race.arbiter.wakes_at() == ms(885.001)

    assert [it.evidence.kind for it in race.released(LATE_ENOUGH)] == ["closer", "other"]


def test_a_release_is_due_at_the_wake_time_of_two_draws_held_until_the_same_moment() -> None:
    for number in range(8):
        race = Bench({NORTH: 10, EAST: 200}).open(f"race {number}", not_before=400)
        race.slap(NORTH, 120, kind="closer")
        race.slap(EAST, 110, kind="closer")
        assert race.next_release(400) is None
        wakes = race.arbiter.wakes_at()
        assert wakes is not None

        assert race.next_release(wakes / 1000) is not None


def test_a_draw_is_never_a_false_start() -> None:
    race = Bench({NORTH: 10, EAST: 40}).open()

    assert race.slap(NORTH, 20, kind="closer") is None


def test_a32_a_snatch_made_before_the_window_closed_counts_though_it_arrives_after() -> None:
    race = Bench({NORTH: 10, EAST: 300}).open()
    race.clock_runs_out(2_000)
    assert race.seats(2_250) == []
    race.slap(EAST, 1_990)

    assert race.seats(LATE_ENOUGH) == [EAST, None]


def test_a32_a_snatch_made_after_the_window_closed_comes_after_it() -> None:
    race = Bench({NORTH: 10, EAST: 300}).open()
    race.clock_runs_out(2_000)
    race.slap(NORTH, 2_010)

    assert race.seats(LATE_ENOUGH) == [None, NORTH]


def test_a_clock_that_is_handled_late_still_counts_from_its_due_time() -> None:
    race = Bench({NORTH: 10, EAST: 40}).open()
    race.clock_runs_out(2_000, at=2_030)
    race.slap(NORTH, 2_015)

    assert race.seats(LATE_ENOUGH) == [None, NORTH]


def test_a_seats_own_clock_waits_only_for_a_move_that_came_in_by_its_due_time() -> None:
    race = Bench({NORTH: 10, EAST: 300}).open()
    assert not race.arbiter.holds(NORTH, ms(LATE_ENOUGH))
    race.slap(NORTH, 300)
    assert race.arbiter.holds(NORTH, ms(LATE_ENOUGH))
    assert not race.arbiter.holds(NORTH, ms(299))
    assert not race.arbiter.holds(EAST, ms(LATE_ENOUGH))
    race.released(LATE_ENOUGH)

    assert not race.arbiter.holds(NORTH, ms(LATE_ENOUGH))


def test_c22_moves_that_are_still_held_at_the_close_go_back_to_the_room() -> None:
    race = Bench({NORTH: 10, EAST: 40, SOUTH: 300}).open(not_before=100)
    race.slap(NORTH, 300, kind="closer")
    race.slap(EAST, 320)
    race.slap(SOUTH, 310)
    assert race.next_release(LATE_ENOUGH) is not None
    closed = race.arbiter.close(ms(LATE_ENOUGH))

    assert [claim.seat for claim in closed.held] == [SOUTH, EAST]
    assert [it.seat for it in closed.record.held] == [EAST, SOUTH]
    assert not race.arbiter.is_open


def test_an_abandoned_race_gives_its_moves_back_and_can_be_opened_again_with_one_trigger_for_all() -> None:
    race = Bench({NORTH: 10, EAST: 140}).open()
    race.slap(NORTH, 300)
    standing = race.arbiter.standings[NORTH]

    assert [claim.seat for claim in race.arbiter.abandon()] == [NORTH]
    after = race.arbiter.standings[NORTH]
    assert (after.screen, after.unproven) == (standing.screen, standing.unproven)

    race.open("race", at=9_000)
    race.slap(EAST, 305)
    race.slap(NORTH, 310)

    assert race.seats(LATE_ENOUGH) == [EAST, NORTH]


def test_a_slap_that_answers_another_trigger_is_refused() -> None:
    race = Bench({NORTH: 10, EAST: 140}).open()
    void = race.slap(NORTH, 300, nonce="the last race")

    assert void is not None
    assert void.why == "wrong_nonce"
    assert race.seats(LATE_ENOUGH) == []
    assert race.arbiter.standings[NORTH].false_starts == 0
