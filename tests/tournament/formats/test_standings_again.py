"""T71: standings that are updated after each result equal newly computed ones, and are fast enough for 512."""

import statistics
import time

import msgspec

from photofinish.tournament.log.entries import RaceLine
from photofinish.tournament.scores import reactions, scoring
from photofinish.tournament.scores.standings import standings
from photofinish.tournament.state.value_cache import ValueCache
from tests.tournament.course import Course, toml

KINDS = (
    ("swiss", "rounds = 4"), ("swiss", "rounds = 3\nseats = 4"), ("roundrobin", ""), ("slapoff", "rounds = 2"),
)  # fmt: skip


def forget() -> None:
    for memory in (scoring._OF_ROUND, scoring._OF_TABLE, reactions._OF_TABLE):
        memory._kept.clear()


def test_T71_standings_kept_after_every_entry_equal_standings_computed_anew() -> None:
    for kind, more in KINDS:
        course = Course(toml("cambio", kind, more)).open(11, check_in=False).start()
        course.races = lambda game, rng: tuple(
            RaceLine(f"r{n}", rng.below(len(game.seats)), "slap", "won", 250_000 + n, counted=True)
            for n in range(3)
        )
        seen = 0
        while course.state.status == "running":
            course.step(25)
            quick = standings(course.state)
            forget()
            assert standings(course.state) == quick, (kind, seen)
            seen += 1
        assert seen > 3


def test_T71_one_more_result_updates_the_standings_of_256_in_a_fraction_of_the_full_time() -> None:
    course = Course(toml("cambio", "swiss", "rounds = 3")).open(256, check_in=False).start()
    course.run(until=lambda state: len(state.rounds) == 3 and state.rounds[2].status == "playing")
    course.settle()
    from_nothing, again = [], []
    for table in course.state.rounds[2].tables[:9]:
        game = table.now
        assert game is not None
        course.end(table, game)
        began = time.process_time()
        standings(course.state)
        again.append(time.process_time() - began)
        forget()
        began = time.process_time()
        standings(course.state)
        from_nothing.append(time.process_time() - began)

    assert statistics.median(again) < 0.6 * statistics.median(from_nothing)
    assert statistics.median(again) < 0.1, "half of the 200 ms that a page may take"


def test_a_value_is_made_once_per_object_and_not_for_an_equal_one() -> None:
    kept: ValueCache[list[int]] = ValueCache(most=2)
    one, same = msgspec.json.decode(b"[1]"), msgspec.json.decode(b"[1]")
    first = kept.get(lambda: [0], one)

    assert kept.get(lambda: [1], one) is first
    assert kept.get(lambda: [1], same) == [1], "another object, though an equal one"
    assert kept.get(lambda: [2], object()) == [2]
    assert kept.get(lambda: [3], one) == [3], "forgotten when there are too many"
