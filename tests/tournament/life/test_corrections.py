"""T25, T31, T32, T61, T62: what a replay or a correction does to a pairing, its round and the bracket."""

import msgspec
import pytest

from photofinish.tournament.log import entries as log
from photofinish.tournament.people import disputes
from photofinish.tournament.scores.scoring import lines_of
from photofinish.tournament.scores.standings import standings
from photofinish.tournament.state.fold import fold
from photofinish.tournament.state.model import RoundTable
from tests.tournament.course import HOST, SECOND, Course, better_number, toml
from tests.tournament.stages import refused


def settling(course: Course, round_: int = 1) -> Course:
    return course.run(
        until=lambda state: len(state.rounds) == round_ and state.rounds[-1].status == "settling"
    )


def correct(course: Course, round_: int, table: RoundTable, winner: int = 0, game: int = 1) -> None:
    """Correct the places of one game. Without a winner all seats are first."""
    seats = next(it.seats for it in table.games if it.game == game)
    places = tuple(1 if winner in {0, number} else 2 for number in seats)
    course.add(disputes.correct(course.state, HOST, round_, table.table, game, places, "typed wrong"))


def other(table: RoundTable) -> int:
    return next(number for number in table.people if number != table.winner)


@pytest.mark.parametrize("kind", ["swiss", "single", "slapoff"])
def test_T25_T61_a_replay_is_played_though_the_rounds_time_is_over(kind: str) -> None:
    """Before, `round_minutes` forbade the second attempt too, and the pairing became a draw without a game."""
    more = ("seats = 4", "rounds = 1") if kind == "slapoff" else ()
    course = Course(toml("cambio", kind, *more, clock="round_minutes = 1"), lasts=lambda rng: 40)
    course.decide = better_number
    settling(course.open(4 if kind == "slapoff" else 2).start())
    table = course.state.rounds[0].tables[0]
    last = table.games[-1]
    course.now = max(course.now, course.state.rounds[0].began_at + 61 * SECOND)
    key = course.state.numbers[table.seats[0]]
    course.add(disputes.mark(course.state, key, course.now, 1, 1, last.game, "", "the light hung"))
    course.add(disputes.rule(course.state, HOST, 1, "replay", "the server stood still"))
    settling(course)
    again = course.state.rounds[0].tables[0].games[-1]
    assert (again.game, again.attempt, again.counts) == (last.game, 2, True)
    assert course.state.rounds[0].tables[0].winner == (0 if kind == "slapoff" else 1)


def test_T25_a_pairing_that_a_correction_makes_equal_is_a_draw_though_time_had_decided_it() -> None:
    """Before, the old winner stayed, because the log named a step of T32."""
    course = Course(toml("cambio", "swiss", "best_of = 5", clock="round_minutes = 1"), lasts=lambda rng: 70)
    course.decide = better_number
    settling(course.open(2).start())
    table = course.state.rounds[0].tables[0]
    assert (len(table.games), table.winner, table.step) == (1, 1, "time")
    correct(course, 1, table)
    assert course.state.rounds[0].tables[0].winner == 0
    assert {row[0].points for row in lines_of(course.state).values()} == {840}


def test_T32_an_elimination_that_a_correction_makes_equal_is_decided_by_races() -> None:
    """Before, the better seed won, and the log named no step of T32."""

    def races(game, rng):
        return tuple(
            log.RaceLine("r", seat, "slap", "won", 300) for seat, who in enumerate(game.seats) if who == 2
        )

    course = Course(toml("cambio", "single"), decide=better_number, races=races)
    settling(course.open(2).start())
    correct(course, 1, course.state.rounds[0].tables[0])
    table = course.state.rounds[0].tables[0]
    assert (table.winner, table.step) == (2, "races")
    assert standings(course.run().state)[0].number == 2


def test_an_older_log_keeps_the_winner_that_it_had() -> None:
    course = Course(toml("cambio", "swiss", "best_of = 5", clock="round_minutes = 1"), lasts=lambda rng: 70)
    course.decide = better_number
    settling(course.open(2).start())
    correct(course, 1, course.state.rounds[0].tables[0])
    created = course.entries[0]
    assert isinstance(created, log.Created)
    old = fold([msgspec.structs.replace(created, v=4), *course.entries[1:]])
    assert old is not None
    assert old.rounds[0].tables[0].winner == 1


def test_T62_after_the_next_pairings_are_up_nobody_else_goes_on_in_a_bracket() -> None:
    """Before, an entrant whom a correction had made the loser of round 1 could finish first without another game."""
    course = Course(toml("cambio", "single"), decide=better_number).open(4).start()
    settling(course)
    table = course.state.rounds[0].tables[0]
    correct(course, 1, table, other(table))
    went_on = course.state.rounds[0].tables[0].winner
    assert went_on == other(table), "while the round is open the other one goes on"
    settling(course, 2)
    assert went_on in {number for it in course.state.rounds[1].tables[:1] for number in it.people}
    second = course.state.rounds[0].tables[1]
    text = refused("too_late", lambda: correct(course, 1, second, other(second)))
    assert "pairings" in text
    correct(course, 1, second, second.winner)  # the same winner: nothing that was shown changes


def test_T62_the_final_is_corrected_until_the_seal() -> None:
    course = Course(toml("cambio", "single"), decide=better_number).open(4).start().run()
    assert standings(course.state)[0].number == 1
    final, third = course.state.rounds[-1].tables
    correct(course, 2, final, 2)
    correct(course, 2, third, other(third))
    assert [(row.rank, row.number) for row in standings(course.state)] == [(1, 2), (2, 1), (3, 4), (4, 3)]


def test_T30_T62_a_closed_grand_final_is_not_corrected_to_one_that_asks_for_a_reset() -> None:
    course = Course(toml("cambio", "double"), decide=better_number).open(2).start().run()
    final = course.state.rounds[-1].tables[0]
    assert (len(course.state.rounds), final.winner) == (2, 1), "won by the winners' side: no reset"
    refused("too_late", lambda: correct(course, 2, final, 2))
    assert [row.number for row in standings(course.state)] == [1, 2]


def test_T62_a_correction_changes_neither_the_players_of_a_cut_nor_its_bracket() -> None:
    course = Course(toml("cambio", "swiss", "rounds = 1", "cut = 4"), decide=better_number).open(8).start()
    settling(course, 2)
    seated = [it.seats for it in course.state.rounds[1].tables]
    main = course.state.rounds[0].tables[0]
    correct(course, 1, main, other(main))
    settling(course, 3)
    assert [it.seats for it in course.state.rounds[1].tables] == seated
    semi = course.state.rounds[1].tables[0]
    refused("too_late", lambda: correct(course, 2, semi, other(semi)))
    correct(course, 3, course.state.rounds[2].tables[0], other(course.state.rounds[2].tables[0]))
    course.run()
