"""§13: results that come twice or late, marks, rulings and corrections."""

from functools import partial

import msgspec

from photofinish.tournament.log import entries as log
from photofinish.tournament.people import disputes, officials
from photofinish.tournament.scores import results
from photofinish.tournament.scores.scoring import lines_of
from tests.tournament.course import HOST, SECOND, Course, toml
from tests.tournament.stages import REFEREE, STRANGER, decided, playing, refused


def test_T19_I5_the_same_result_again_changes_nothing_and_another_pauses_the_event() -> None:
    course = playing(2)
    (table,) = course.state.rounds[0].tables
    game = table.now
    assert game is not None
    outcome = log.RoomOutcome((0,), (5, 9), (1, 2))
    course.add(results.take(course.state, game.room, "aa", outcome))
    assert results.take(course.state, game.room, "aa", outcome) == ()
    course.add(results.take(course.state, game.room, "bb", outcome))
    assert course.state.status == "paused"
    assert "two results" in course.state.reason
    assert course.state.rounds[0].tables[0].games[0].head == "aa"
    assert results.take(course.state, "NOWHERE", "aa", outcome) == ()


def test_T19_I6_a_result_for_a_closed_round_is_logged_as_ignored() -> None:
    course = playing(2, "rounds = 1")
    (game,) = course.state.rounds[0].tables[0].games
    course.add(disputes.forfeit(course.state, HOST, 1, 1, 2, "left the hall"))
    course.run()
    before = lines_of(course.state)
    outcome = log.RoomOutcome((1,), (9, 5), (2, 1))
    assert results.take(course.state, game.room, "aa", outcome) == (), "its late result is in the log already"
    never_told = msgspec.structs.replace(course.state, ignored=frozenset())
    (late,) = results.take(never_told, game.room, "aa", outcome)
    course.add([late])
    assert isinstance(late, log.GameResult)
    assert late.ignored == "the round is closed"
    assert lines_of(course.state) == before


def test_T19_a_result_for_a_forfeit_is_logged_as_ignored() -> None:
    course = playing(2, "rounds = 1")
    (table,) = course.state.rounds[0].tables
    game = table.now
    assert game is not None
    course.add(disputes.forfeit(course.state, HOST, 1, 1, 2, "left the hall"))
    course.add(results.take(course.state, game.room, "aa", log.RoomOutcome((0,), (5, 9), (1, 2))))
    entry = course.entries[-1]
    assert isinstance(entry, log.GameResult)
    assert entry.ignored == "the pairing is forfeit"
    assert course.state.rounds[0].tables[0].winner == 1


def test_I16_a_broken_room_is_replayed_once_and_then_void() -> None:
    course = playing(2, "rounds = 1")
    room = course.state.rounds[0].tables[0].games[0].room
    course.add(results.quarantined(course.state, room))
    course.settle()
    second = course.state.rounds[0].tables[0].games[1]
    assert (second.attempt, second.room != room) == (2, True)
    course.add(results.quarantined(course.state, second.room))
    assert course.state.rounds[0].tables[0].status == "void"
    assert results.quarantined(course.state, second.room) == ()


def test_T59_S13_marks_are_taken_for_120_seconds() -> None:
    course = decided(2)
    ended = course.state.rounds[0].tables[0].games[0].ended_at
    player_1 = course.state.numbers[1]

    def mark(at: int, key: str = player_1, race: str = "", game: int = 1):
        return lambda: disputes.mark(course.state, key, at, 1, 1, game, race, "I was first")

    course.add(mark(ended + 119 * SECOND)())
    refused("too_late", mark(ended + 121 * SECOND))
    refused("not_entered", mark(ended, key=STRANGER))
    refused("no_such_race", mark(ended, race="r9"))
    refused("bad_message", mark(ended, game=7))
    refused("bad_message", lambda: disputes.mark(course.state, player_1, ended, 1, 1, 1, "", "x" * 281))


def test_T59_I13_after_ten_decided_marks_the_eleventh_is_refused() -> None:
    course = decided(4, "rounds = 1")
    ended = course.state.rounds[0].tables[0].games[0].ended_at
    key = course.state.numbers[course.state.rounds[0].tables[0].seats[0]]
    for number in range(1, 11):
        course.add(disputes.mark(course.state, key, ended, 1, 1, 1, "", "x"))
        course.add(disputes.rule(course.state, HOST, number, "confirm", "It is right."))
    assert len(course.state.marks) == 10
    refused("too_many_marks", lambda: disputes.mark(course.state, key, ended, 1, 1, 1, "", "x"))


