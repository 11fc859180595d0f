"""What is true in every race, whatever the seats do."""

from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from photofinish.engine import Micros, Seat
from photofinish.race import Arbiter, Claim, Params, Path, Release, recompute
from photofinish.race.order import hard_at, is_settled, sorted_by
from tests.race.bench import COIN

PARAMS = Params()
SEATS = tuple(Seat(n) for n in range(4))
KINDS = ("contested", "contested", "contested", "closer", "other", "anytime")

moves = st.fixed_dictionaries(
    {
        "do": st.sampled_from(("move", "move", "move", "move", "clock", "lost", "back", "release", "thrown")),
        "seat": st.sampled_from(SEATS),
        "kind": st.sampled_from(KINDS),
        "after": st.integers(0, 300_000),
        "react": st.none() | st.integers(-50_000, 1_500_000),
        "stray": st.integers(0, 9).map(lambda n: n == 0),
    }
)
tables = st.lists(st.integers(0, 400_000), min_size=4, max_size=4)


def path_of(trip: int, late: int | None) -> Path:
    """A path with or without the kernel's proof of a late line."""
    acked = None if late is None else Micros(trip + late)
    return Path(
        Micros(trip),
        Micros(trip + 500),
        Micros(trip + 9_000),
        usual=Micros(trip + 4_000),
        acked=acked,
        delayable=late is not None and late % 2 == 1,
    )


class Played:
    """A race with random events from hypothesis, on one clock that only moves forward."""

    def __init__(self, trips: list[int], late: int | None, steps: list[dict[str, Any]]) -> None:
        self.now = 0
        self.taken: dict[int, Claim] = {}
        self.releases: list[tuple[Release, int]] = []
        self.arbiter = Arbiter(PARAMS, COIN)
        self.present = set(SEATS)
        for seat, trip in zip(SEATS, trips, strict=True):
            self.arbiter.path(seat, path_of(trip, late))
        self.arbiter.open("r", SEATS, now=Micros(0), not_before=Micros(400_000), present=SEATS, nonce="n")
        for seat in SEATS:
            self.arbiter.shown(seat, Micros(0))
        for step in steps:
            self.now += step["after"]
            self.step(step)
        for _ in range(200):
            wakes = self.arbiter.wakes_at()
            if wakes is None:
                break
            self.now = max(self.now, wakes)
            self.release_all()
        self.left = self.arbiter.holds
        self.closed = self.arbiter.close(Micros(self.now))

    def step(self, step: dict[str, Any]) -> None:
        now = Micros(self.now)
        match step["do"]:
            case "move":
                self.take(
                    Claim(
                        len(self.taken),
                        step["seat"],
                        step["kind"],
                        now,
                        now,
                        step["react"],
                        "x" if step["stray"] else "n",
                    )
                )
            case "clock":
                self.take(Claim(len(self.taken), None, "clock", now, now, due=now))
            case "lost":
                self.arbiter.lost(step["seat"], now)
            case "back":
                self.arbiter.back(step["seat"], now)
            case "thrown":
                self.arbiter.thrown(now)
            case "release":
                self.release_all()

    def take(self, claim: Claim) -> None:
        self.taken[claim.ticket] = claim
        self.arbiter.take(claim)

    def release_all(self) -> None:
        clocks = {seat: Micros(self.now) for seat in SEATS}
        while release := self.arbiter.next(Micros(self.now), clocks):
            self.releases.append((release, self.now))


lates = st.none() | st.integers(0, 400_000)
played = st.builds(Played, tables, lates, st.lists(moves, max_size=14))


@settings(max_examples=100, deadline=None)
@given(played)
def test_every_move_gets_exactly_one_answer(race: Played) -> None:
    out = [release.claim.ticket for release, _at in race.releases]
    void = [it.ticket for it in race.closed.record.void]

    assert sorted([*out, *void]) == sorted(race.taken)
    assert race.closed.held == ()


@settings(max_examples=100, deadline=None)
@given(played)
def test_judging_any_race_again_gives_the_same_result(race: Played) -> None:
    verdict = recompute(race.closed.record, [release.evidence for release, _at in race.releases], COIN)

    assert verdict.mismatches == ()


@settings(max_examples=100, deadline=None)
@given(played)
def test_no_account_is_negative_and_no_normaliser_leaves_its_limits(race: Played) -> None:
    for it in race.arbiter.standings.values():
        assert 0 <= it.unproven <= PARAMS.unproven_most
        assert PARAMS.screen_least <= it.screen <= PARAMS.screen_most


@settings(max_examples=100, deadline=None)
@given(played)
def test_a_score_lies_in_its_band_and_is_never_below_the_floor(race: Played) -> None:
    for release, _at in race.releases:
        it = release.evidence
        if it.kind == "contested":
            assert it.score >= PARAMS.floor
        if it.kind != "clock":
            assert it.score >= it.lo


@settings(max_examples=100, deadline=None)
@given(played)
def test_the_moves_of_one_seat_keep_their_order_except_slaps_after_a_held_draw(race: Played) -> None:
    for seat in SEATS:
        mine = [release.claim for release, _at in race.releases if release.claim.seat == seat]
        for before, after in pairwise(mine):
            overtaken = before.kind in ("contested", "anytime") and after.kind in ("closer", "other")
            assert before.ticket < after.ticket or overtaken


@settings(max_examples=100, deadline=None)
@given(played)
def test_moves_come_out_by_score_unless_marked_late_or_tied(race: Played) -> None:
    decisions = race.closed.record.decisions
    for place, it in enumerate(decisions):
        higher = [other for other in decisions[:place] if other.score > it.score]
        assert it.late or all(other.score - it.score <= PARAMS.eps for other in higher)


@settings(max_examples=100, deadline=None)
@given(played)
def test_no_move_is_released_before_its_watermark_unless_one_behind_it_has_waited_long_enough(
    race: Played,
) -> None:
    record = race.closed.record
    throws = list(record.throws)
    for place, (it, (release, at)) in enumerate(zip(record.decisions, race.releases, strict=True)):
        passed = [throw.at for throw in throws if throw.after <= place]
        closers_from = Micros((passed[-1] if passed else 0) + record.not_before)
        lowest = Micros(it.score - PARAMS.eps)
        if it.by == "watermark":
            assert all(is_settled(mark, lowest, PARAMS) for mark in it.marks)
        else:
            rest = [
                other.evidence for other, _at in race.releases[place:] if other.evidence.number < it.taken
            ]
            rest.sort(key=lambda other: other.number)
            drawn = {
                other.claim.seat: earlier.score
                for earlier, (other, _at) in zip(record.decisions[:place], race.releases[:place], strict=True)
                if other.claim.kind == "closer"
            }
            scores = sorted_by(rest, closers_from, drawn)
            assert any(
                at >= hard_at(PARAMS, record.opened, other, score)
                for other, score in zip(rest, scores, strict=True)
            )
        if release.claim.kind == "closer":
            assert at >= it.score >= closers_from


@settings(max_examples=100, deadline=None)
@given(played)
def test_no_move_waits_longer_than_hard_if_the_room_calls_at_the_returned_time(race: Played) -> None:
    """A draw waits for its own time first, and later moves wait behind it (C22)."""
    record = race.closed.record
    starts = max([400_000, *(throw.at + 400_000 for throw in record.throws)])
    last_asked = race.now
    for release, at in race.releases:
        it = release.evidence
        start = max(it.reached, starts) if it.kind in ("closer", "other") else it.reached
        asked = [when for _r, when in race.releases if when >= start + PARAMS.hard]
        assert at <= max(start + PARAMS.hard, min(asked, default=last_asked))
