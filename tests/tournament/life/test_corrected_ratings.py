"""T66: a corrected result changes the ratings from there on, whenever it is corrected."""

from photofinish.commands.shared.event_check import check_event
from photofinish.games import all_games
from photofinish.tournament.log import entries as log
from photofinish.tournament.people import disputes, officials
from photofinish.tournament.scores.ratings import Rating, rated
from photofinish.tournament.state.model import State
from tests.tournament.course import HOST, Course, key_of, toml
from tests.tournament.real_games import RealCourse

FILE = toml("reflex", "swiss", "rounds = 2", tail="[options]\nflashes = 1\ngap_ms = 400\nwindow_ms = 400")


def at_round(number: int) -> RealCourse:
    course = RealCourse(FILE).open(4).start()
    course.run(until=lambda state: len(state.rounds) == number)
    return course


def correct(course: Course) -> None:
    """Round 1, table 1: the other one is first."""
    outcome = course.state.rounds[0].tables[0].games[0].outcome
    assert outcome is not None
    places = (1, 2) if outcome.places[0] != 1 else (2, 1)
    course.add(disputes.correct(course.state, HOST, 1, 1, 1, places, "The records show it."))


def again(state: State) -> dict[str, tuple[int, int]]:
    """All games as they stand now, from the start."""
    now: dict[str, Rating] = {}
    for round_ in state.rounds:
        for table in round_.tables:
            for game in table.games:
                assert game.outcome is not None
                keys = [state.numbers[number] for number in game.seats]
                now |= zip(
                    keys, rated([now.get(key, Rating()) for key in keys], game.outcome.places), strict=True
                )
    return {key: (it.mu, it.sigma) for key, it in now.items()}


def logged_ratings(course: Course) -> dict[str, tuple[int, int]]:
    return {it.key: it.after for it in course.of(log.Rated)}


def test_T66_a_correction_of_a_closed_round_is_rated_when_the_next_one_closes() -> None:
    course = at_round(2)
    before = logged_ratings(course)
    correct(course)
    assert logged_ratings(course) == before, "nothing is rated in the middle of a round"
    course.run()
    assert logged_ratings(course) == again(course.state)
    assert all(it.games == 1 for it in course.of(log.Rated))
    assert check_event(course.export(), all_games()) == ()


def test_T66_a_correction_after_the_end_is_rated_before_the_event_is_sealed() -> None:
    course = at_round(2).run()
    before = logged_ratings(course)
    assert before == again(course.state)
    correct(course)
    course.settle()
    assert logged_ratings(course) == again(course.state) != before
    assert {it.games for it in course.of(log.Rated)[8:]} == {0}, "nobody has played more games"
    count = len(course.entries)
    course.settle()
    assert len(course.entries) == count, "once"
    assert check_event(course.export(), all_games()) == ()


def test_T8_T66_a_correction_rates_the_key_that_played() -> None:
    course = at_round(2)
    number = course.state.rounds[0].tables[0].seats[0]
    old, new = course.state.numbers[number], key_of(5000)
    course.add(officials.rebind(course.state, HOST, old, new, "Lost phone."))
    first = logged_ratings(course)[old]
    correct(course)
    course.run()
    assert logged_ratings(course)[old] != first, "its first game was corrected"
    (changed,) = [it for it in course.of(log.Rated) if it.key == new]
    assert changed.before == (Rating().mu, Rating().sigma), "ratings do not move to the new key"
    assert check_event(course.export(), all_games()) == ()
