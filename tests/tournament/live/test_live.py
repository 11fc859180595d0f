"""T67: the rows of the parts that can be followed, and what a change sends."""

import pytest

from photofinish.tournament.people import disputes, officials
from photofinish.tournament.reports import rows
from photofinish.tournament.reports.live import changed, part_rows
from tests.tournament.course import HOST, Course, better_number, key_of, toml


def playing(kind: str = "swiss", *more: str) -> Course:
    course = Course(toml("cambio", kind, *more)).open(4, check_in=False).start()
    course.stuck = {1}
    return course.run(until=lambda state: bool(state.round and any(it.is_over for it in state.round.tables)))


def test_T67_one_result_changes_the_rows_of_its_table_and_no_other() -> None:
    course = Course(toml()).open(6, check_in=False).start()
    course.run(until=lambda state: bool(state.round and state.round.status == "playing"))
    before = part_rows(course.state, "tables")
    course.settle()  # the cards are dealt
    before = part_rows(course.state, "tables")
    table = course.state.rounds[0].tables[1]
    assert table.now is not None
    course.end(table, table.now)
    fresh, gone = changed(before, part_rows(course.state, "tables"))

    assert gone == ()
    assert list(fresh) == ["1.2"]
    assert sorted(fresh["1.2"]["games"][0]["places"]) in ([1, 2], [1, 1])


def test_T67_a_new_round_removes_the_tables_of_the_last_one() -> None:
    course = Course(toml("cambio", "swiss", "rounds = 2")).open(4, check_in=False).start()
    course.run(until=lambda state: bool(state.round and state.round.status == "playing"))
    before = part_rows(course.state, "tables")
    course.run(until=lambda state: len(state.rounds) == 2)
    fresh, gone = changed(before, part_rows(course.state, "tables"))

    assert sorted(gone) == ["1.1", "1.2"]
    assert sorted(fresh) == ["2.1", "2.2"]


def test_T67_open_marks_are_shown_to_officials_only() -> None:
    course = playing()
    over = next(it for it in course.state.rounds[0].tables if it.is_over)
    player = course.state.entrant(over.seats[0]).key
    course.add(disputes.mark(course.state, player, course.now, 1, over.table, 1, "", "Look at this."))
    assert part_rows(course.state, "disputes") == {}
    assert part_rows(course.state, "disputes", is_official=True)["1"]["text"] == "Look at this."

    course.add(disputes.rule(course.state, HOST, 1, "confirm", "It is right."))
    assert part_rows(course.state, "disputes")["1"]["ruling"] == "confirm"


def test_T4_opened_hands_are_on_the_row_of_the_table() -> None:
    course = Course(toml("cambio", "swiss", 'hands = "logged"')).open(4, check_in=False)
    course.add(officials.appoint(course.state, HOST, "referee", [key_of(7)]))
    course.start().run(until=lambda state: bool(state.round and state.round.status == "playing"))
    assert part_rows(course.state, "tables")["1.1"]["hands_opened"] == []
    course.add(officials.open_hands(course.state, HOST, key_of(7), 1, "A card was shown twice."))

    assert part_rows(course.state, "tables")["1.1"]["hands_opened"] == [key_of(7)]
    assert part_rows(course.state, "tables")["1.2"]["hands_opened"] == []


def test_T67_every_part_has_rows_in_every_state_of_an_event() -> None:
    parts = ("info", "entrants", "round", "tables", "standings", "bracket", "reactions", "disputes")
    course = Course(toml("cambio", "single"))
    for go in (lambda: course.open(5), course.start, course.run):
        assert all(isinstance(part_rows(course.state, part), dict) for part in parts)
        go()

    assert len(part_rows(course.state, "bracket")) >= 4
    assert len(part_rows(course.state, "standings")) == 5


@pytest.mark.parametrize(
    ("kind", "more", "n", "rounds"),
    [
        ("single", "", 11, 4),
        ("single", "", 2, 1),
        ("double", "", 8, 0),
        ("swiss", "rounds = 3\ncut = 4", 10, 5),
        ("swiss", "rounds = 2\nseats = 4\ncut = 4", 12, 3),
        ("swiss", "rounds = 3", 8, 3),
        ("roundrobin", "", 5, 5),
    ],
)
def test_the_page_says_how_many_rounds_there_are_in_all(kind: str, more: str, n: int, rounds: int) -> None:
    """Before, a single elimination was in round 2 of 2, and a cut in round 4 of 3."""
    course = Course(toml("cambio", kind, more), decide=better_number).open(n).start()
    assert rows.info(course.state)["rounds"] == rounds
    course.run()
    assert len(course.state.rounds) == rounds or not rounds
