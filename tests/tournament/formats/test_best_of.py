"""T31, T32: how many games a pairing takes, and what decides it."""

from photofinish.tournament.log import entries as log
from photofinish.tournament.pairing.brackets import double
from photofinish.tournament.scores.best_of import length_of
from tests.tournament.course import Course, better_number, toml


def games_by_round(course: Course) -> list[set[int]]:
    return [{len(table.games) for table in it.tables if not table.bye} for it in course.state.rounds]


def test_T31_best_of_counts_from_the_final_backwards_and_its_last_number_repeats() -> None:
    """`better_number` wins every game: best of 5, 3 and 1 take 3, 2 and 1 games."""
    course = Course(toml("cambio", "single", "best_of = [5, 3, 1]"), decide=better_number).open(16).start()
    course.run()
    assert games_by_round(course) == [{1}, {1}, {2}, {3}]
    assert [length_of(course.state.rules, left) for left in range(5)] == [5, 3, 1, 1, 1]


def test_T31_in_a_double_elimination_the_reset_is_as_long_as_the_grand_final() -> None:
    def decide(table, game, rng):
        """Entrant 1 loses the grand final and wins the reset."""
        return tuple(1 if (number == 1) != (table.match == final) else 2 for number in game.seats)

    final = next(at for at, it in enumerate(double(2)) if it.name == "F")
    course = Course(toml("cambio", "double", "best_of = [5, 3]"), decide=decide).open(2).start().run()
    assert games_by_round(course) == [{2}, {3}, {3}]
    assert [it.tables[0].winner for it in course.state.rounds] == [1, 2, 1]


def test_T31_a_cut_has_the_length_of_the_event_and_ends_with_a_final() -> None:
    text = toml("cambio", "swiss", "rounds = 2", "cut = 4", "best_of = 3")
    course = Course(text, decide=better_number).open(8).start().run()
    assert games_by_round(course) == [{2}, {2}, {2}, {2}]


def test_T31_two_wins_and_a_draw_win_a_best_of_five_after_four_games_and_not_before() -> None:
    """5 half points of 5 are more than n/2 game wins only after the next one."""
    results = {1: "draw", 2: "win", 3: "win", 4: "draw"}

    def decide(table, game, rng):
        return (1, 1) if results[game.game] == "draw" else better_number(table, game, rng)

    course = Course(toml("cambio", "swiss", "best_of = 5"), decide=decide).open(2).start().run()
    (table,) = course.state.rounds[0].tables
    assert (len(table.games), table.winner) == (4, 1), "6 of 10 half points"


def test_T32_the_first_further_game_that_is_not_drawn_decides() -> None:
    def decide(table, game, rng):
        return better_number(table, game, rng) if game.game == 3 else (1, 1)

    course = Course(toml("cambio", "single"), decide=decide).open(2).start().run()
    (decided,) = course.of(log.PairingDecided)
    assert (decided.winner, decided.step) == (1, "more games")
    (table,) = course.state.rounds[0].tables
    assert [it.game for it in table.games] == [1, 2, 3]
    assert [it.seats[0] for it in table.games] == [2, 1, 2], "the better seed second, then in turn"