def test_I14_a_referee_cannot_rule_at_the_own_table_or_twice_or_without_a_reason() -> None:
    course = decided(2, "officials_play = true", "rounds = 1")
    ended = course.state.rounds[0].tables[0].games[0].ended_at
    own = course.state.numbers[1]
    course.add(officials.appoint(course.state, HOST, "referee", [own]))
    course.add(disputes.mark(course.state, own, ended, 1, 1, 1, "", "x"))
    refused("own_table", lambda: disputes.rule(course.state, own, 1, "confirm", "mine"))
    refused("bad_message", lambda: disputes.rule(course.state, HOST, 1, "confirm", "  "))
    course.add(disputes.rule(course.state, HOST, 1, "confirm", "It is right."))
    refused("already_decided", lambda: disputes.rule(course.state, HOST, 1, "warn", "again", about=1))
    assert course.state.marks[0].ruling == "confirm"


def test_T59_I13_a_player_marks_only_the_own_table_and_has_at_most_three_open_marks() -> None:
    course = decided(4, "rounds = 1")
    ended = course.state.rounds[0].tables[0].games[0].ended_at
    own = course.state.rounds[0].tables[0].seats[0]
    other = course.state.rounds[0].tables[1].seats[0]
    refused(
        "not_your_table",
        lambda: disputes.mark(course.state, course.state.numbers[other], ended, 1, 1, 1, "", "x"),
    )
    key = course.state.numbers[own]
    for _ in range(3):
        course.add(disputes.mark(course.state, key, ended, 1, 1, 1, "", "x"))
    refused("too_many_marks", lambda: disputes.mark(course.state, key, ended, 1, 1, 1, "", "x"))


def test_H40_a_mark_with_text_is_refused_while_a_silent_game_is_played() -> None:
    """The log is public at once: a mark with a text would tell the partner what to lead."""
    course = Course(toml("hameln_cave", "roundrobin")).open(4).start()
    course.run(until=lambda state: state.round is not None and state.round.status == "playing")
    table = course.state.rounds[0].tables[0]
    key = course.state.numbers[table.seats[0]]
    refused("muted", lambda: disputes.mark(course.state, key, course.now, 1, 1, 1, "", "lead blue"))
    course.run(until=lambda state: state.round is not None and state.round.status == "settling")
    course.add(disputes.mark(course.state, key, course.now, 1, 1, 1, "", "a lost card"))


def disputed(*more: str) -> Course:
    course = decided(4, *more)
    table = course.state.rounds[0].tables[0]
    key = course.state.numbers[table.seats[0]]
    course.add(officials.appoint(course.state, HOST, "referee", [REFEREE]))
    course.add(disputes.mark(course.state, key, course.now, 1, 1, 1, "", "I was first"))
    return course


def test_T61_S13_a_replay_is_a_second_attempt_and_the_first_result_is_ignored() -> None:
    course = disputed("rounds = 1")
    room = course.state.rounds[0].tables[0].games[0].room
    course.add(disputes.rule(course.state, REFEREE, 1, "replay", "the server stood still"))
    course.settle()
    first, second = course.state.rounds[0].tables[0].games
    assert (first.how, second.attempt, second.outcome) == ("void", 2, None)
    assert second.room != room
    assert second.commitment != first.commitment
    course.add(results.take(course.state, room, "late", log.RoomOutcome((0,), (1, 2), (1, 2))))
    entry = course.entries[-1]
    assert isinstance(entry, log.GameResult)
    assert entry.ignored == "an old attempt"
    course.run()
    assert course.state.rounds[0].tables[0].games[1].counts


def test_T61_a_result_that_is_played_again_is_not_adjusted() -> None:
    """Before, the adjusted result counted again, in addition to the second attempt."""
    course = disputed()
    course.add(disputes.rule(course.state, HOST, 1, "replay", "The line was cut."))
    again = course.state.rounds[0].tables[0]
    refused("wrong_state", lambda: disputes.correct(course.state, HOST, 1, again.table, 1, (2, 1), "no"))
    refused("wrong_state", lambda: disputes.check_places(again.games[0], (2, 1)))


