"""The score of a claim: screens, late lines, accounts, false starts, and seats that disconnect and come back."""

import msgspec
import pytest

from photofinish.engine import Micros, Seat
from photofinish.race import Params, Path, Standing
from photofinish.race.params import newcomer
from tests.race.bench import EAST, NORTH, SOUTH, Bench, ms

LATE_ENOUGH = 5_000.0


def score(race: Bench) -> float:
    release = race.next_release(LATE_ENOUGH)
    assert release is not None
    return release.evidence.score / 1000


def close(race: Bench) -> Standing:
    race.arbiter.close(ms(LATE_ENOUGH))
    return race.arbiter.standings[NORTH]


def test_an_honest_claim_is_credited_within_the_variation_of_screens_and_lines() -> None:
    race = Bench({NORTH: 40}).open()
    race.slap(NORTH, 300, held_up=15)

    assert score(race) == 300
    standing = close(race)
    # It seems to have a screen of 15 ms: the normaliser moves a 35th of the way, and forgets a 90th of that.
    assert standing.screen == Micros(9_600 + 5_400 // 35 - 5_400 // 35 // 90)


def test_a_client_that_claims_nothing_is_scored_with_the_common_screen() -> None:
    race = Bench({NORTH: 40}).open()
    race.slap(NORTH, 300, held_up=15, silent=True)

    assert score(race) == pytest.approx(300 + 15 - 9.6)


def test_a_line_that_the_kernel_saw_to_be_late_is_credited() -> None:
    race = Bench({NORTH: 40}).open()
    race.late(NORTH, 50)
    race.slap(NORTH, 300, held_up=50)

    # 50 ms late: 9.6 are the screen, 17 the usual swing, 23.4 are credited of 42 that are proven.
    assert score(race) == 300
    standing = close(race)
    assert standing.credited == ms(23.4)
    assert standing.unproven == ms(60)


def test_nothing_is_credited_that_the_kernel_does_not_prove() -> None:
    race = Bench({NORTH: 40}).open()
    race.late(NORTH, 0)
    race.slap(NORTH, 300, held_up=50)

    assert score(race) == pytest.approx(300 + 50 - 9.6 - 17)


def test_a_proven_delay_counts_from_eight_milliseconds_on() -> None:
    race = Bench({NORTH: 40}).open()
    race.late(NORTH, 20)
    race.slap(NORTH, 300, held_up=50)

    assert score(race) == pytest.approx(300 + 50 - 9.6 - 17 - 12)


def test_a_client_that_delays_every_ACK_gets_no_credit_for_it() -> None:
    race = Bench({NORTH: 40}).open()
    race.arbiter.path(NORTH, Path(ms(40), ms(40), ms(40), usual=ms(80), acked=ms(82)))
    race.slap(NORTH, 300, says=1)

    assert score(race) == pytest.approx(300 - 9.6 - 3.5 - 17 - 1.75)


def test_a_late_ACK_that_was_not_forced_is_credited_from_the_account_only() -> None:
    race = Bench({NORTH: 40})
    race.arbiter.path(NORTH, Path(ms(40), ms(40), ms(40), usual=ms(40), acked=ms(240), delayable=True))
    race.open()
    race.slap(NORTH, 300, held_up=200)

    assert score(race) == pytest.approx(300 + 200 - 9.6 - 17 - 60)
    assert close(race).unproven == ms(4)


def test_an_ACK_that_was_not_forced_is_still_needed_for_any_credit() -> None:
    race = Bench({NORTH: 40})
    race.arbiter.path(NORTH, Path(ms(40), ms(40), ms(40), usual=ms(40), acked=ms(53), delayable=True))
    race.open()
    race.slap(NORTH, 300, says=260)

    assert score(race) == pytest.approx(300 - 9.6 - 17 - 5)
    assert close(race).unproven == ms(59)


@pytest.mark.parametrize("is_forced", [True, False])
def test_a_late_ACK_pays_no_claim_that_asks_for_far_more_than_it_explains(is_forced: bool) -> None:
    def scored(says: float) -> float:
        race = Bench({NORTH: 40})
        late = Path(ms(40), ms(40), ms(40), usual=ms(40), acked=ms(90), delayable=not is_forced)
        race.arbiter.path(NORTH, late)
        race.open()
        race.slap(NORTH, 300, says=says)
        return score(race)

    # 42 ms are proven. A claim may ask for the usual swing of 17, for these 42, and for 34 more.
    assert scored(300 - 9.6 - 17 - 42 - 34) == pytest.approx(300 - 9.6 - 17 - 42)
    assert scored(300 - 9.6 - 17 - 42 - 34.1) == scored(1) == pytest.approx(300 - 9.6 - 17)


@pytest.mark.parametrize(
    ("path", "proof"),
    [
        (Path(ms(40), ms(40), acked=ms(0)), "full"),
        (Path(ms(40), ms(40), acked=ms(0), delayable=True), "partial"),
        (Path(ms(40), ms(40)), "none"),
        (Path(ms(1), ms(40), acked=ms(0), behind_proxy=True), "none"),
    ],
)
def test_a_path_contains_the_evidence_of_the_kernel(path: Path, proof: str) -> None:
    assert path.proof == proof


def test_the_usual_jitter_is_a_fifth_more_than_the_mean_of_the_lowest_14_of_16_ACKs() -> None:
    race = Bench({NORTH: 200}).open()
    race.arbiter.path(NORTH, Path(ms(200), ms(200), ms(200), usual=ms(202), acked=ms(0)))
    race.slap(NORTH, 300, silent=True)

    assert score(race) == pytest.approx(300 - 9.6 - 2 * 1.2)


def test_without_kernel_proof_an_account_gives_credit_and_refills_slowly() -> None:
    race = Bench({NORTH: 40})
    race.arbiter.path(NORTH, Path(ms(40), ms(40), ms(40), behind_proxy=True, acked=ms(300)))
    race.open()
    race.slap(NORTH, 300, held_up=90)

    assert score(race) == pytest.approx(300 + 90 - 9.6 - 17 - 60)
    assert close(race).unproven == ms(4)


def test_the_kernels_usual_jitter_is_subtracted_up_to_its_limit() -> None:
    race = Bench({NORTH: 40}).open()
    race.arbiter.path(NORTH, Path(ms(40), ms(40), ms(40), usual=ms(90), acked=ms(0)))
    race.slap(NORTH, 300, silent=True)

    assert score(race) == pytest.approx(300 - 9.6 - 1.5 - 2)


def test_each_claim_is_judged_alone_and_the_highest_grant_moves_the_normaliser() -> None:
    race = Bench({NORTH: 40}).open()
    race.slap(NORTH, 300)
    race.slap(NORTH, 500, says=1)
    race.slap(NORTH, 700)
    first, second, third = race.released(LATE_ENOUGH)

    assert (first.evidence.soft, second.evidence.soft, third.evidence.soft) == (ms(-9.6), ms(17), ms(-9.6))
    assert close(race).screen == Micros(9_600 + 17_000 // 35 - 17_000 // 35 // 90)


def test_the_band_of_a_move_does_not_depend_on_what_its_seat_did_before() -> None:
    bands = []
    for says in (None, 1, 400):
        race = Bench({NORTH: 40}).open()
        if says is not None:
            race.slap(NORTH, 290, says=says)
        race.slap(NORTH, 500)
        bands.append([(it.evidence.lo, it.evidence.hi) for it in race.released(LATE_ENOUGH)][-1])

    assert len(set(bands)) == 1


def test_claims_of_moves_that_are_not_contested_do_not_change_the_normaliser() -> None:
    race = Bench({NORTH: 40}).open()
    race.slap(NORTH, 300, says=400, kind="other")

    assert score(race) == pytest.approx(300 - 9.6)
    assert close(race).screen == ms(9.6)


MOST_IN_ALL = 73.5
"""What a liar is granted before its normaliser is at the limit, in ms; and a 90th of it more per race."""


@pytest.mark.parametrize("races", [30, 120])
def test_lying_gains_74_milliseconds_and_a_little_more_per_race(races: int) -> None:
    race = Bench({NORTH: 40})
    gained = []
    for number in range(races):
        race.open(f"race {number}", at=number * 10_000)
        race.slap(NORTH, 300, says=1)
        gained.append(300 - 9.6 - score(race))
        close(race)

    assert gained[:3] == pytest.approx([17, 17, 17])
    assert sum(gained) == pytest.approx(MOST_IN_ALL * (1 + races / 90), rel=0.05)
    assert max(gained[30:], default=0.0) <= 2


@pytest.mark.parametrize("bites", [2, 4, 12])
def test_a_player_who_claims_slow_times_first_gains_no_more_in_all(bites: int) -> None:
    race = Bench({NORTH: 40})
    gained = []
    for number in range(120):
        race.open(f"race {number}", at=number * 10_000)
        race.slap(NORTH, 300, says=1 if number % bites == bites - 1 else 330)
        gained.append(300 - 9.6 - score(race))
        close(race)

    assert sum(gained) <= MOST_IN_ALL * (1 + 120 / 90)


def test_a_normaliser_forgets_old_races() -> None:
    race = Bench({NORTH: 40}, standings={NORTH: Standing(Params().screen_most)})
    for number in range(300):
        race.open(f"race {number}", at=number * 10_000)
        race.slap(NORTH, 300, held_up=race.arbiter.standings[NORTH].screen / 1000)
        assert score(race) == pytest.approx(300 + (race.arbiter.standings[NORTH].screen - 9_600) / 1000)
        close(race)

    assert race.arbiter.standings[NORTH].screen == pytest.approx(9_600, abs=130)


def test_a_standing_of_another_rule_is_read_inside_the_limits_of_this_one() -> None:
    race = Bench({NORTH: 40}, standings={NORTH: Standing(ms(15), ms(500)), EAST: Standing(ms(5))})

    assert race.arbiter.standings == {
        NORTH: Standing(Params().screen_most, Params().unproven_most),
        EAST: Standing(Params().screen_least),
    }


def test_a_later_view_of_the_same_race_does_not_restart_the_time_of_any_seat() -> None:
    race = Bench({NORTH: 40}).open()
    race.arbiter.shown(NORTH, race.clock(NORTH, 200))
    race.slap(NORTH, 300)

    assert score(race) == 300


def test_races_that_a_seat_did_not_play_change_nothing() -> None:
    race = Bench({NORTH: 40}).open()

    assert close(race) == newcomer(Params())


def test_a_standing_stored_by_an_older_release_is_that_of_a_newcomer_with_its_ledger() -> None:
    old = {"quota": 90_000, "races": 3, "clamps": 5, "flagged": False, "false_starts": 2, "given": 7}
    standing = msgspec.convert(old, Standing)

    assert (standing.screen, standing.unproven) == (Params().screen, Params().unproven)
    assert (standing.false_starts, standing.given) == (2, 7)


def test_a_false_start_is_refused_without_penalty_and_the_next_score_is_late() -> None:
    race = Bench({NORTH: 40, EAST: 40}).open()
    void = race.slap(NORTH, 99)
    assert void is not None
    assert void.why == "false_start"
    race.slap(NORTH, 200)
    race.slap(EAST, 340)

    assert race.seats(LATE_ENOUGH) == [EAST, NORTH]
    assert race.arbiter.standings[NORTH].false_starts == 1


def test_the_opener_is_not_flagged_for_being_quick() -> None:
    race = Bench({NORTH: 40, EAST: 40}).open(opener=NORTH)

    assert race.slap(NORTH, 99) is not None
    assert race.arbiter.standings[NORTH].false_starts == 0


def test_no_score_is_below_the_fastest_human_reaction() -> None:
    race = Bench({NORTH: 40}).open()
    race.slap(NORTH, 105, says=1)

    assert score(race) == 100


def test_a_seat_that_drops_its_socket_is_not_waited_for_and_not_compensated() -> None:
    race = Bench({NORTH: 10, EAST: 140}).open()
    race.slap(NORTH, 310)
    race.arbiter.lost(EAST, ms(330))
    race.arbiter.back(EAST, ms(340))
    # A new socket gets a new first view: this must not restart the measurement of the reaction.
    race.arbiter.shown(EAST, race.clock(EAST, 340))
    assert race.seats(345) == [NORTH]
    race.slap(EAST, 290)

    (release,) = race.released(LATE_ENOUGH)
    assert release.evidence.away
    assert release.evidence.hi == ms(290 + 140)


def test_a_move_sent_before_the_socket_broke_keeps_its_score() -> None:
    race = Bench({NORTH: 10, EAST: 140, SOUTH: 300}).open()
    race.slap(EAST, 290)
    race.arbiter.lost(EAST, ms(440))
    race.slap(NORTH, 310)

    assert race.seats(LATE_ENOUGH) == [EAST, NORTH]


def test_a_seat_that_was_away_at_the_opening_is_scored_by_the_owners_clock() -> None:
    race = Bench({NORTH: 10, EAST: 140}).open(present=[NORTH])
    race.slap(NORTH, 310)
    assert race.seats(320) == [NORTH]
    race.slap(EAST, 290)

    (release,) = race.released(LATE_ENOUGH)
    assert release.evidence.base == 0
    assert release.evidence.react_us is None


def test_the_ledger_shows_time_given_and_time_refused() -> None:
    race = Bench({NORTH: 40}).open()
    race.slap(NORTH, 300, held_up=46.6)
    standing = race.arbiter.standings[NORTH]

    # 386.6 ms after the trigger: 40 are the path, 9.6 the screen, 17 the usual swing, 20 are not proven.
    assert standing.given == ms(66.6)
    assert standing.uncompensated == ms(20)


def test_standings_are_stored_so_that_a_crash_refills_no_account() -> None:
    race = Bench({NORTH: 40, EAST: 10}).open()
    race.slap(NORTH, 300, held_up=100)
    race.arbiter.close(ms(LATE_ENOUGH))
    raw = msgspec.msgpack.encode(race.arbiter.standings)
    stored = msgspec.msgpack.decode(raw, type=dict[Seat, Standing])

    assert stored == race.arbiter.standings
    assert Bench({NORTH: 40}, standings=stored).arbiter.standings == stored


@pytest.mark.parametrize(
    ("path", "base"),
    [
        (Path(), 0),
        (Path(ms(30), ms(40)), 30),
        (Path(ms(40), ms(30)), 30),
        (Path(None, ms(30)), 30),
        (Path(ms(1), ms(30), behind_proxy=True), 30),
        (Path(ms(1), None, behind_proxy=True), 0),
        (Path(ms(900), ms(800)), 350),
        (Path(ms(0), ms(0), ms(0)), 0),
    ],
)
def test_only_delays_that_the_server_measured_are_subtracted(path: Path, base: float) -> None:
    assert path.base(Params().cap) == ms(base)
