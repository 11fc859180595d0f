"""What a claim is worth: bands, quotas, false starts, flags, and seats that come and go."""

import msgspec
import pytest

from photofinish.engine import Seat
from photofinish.race import Params, Path, Standing
from photofinish.race.params import newcomer
from tests.race.bench import EAST, NORTH, SOUTH, Bench, ms

LATE_ENOUGH = 5_000.0


def score(race: Bench) -> float:
    release = race.ask(LATE_ENOUGH)
    assert release is not None
    return release.evidence.score / 1000


def test_an_honest_claim_inside_the_band_is_believed() -> None:
    race = Bench({NORTH: 40}).open()
    race.slap(NORTH, 300, held_up=15)

    assert score(race) == 300
    assert race.arbiter.standings[NORTH].quota == ms(120)


def test_a_client_that_claims_nothing_is_taken_to_be_twelve_milliseconds_faster() -> None:
    race = Bench({NORTH: 40}).open()
    race.slap(NORTH, 300, held_up=15, silent=True)

    assert score(race) == 303


def test_a_retransmission_borrows_from_the_quota() -> None:
    race = Bench({NORTH: 40}).open()
    race.slap(NORTH, 300, held_up=70)

    assert score(race) == 300
    standing = race.arbiter.standings[NORTH]
    assert standing.quota == ms(120 - 50)
    race.arbiter.close(ms(LATE_ENOUGH))
    assert race.arbiter.standings[NORTH].quota == ms(120 - 50 + 6)


def test_no_race_lends_more_than_sixty_milliseconds_however_many_claims_are_made() -> None:
    race = Bench({NORTH: 40}).open()
    race.slap(NORTH, 300, held_up=70)
    race.slap(NORTH, 500, says=200)
    first, second = race.released(LATE_ENOUGH)

    assert first.evidence.give + second.evidence.give == ms(60)
    assert second.evidence.score == ms(500 - 20 - 10)


def test_lying_runs_dry_and_is_flagged_after_thirty_races() -> None:
    race = Bench({NORTH: 40})
    gained = []
    for number in range(40):
        race.open(f"race {number}", at=number * 10_000)
        race.slap(NORTH, 300, says=1)
        gained.append(300 - score(race))
        race.arbiter.close(ms(number * 10_000 + LATE_ENOUGH))

    assert gained[:4] == [80, 80, 32, 26]
    assert gained[28] == 26
    assert gained[29:] == [5] * 11
    assert race.arbiter.standings[NORTH].flagged
    assert race.arbiter.standings[NORTH].quota == 0


def test_a_flagged_seat_that_plays_honestly_is_cleared() -> None:
    params = Params()
    standing = Standing(ms(0), races=30, clamps=(1 << 30) - 1, flagged=True)
    for _ in range(14):
        standing = standing.after_race(params, clamped=False)
    assert standing.flagged
    standing = standing.after_race(params, clamped=False)

    assert not standing.flagged
    assert standing.quota == params.qgain


def test_a_quota_refills_slowly_and_not_without_end() -> None:
    standing = newcomer(Params())
    for _ in range(100):
        standing = standing.after_race(Params(), clamped=False)

    assert standing.quota == ms(240)
    assert not standing.flagged


def test_a_later_view_of_the_same_race_does_not_start_anybodys_time_anew() -> None:
    race = Bench({NORTH: 40}).open()
    race.arbiter.shown(NORTH, race.clock(NORTH, 200))
    race.slap(NORTH, 300)

    assert score(race) == 300


def test_races_a_seat_sat_out_do_not_count_in_its_history() -> None:
    standing = newcomer(Params()).after_race(Params(), clamped=None)

    assert standing.races == 0
    assert standing.quota == ms(126)


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


def test_nobody_scores_below_the_quickest_hand_there_is() -> None:
    race = Bench({NORTH: 40}).open()
    race.slap(NORTH, 105, says=1)

    assert score(race) == 100


def test_a_seat_that_drops_its_socket_is_not_waited_for_and_not_compensated() -> None:
    race = Bench({NORTH: 10, EAST: 140}).open()
    race.slap(NORTH, 310)
    race.arbiter.lost(EAST, ms(330))
    race.arbiter.back(EAST, ms(340))
    # A new socket, a new first view: it must not buy a fresh start.
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
    race.slap(NORTH, 300, held_up=100)
    standing = race.arbiter.standings[NORTH]

    # 440 ms after the trigger: 40 are the path, 20 free, 60 borrowed, and 20 nobody can vouch for.
    assert standing.given == ms(120)
    assert standing.uncompensated == ms(20)


def test_standings_survive_the_store_so_that_a_crash_refills_nothing() -> None:
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
def test_only_what_the_server_saw_itself_is_taken_off(path: Path, base: float) -> None:
    assert path.base(Params().cap) == ms(base)
