"""T38, T39: a team game in duplicate. Both partners score the matchpoints of their table."""

import msgspec

from photofinish.tournament.log import entries as log
from photofinish.tournament.scores.scoring import lines_of
from photofinish.tournament.state.fold import fold
from photofinish.tournament.state.model import BOT, Played, RoundTable
from tests.tournament.course import Course, toml

VALUES = {1: (True, 4), 2: (False, 9), 3: (False, 9), 4: (False, 2)}
"""By table: whether the team has won, and its rows."""


class Teams(Course):
    """Each table ends with its value of `VALUES`."""

    def end(self, table: RoundTable, game: Played, places: tuple[int, ...] | None = None) -> None:
        from photofinish.tournament.scores import results

        won, rows = VALUES[table.table]
        outcome = log.RoomOutcome((0, 1) if won else (), (rows, rows), (1, 1))
        self.add(results.take(self.state, game.room, f"{len(self.entries):064x}", outcome))


def points(course: Course, round_: int = 1) -> dict[int, int]:
    """By table: what each of its people scored, in 1/840."""
    lines = lines_of(course.state)
    found = {}
    for table in course.state.rounds[round_ - 1].tables:
        (got,) = {lines[number][round_ - 1].points for number in table.people}
        found[table.table] = got
    return found


def test_T38_a_won_game_is_more_than_any_number_of_rows_and_equal_values_are_equal() -> None:
    course = Teams(toml("hameln_cave", "swiss", "rounds = 1")).open(8).start().run()
    # Matchpoints 6, 3, 3, 0 of 2 · 3; two points for all of them.
    assert points(course) == {1: 1680, 2: 840, 3: 840, 4: 0}


def test_T38_partners_of_a_swiss_event_change_while_that_can_be() -> None:
    course = Teams(toml("hameln_cave", "swiss", "rounds = 5")).open(6).start().run()
    pairs = [frozenset(table.seats) for it in course.state.rounds for table in it.tables]
    assert len(pairs) == len(set(pairs)) == 15, "each partner once"


def test_T39_a_bot_as_partner_scores_like_a_bye_and_is_compared_with_nobody() -> None:
    """Before, the bot's team scored the matchpoints of its table, and other tables were compared with it."""
    course = Teams(toml("hameln_cave", "swiss", "rounds = 1", 'fill = "bots"', "bye_points = 1.5")).open(5)
    course.start().run()
    tables = course.state.rounds[0].tables
    assert [BOT in it.seats for it in tables] == [False, False, True]
    assert points(course) == {1: 1680, 2: 0, 3: 1260}
    (alone,) = tables[2].people
    assert lines_of(course.state)[alone][0].how == "bye"
    created = course.entries[0]
    assert isinstance(created, log.Created)
    course.held = fold([msgspec.structs.replace(created, v=4), *course.entries[1:]])
    assert points(course) == {1: 1680, 2: 420, 3: 420}, "an older log as it was"


def test_T38_a_pair_without_one_of_its_partners_has_a_bye() -> None:
    from photofinish.tournament.people import players

    course = Teams(toml("hameln_cave", "swiss", "teams = 2", "rounds = 2")).open(6).start()
    course.run(until=lambda state: len(state.rounds) == 1 and state.rounds[0].status == "settling")
    course.add(players.withdraw(course.state, course.state.numbers[1]))
    course.run()
    second = course.state.rounds[1].tables
    assert [(it.seats, it.bye) for it in second] == [((3, 4), False), ((5, 6), False), ((2,), True)]