def test_T61_adjust_changes_places_and_standings() -> None:
    course = disputed("rounds = 1")
    table = course.state.rounds[0].tables[0]
    loser = (
        next(number for number in table.seats if number != table.winner) if table.winner else table.seats[0]
    )
    seats = table.games[0].seats
    places = tuple(1 if number == loser else 2 for number in seats)
    refused("bad_message", lambda: disputes.rule(course.state, REFEREE, 1, "adjust", "x", places=(1, 3)))
    course.add(disputes.rule(course.state, REFEREE, 1, "adjust", "wrong identity", places=places))
    assert course.state.rounds[0].tables[0].winner == loser
    assert lines_of(course.state)[loser][0].points == 1680
    course.run()


def test_T61_forfeit_and_disqualify_name_an_entrant_of_the_table() -> None:
    course = disputed("rounds = 2")
    number = course.state.rounds[0].tables[0].seats[1]
    refused("bad_message", lambda: disputes.rule(course.state, REFEREE, 1, "disqualify", "unfair", about=99))
    course.add(disputes.rule(course.state, REFEREE, 1, "disqualify", "unfair play", about=number))
    assert not course.state.entrant(number).is_in
    course.run()
    second = [it for table in course.state.rounds[1].tables for it in table.seats]
    assert number not in second


def test_T62_a_ruling_is_replaced_once_by_another_referee_or_an_organiser() -> None:
    course = disputed("rounds = 1")
    refused("bad_message", lambda: disputes.rule(course.state, REFEREE, 1, "confirm", ""))
    refused("not_referee", lambda: disputes.rule(course.state, STRANGER, 1, "confirm", "x"))
    course.add(disputes.rule(course.state, REFEREE, 1, "confirm", "the strip is clear"))
    refused("already_decided", lambda: disputes.rule(course.state, REFEREE, 1, "warn", "x", about=1))
    own = "You have ruled"
    assert own in refused(
        "already_decided", lambda: disputes.rule(course.state, REFEREE, 1, "confirm", "x", replaces=True)
    )
    course.add(disputes.rule(course.state, HOST, 1, "warn", "I looked too", about=1, replaces=True))
    assert (course.state.marks[0].ruling, course.state.marks[0].ruled_by) == ("warn", HOST)
    for key in (REFEREE, HOST):
        refused(
            "already_decided",
            lambda key=key: disputes.rule(course.state, key, 1, "confirm", "x", replaces=True),
        )


def test_T63_of_two_referees_at_once_the_second_is_refused_and_may_then_replace_the_ruling() -> None:
    """Both decide on the same state. A referee who has not seen the first ruling does not send `replaces`."""
    course = disputed("rounds = 1")
    course.add(disputes.rule(course.state, REFEREE, 1, "confirm", "the strip is clear"))
    text = refused("already_decided", lambda: disputes.rule(course.state, HOST, 1, "warn", "x", about=1))
    assert f"{REFEREE[:8]} has ruled" in text
    course.add(disputes.correct(course.state, REFEREE, 1, 1, 1, (1, 1), "typed wrong"))
    text = refused("already_decided", lambda: disputes.correct(course.state, HOST, 1, 1, 1, (1, 2), "x"))
    assert "replaces" in text
    assert lines_of(course.state)[course.state.rounds[0].tables[0].seats[0]][0].points == 840


def test_T63_corrections_and_adjustments_of_one_result_share_their_limit_and_a_replay_has_its_own() -> None:
    course = disputed("rounds = 1")
    adjust = partial(disputes.rule, number=1, ruling="adjust", reason="wrong identity", places=(1, 1))
    course.add(disputes.correct(course.state, REFEREE, 1, 1, 1, (1, 2), "typed wrong"))
    refused("already_decided", lambda: adjust(course.state, HOST))
    refused("already_decided", lambda: adjust(course.state, REFEREE, replaces=True))
    course.add(adjust(course.state, HOST, replaces=True))
    for key in (REFEREE, HOST):
        refused(
            "already_decided",
            lambda key=key: disputes.correct(course.state, key, 1, 1, 1, (2, 1), "x", replaces=True),
        )
    course.add(disputes.rule(course.state, REFEREE, 1, "replay", "play it again", replaces=True))
    course.run(until=lambda state: state.round is not None and state.round.status == "settling")
    course.add(
        disputes.correct(course.state, REFEREE, 1, 1, 1, (2, 1), "the second attempt is another result")
    )


def test_T62_a_round_waits_for_disputes_at_most_ten_minutes() -> None:
    course = disputed("rounds = 1")
    over = course.state.rounds[0].over_at
    course.run()
    (closed,) = course.of(log.RoundClosed)
    assert 600 * SECOND <= closed.at - over <= 610 * SECOND


def test_T62_an_elimination_waits_until_ruled() -> None:
    course = Course(toml("cambio", "single", "third_place = false")).open(2).start()
    course.run(until=lambda state: state.round is not None and state.round.status == "settling")
    key = course.state.numbers[1]
    course.add(disputes.mark(course.state, key, course.now, 1, 1, 1, "", "x"))
    for _ in range(400):
        course.step(5)
    assert course.state.status == "running"
    course.add(disputes.rule(course.state, HOST, 1, "confirm", "clear"))
    course.run()


def test_T63_a_correction_needs_no_mark_is_refused_at_the_own_table_and_an_organiser_may_replace_its_own() -> (
    None
):
    course = decided(2, "officials_play = true", "rounds = 1")
    course.add(officials.appoint(course.state, HOST, "referee", [course.state.numbers[1]]))
    own = course.state.numbers[1]
    refused("own_table", lambda: disputes.correct(course.state, own, 1, 1, 1, (1, 1), "x"))
    course.add(disputes.correct(course.state, HOST, 1, 1, 1, (1, 1), "typed wrong"))
    assert {line[0].points for line in lines_of(course.state).values()} == {840}
    refused("already_decided", lambda: disputes.correct(course.state, HOST, 1, 1, 1, (1, 2), "x"))
    course.add(disputes.correct(course.state, HOST, 1, 1, 1, (1, 2), "typed wrong too", replaces=True))
    refused(
        "already_decided", lambda: disputes.correct(course.state, HOST, 1, 1, 1, (1, 1), "x", replaces=True)
    )


def test_T61_a_ruled_forfeit_ends_the_pairing_and_a_warning_changes_nothing() -> None:
    course = playing(4, "rounds = 1")
    table = course.state.rounds[0].tables[0]
    first, second = table.seats
    for _ in range(2):
        course.add(disputes.mark(course.state, course.state.numbers[first], course.now, 1, 1, 1, "", "x"))
    before = lines_of(course.state)
    refused("bad_message", lambda: disputes.rule(course.state, HOST, 1, "warn", "x", about=99))
    course.add(disputes.rule(course.state, HOST, 1, "warn", "quiet, please", about=second))
    assert lines_of(course.state) == before
    course.add(disputes.rule(course.state, HOST, 2, "forfeit", "left the hall", about=second))
    held = course.state.rounds[0].tables[0]
    assert (held.status, held.winner, held.forfeits) == ("forfeit", first, (second,))


def test_T62_after_the_round_a_ruling_changes_standings_and_no_pairing_and_after_the_seal_nothing() -> None:
    course = disputed("rounds = 2")
    course.run(until=lambda state: len(state.rounds) == 2)
    pairings = [table.seats for table in course.state.rounds[1].tables]
    table = course.state.rounds[0].tables[0]
    refused("too_late", lambda: disputes.rule(course.state, REFEREE, 1, "replay", "x"))
    refused("too_late", lambda: disputes.rule(course.state, REFEREE, 1, "forfeit", "x", about=table.seats[0]))
    course.add(disputes.rule(course.state, REFEREE, 1, "adjust", "wrong identity", places=(1, 1)))
    assert {lines_of(course.state)[number][0].points for number in table.seats} == {840}
    assert [table.seats for table in course.state.rounds[1].tables] == pairings
    course.run()
    course.step(25 * 3600)
    assert course.state.status == "sealed"
    refused("too_late", lambda: disputes.rule(course.state, HOST, 1, "confirm", "x"))
    refused("too_late", lambda: disputes.correct(course.state, HOST, 1, 1, 1, (1, 2), "x"))
    key = course.state.numbers[table.seats[0]]
    refused("too_late", lambda: disputes.mark(course.state, key, course.now, 1, 1, 1, "", "x"))
