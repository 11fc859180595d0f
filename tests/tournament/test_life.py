"""§1, §3, §8, §13: the life of an event: rights, names, clocks, pauses, disputes, bad input."""

import pytest

from photofinish.tournament import disputes, officials, players, results
from photofinish.tournament.chance import deal_seed, nonce_hash
from photofinish.tournament.event_file import Listed
from photofinish.tournament.fold import after
from photofinish.tournament.illegal import Illegal
from photofinish.tournament.log import entries as log
from photofinish.tournament.roles import Refused
from photofinish.tournament.scoring import lines_of
from photofinish.tournament.standings import standings
from tests.tournament.course import HOST, SECOND, SECRET, Course, better_number, key_of, toml

STRANGER = key_of(77)
REFEREE = key_of(5)


def refused(code: str, made) -> None:
    with pytest.raises(Refused) as caught:
        made()
    assert caught.value.code == code


def opened(n: int = 4, *more: str, **options: str) -> Course:
    return Course(toml("cambio", "swiss", *more, **options)).open(n)


def player(number: int) -> str:
    return key_of(1000 + number)


def playing(n: int = 4, *more: str, **options: str) -> Course:
    """Round 1 plays; no game has ended."""
    course = opened(n, *more, **options).start()
    course.run(until=lambda state: state.round is not None and state.round.status == "playing")
    return course


def decided(n: int = 4, *more: str, **options: str) -> Course:
    """Round 1 is over and settling."""
    course = playing(n, *more, **options)
    course.run(until=lambda state: state.round is not None and state.round.status == "settling")
    return course


# Entering


def test_T9_entering_twice_is_refused_and_changes_nothing() -> None:
    course = opened(2)
    before = course.state
    refused("already_entered", lambda: players.enter(course.state, player(1), "other", course.now))
    assert course.state == before


@pytest.mark.parametrize("name", ["player 1", "PLAYER 1", "p l a y e r 1", "Player-1", "ｐｌａｙｅｒ１"])
def test_T7_a_look_alike_name_is_taken(name: str) -> None:
    course = opened(1)
    refused("name_taken", lambda: players.enter(course.state, STRANGER, name, course.now))


def test_T7_a_name_on_the_list_is_bound_to_its_key() -> None:
    listed = (
        f'[registration]\nmode = "list"\nnames = [{{name = "Ada", key = "{key_of(9)}"}}, {{name = "Bo"}}]'
    )
    course = Course(toml("cambio", "swiss", tail=listed)).open(0)
    refused("name_bound", lambda: players.enter(course.state, STRANGER, "ada", course.now))
    refused("not_listed", lambda: players.enter(course.state, STRANGER, "Cy", course.now))
    course.add(players.enter(course.state, key_of(9), "Ada", course.now))
    course.add(players.enter(course.state, STRANGER, "Bo", course.now))
    course.add(officials.admit(course.state, HOST, [Listed("Cy", key_of(8))]))
    refused("name_taken", lambda: officials.admit(course.state, HOST, [Listed("C.Y.")]))
    refused("key_taken", lambda: officials.admit(course.state, HOST, [Listed("Di", key_of(8))]))
    course.add(players.enter(course.state, key_of(8), "Cy", course.now))
    assert len(course.state.entrants) == 3


def test_an_entry_code_is_asked_for() -> None:
    course = Course(toml("cambio", "swiss", tail='[registration]\nmode = "code"\ncode = "swordfish"'))
    course.add(officials.open_event(course.state, HOST, SECRET))
    refused("bad_code", lambda: players.enter(course.state, STRANGER, "Ada", course.now))
    refused("bad_code", lambda: players.enter(course.state, STRANGER, "Ada", course.now, code="sword"))
    course.add(players.enter(course.state, STRANGER, "Ada", course.now, code="swordfish"))


def test_a_full_event_and_a_closed_one_take_nobody() -> None:
    course = opened(2, "max_entrants = 2")
    refused("event_full", lambda: players.enter(course.state, STRANGER, "Ada", course.now))
    course.start()
    refused("registration_closed", lambda: players.enter(course.state, STRANGER, "Ada", course.now))
    draft = Course(toml())
    refused("registration_closed", lambda: players.enter(draft.state, STRANGER, "Ada", draft.now))


def test_T3_officials_play_only_if_the_file_says_so() -> None:
    course = opened(2)
    refused("not_allowed", lambda: players.enter(course.state, HOST, "Host", course.now))
    course = opened(2, "officials_play = true")
    course.add(players.enter(course.state, HOST, "Host", course.now))
    assert HOST in course.state.entrants


def test_T41_the_nonce_must_be_the_one_committed_to() -> None:
    course = opened(1)
    key, nonce = key_of(50), b"my own chance"
    course.add(players.enter(course.state, key, "Ada", course.now, nonce=nonce_hash(nonce)))
    refused("bad_nonce", lambda: players.check_in(course.state, key, b"another"))
    course.add(players.check_in(course.state, key, nonce))
    course.add(players.check_in(course.state, key, nonce))
    assert course.state.entrants[key].nonce == nonce.hex()
    assert len(course.of(log.CheckedIn)) == 2, "twice changes nothing"
    course.start()
    (drawn,) = course.of(log.Drawn)
    assert isinstance(drawn, log.Drawn)
    assert drawn.withheld == ()


def test_T41_a_withheld_nonce_is_named_and_changes_the_chance() -> None:
    def start(*, reveal: bool) -> log.Drawn:
        course = opened(2)
        key = key_of(50)
        course.add(players.enter(course.state, key, "Ada", course.now, nonce=nonce_hash(b"n")))
        course.add(players.check_in(course.state, key, b"n" if reveal else None))
        course.start()
        (drawn,) = course.of(log.Drawn)
        assert isinstance(drawn, log.Drawn)
        return drawn

    with_it, without = start(reveal=True), start(reveal=False)
    assert without.withheld == (key_of(50),)
    assert with_it.mixed != without.mixed
    assert with_it.key != without.key


def test_T42_deals_differ_by_round_deal_and_attempt() -> None:
    seeds = {deal_seed(SECRET, bytes(32), r, h, a) for r in (1, 2) for h in (1, 2) for a in (1, 2)}
    assert len(seeds) == 8


# The start


def test_T26_too_few_at_the_start_cancel_the_event() -> None:
    course = Course(toml("cambio", "swiss", clock='starts = "1970-01-13T00:00:00Z"'))
    course.add(officials.open_event(course.state, HOST, SECRET))
    course.add(players.enter(course.state, STRANGER, "Ada", course.now))
    refused("too_few", lambda: officials.start_event(course.state, HOST, SECRET))
    course.run()
    assert course.state.status == "cancelled"
    assert "too few" in course.state.reason


def test_check_in_opens_by_the_clock_and_who_does_not_check_in_is_out() -> None:
    text = toml("cambio", "swiss", clock='starts = "1970-01-12T14:00:00Z"').replace(
        "check_in_minutes = 0", "check_in_minutes = 10"
    )
    course = Course(text).open(4, check_in=False)
    course.run(until=lambda state: state.status == "check_in")
    for number in (1, 2, 3):
        course.add(players.check_in(course.state, player(number)))
    course.run(until=lambda state: state.status == "running")
    assert len(course.state.numbers) == 3
    assert course.state.entrants[player(4)].number == 0


def test_T27_numbers_by_rating_list_or_lot() -> None:
    by_rating = opened(5).start().state
    assert [by_rating.entrants[player(number)].number for number in range(1, 6)] == [1, 2, 3, 4, 5]
    by_lot = opened(9, 'seeding = "lot"').start().state
    assert [by_lot.entrants[player(number)].number for number in range(1, 10)] != list(range(1, 10))


def test_T11_more_rounds_than_opponents_are_lowered_with_an_entry() -> None:
    course = opened(4, "rounds = 9").start()
    (drawn,) = course.of(log.Drawn)
    assert isinstance(drawn, log.Drawn)
    assert (drawn.rounds, drawn.lowered_from, course.state.planned) == (3, 9, 3)


def test_start_while_another_starts_is_wrong_state() -> None:
    course = opened(2).start()
    refused("wrong_state", lambda: officials.start_event(course.state, HOST, SECRET))


# Editing


def edited(course: Course, *more: str, **options: str):
    from photofinish.games import shelf
    from photofinish.tournament.event_file import read_event

    file = toml("cambio", "swiss", *more, **options).encode()
    return read_event(file, shelf()), file


def test_T13_an_open_event_keeps_its_entrants_for_a_title_and_goes_back_to_the_draft_for_more() -> None:
    course = opened(3)
    course.add(officials.edit(course.state, HOST, *edited(course, clock="break_seconds = 5")))
    assert course.state.status == "open"
    refused("pinned", lambda: officials.edit(course.state, HOST, *edited(course, "max_entrants = 2")))
    course.add(officials.edit(course.state, HOST, *edited(course, "rounds = 2")))
    assert course.state.status == "draft"
    assert not any(it.checked_in for it in course.state.entrants.values())
    assert len(course.state.entrants) == 3


def test_T14_a_running_event_is_pinned() -> None:
    course = playing(8, "rounds = 3")
    for more in ("seats = 4", 'tiebreaks = ["lot"]', "rounds = 4", "bye_points = 1"):
        refused("pinned", lambda more=more: officials.edit(course.state, HOST, *edited(course, more)))
    refused("not_organiser", lambda: officials.edit(course.state, STRANGER, *edited(course, "rounds = 2")))
    course.add(officials.edit(course.state, HOST, *edited(course, "rounds = 2", clock="break_seconds = 1")))
    course.run()
    assert len(course.state.rounds) == 2


# Rounds and clocks


def test_T23_scenario_12_a_no_show_forfeits_at_180_seconds() -> None:
    course = opened(2).start()
    course.absent = {2}
    course.run(until=lambda state: state.round is not None and state.round.tables[0].status == "forfeit")
    (called,), (forfeited,) = course.of(log.Called), course.of(log.Forfeited)
    assert abs(forfeited.at - called.at - 180 * SECOND) <= 6 * SECOND
    lines = lines_of(course.state)
    assert (lines[1][0].how, lines[1][0].points) == ("forfeit_win", 1680)
    assert (lines[2][0].how, lines[2][0].points) == ("forfeit", 0)


def test_T21_scenario_12_while_no_director_ran_the_no_show_clock_stood() -> None:
    course = opened(2).start()
    course.absent = {2}
    course.run(until=lambda state: state.round is not None and state.round.status == "playing")
    course.now += 60 * SECOND
    course.add([log.MovedClock(table=0, micros=60 * SECOND, why="no director for 60 s")])
    course.run(until=lambda state: state.round is not None and state.round.tables[0].status == "forfeit")
    (called,), (forfeited,) = course.of(log.Called), course.of(log.Forfeited)
    assert abs(forfeited.at - called.at - 240 * SECOND) <= 6 * SECOND


def test_T23_both_absent_both_lose_and_two_no_shows_in_a_row_withdraw() -> None:
    course = opened(4, "rounds = 3").start()
    course.absent = {1, 3}
    course.run()
    assert not course.state.entrant(1).is_in
    assert not course.state.entrant(3).is_in
    first = course.state.rounds[0].table(1)
    assert first is not None
    assert first.status == "forfeit"
    assert sum(line.points for line in lines_of(course.state)[1]) == 0
    assert all("two no-shows" in it.why for it in course.of(log.Withdrew))


def test_T23_a_pod_plays_without_a_no_show() -> None:
    course = Course(toml("cambio", "swiss", "seats = 4", "rounds = 1")).open(4).start()
    course.absent = {2}
    course.run()
    (table,) = course.state.rounds[0].tables
    assert table.status == "done"
    assert 2 not in table.games[0].seats
    lines = lines_of(course.state)
    assert (lines[2][0].how, lines[2][0].points) == ("forfeit", 0)
    assert sum(row[0].points for row in lines.values()) == (6 + 3 + 0) * 840


def test_T23_with_bots_a_bot_takes_the_seat_of_a_no_show() -> None:
    course = Course(toml("cambio", "swiss", "seats = 4", "rounds = 1", 'fill = "bots"')).open(4).start()
    course.absent = {2}
    course.run()
    assert 0 in course.state.rounds[0].tables[0].games[0].seats


def test_T23_a_whole_pod_absent_is_a_forfeit_of_all() -> None:
    course = Course(toml("cambio", "swiss", "seats = 4", "rounds = 1")).open(4).start()
    course.absent = {1, 2, 3, 4}
    course.run()
    assert course.state.rounds[0].tables[0].status == "forfeit"
    assert {row.points for row in standings(course.state)} == {0}


def test_T22_a_pause_stops_the_no_show_clock_and_leaves_at_least_30_seconds() -> None:
    course = opened(2).start()
    course.absent = {2}
    course.run(until=lambda state: state.round is not None and state.round.status == "playing")
    course.now += 170 * SECOND
    refused("bad_message", lambda: officials.pause(course.state, HOST, ""))
    course.add(officials.pause(course.state, HOST, "power cut"))
    refused("wrong_state", lambda: officials.pause(course.state, HOST, "again"))
    course.now += 3600 * SECOND
    course.settle()
    assert course.state.status == "paused"
    course.add(officials.resume(course.state, HOST))
    resumed_at = course.now
    course.run(until=lambda state: state.round is not None and state.round.tables[0].status == "forfeit")
    (forfeited,) = course.of(log.Forfeited)
    assert abs(forfeited.at - resumed_at - 30 * SECOND) <= 6 * SECOND


def test_T24_a_seat_on_autopilot_too_long_forfeits_a_game_of_two() -> None:
    from photofinish.tournament.due import World, due

    course = playing(2)
    course.stuck = {1}
    world = World(SECRET, away_since={2: course.now}, organiser_seen=course.now)
    assert due(course.state, course.now + 179 * SECOND, world) == ()
    (made,) = due(course.state, course.now + 181 * SECOND, world)
    assert isinstance(made, log.Forfeited)
    assert made.numbers == (2,)


def test_T2_with_no_organiser_rounds_by_hand_start_by_themselves() -> None:
    course = opened(2, clock='rounds_start = "hand"', tail="").start()
    course.settle()
    course.step(60)
    assert course.state.round is not None
    assert course.state.round.status == "paired", "it waits for a hand"
    from photofinish.tournament.due import World, due

    late = World(SECRET, organiser_seen=course.now)
    made = due(course.state, course.now + 31 * 60 * SECOND, late)
    assert made == (log.HostAway(by="clock", away=True),)
    course.add(made)
    (called,) = due(course.state, course.now + 31 * 60 * SECOND, late)
    assert isinstance(called, log.Called)


def test_rounds_by_hand_are_started_by_an_organiser() -> None:
    course = opened(2, clock='rounds_start = "hand"').start()
    course.settle()
    refused("not_organiser", lambda: officials.start_round(course.state, STRANGER, course.now, SECRET))
    course.add(officials.start_round(course.state, HOST, course.now, SECRET))
    refused("wrong_state", lambda: officials.start_round(course.state, HOST, course.now, SECRET))
    course.run()


def test_T40_scenario_17_three_of_nine_withdraw_and_one_joins_late() -> None:
    course = opened(9, "rounds = 4", "late_join_until = 3")
    course.start().run(until=lambda state: len(state.rounds) == 2 and state.rounds[1].status == "playing")
    course.stuck = {1, 2, 3, 4, 5}
    leaving = [1, 5, 9]
    for number in leaving:
        course.add(players.withdraw(course.state, course.state.numbers[number]))
    course.settle()
    refused("not_entered", lambda: players.withdraw(course.state, course.state.numbers[1]))
    gone = [
        table for table in course.state.rounds[1].tables if set(table.seats) & set(leaving) and not table.bye
    ]
    assert all(table.status == "forfeit" for table in gone)
    course.stuck = set()
    course.add(players.enter(course.state, STRANGER, "late", course.now))
    course.run()
    late = course.state.entrants[STRANGER]
    assert (late.number, late.joined_round) == (10, 3)
    lines = lines_of(course.state)
    assert [line.how for line in lines[10]][:2] == ["absent", "absent"]
    assert all(line.how in {"played", "bye"} for line in lines[10][2:])
    for number in leaving:
        assert all(line.how == "absent" for line in lines[number][2:])
    rows = standings(course.state)
    assert sorted(row.rank for row in rows) == list(range(1, 11))
    refused("wrong_state", lambda: players.withdraw(course.state, STRANGER))


def test_T40_nobody_joins_an_elimination_late() -> None:
    course = Course(toml("cambio", "single", "late_join_until = 1")).open(4).start()
    refused("registration_closed", lambda: players.enter(course.state, STRANGER, "late", course.now))


def test_T26_everybody_withdraws_and_the_event_ends_as_it_stands() -> None:
    course = playing(4, "rounds = 3")
    for number in (1, 2, 3, 4):
        course.add(players.withdraw(course.state, course.state.numbers[number]))
    course.run()
    assert course.state.status == "finished"
    assert len(course.state.rounds) == 1


def test_T40_a_withdrawn_entrant_forfeits_its_next_match_of_a_bracket() -> None:
    course = Course(toml("cambio", "single", "third_place = false"), decide=better_number).open(4).start()
    course.run(until=lambda state: state.round is not None and state.round.status == "settling")
    course.add(players.withdraw(course.state, course.state.numbers[1]))
    course.run()
    final = course.state.rounds[-1].tables[0]
    assert (final.status, final.winner, final.games) == ("forfeit", 2, ())
    assert standings(course.state)[0].number == 2


# Results


def test_T19_the_same_result_again_changes_nothing_and_another_pauses_the_event() -> None:
    course = playing(2)
    (table,) = course.state.rounds[0].tables
    game = table.now
    assert game is not None
    outcome = log.Outcome((0,), (5, 9), (1, 2))
    course.add(results.take(course.state, game.room, "aa", outcome))
    assert results.take(course.state, game.room, "aa", outcome) == ()
    course.add(results.take(course.state, game.room, "bb", outcome))
    assert course.state.status == "paused"
    assert "two results" in course.state.reason
    assert course.state.rounds[0].tables[0].games[0].head == "aa"
    assert results.take(course.state, "NOWHERE", "aa", outcome) == ()


def test_T19_a_result_for_a_closed_round_or_a_forfeit_is_logged_as_ignored() -> None:
    course = playing(2, "rounds = 1")
    (table,) = course.state.rounds[0].tables
    game = table.now
    assert game is not None
    course.add(disputes.forfeit(course.state, HOST, 1, 1, 2, "left the hall"))
    course.add(results.take(course.state, game.room, "aa", log.Outcome((0,), (5, 9), (1, 2))))
    entry = course.entries[-1]
    assert isinstance(entry, log.Result)
    assert entry.ignored == "the pairing is forfeit"
    assert course.state.rounds[0].tables[0].winner == 1


def test_a_broken_room_is_replayed_once_and_then_void() -> None:
    course = playing(2, "rounds = 1")
    room = course.state.rounds[0].tables[0].games[0].room
    course.add(results.quarantined(course.state, room))
    course.settle()
    second = course.state.rounds[0].tables[0].games[1]
    assert (second.attempt, second.room != room) == (2, True)
    course.add(results.quarantined(course.state, second.room))
    assert course.state.rounds[0].tables[0].status == "void"
    assert results.quarantined(course.state, second.room) == ()


# Disputes


def test_T59_scenario_13_marks_are_taken_for_120_seconds() -> None:
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


def test_T59_only_the_own_table_and_three_open_marks() -> None:
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


def disputed(*more: str) -> Course:
    course = decided(4, *more)
    table = course.state.rounds[0].tables[0]
    key = course.state.numbers[table.seats[0]]
    course.add(officials.appoint(course.state, HOST, "referee", [REFEREE]))
    course.add(disputes.mark(course.state, key, course.now, 1, 1, 1, "", "I was first"))
    return course


def test_T61_scenario_13_a_replay_is_a_second_attempt_and_the_first_result_is_ignored() -> None:
    course = disputed("rounds = 1")
    room = course.state.rounds[0].tables[0].games[0].room
    course.add(disputes.rule(course.state, REFEREE, 1, "replay", "the server stood still"))
    course.settle()
    first, second = course.state.rounds[0].tables[0].games
    assert (first.how, second.attempt, second.outcome) == ("void", 2, None)
    assert second.room != room
    course.add(results.take(course.state, room, "late", log.Outcome((0,), (1, 2), (1, 2))))
    entry = course.entries[-1]
    assert isinstance(entry, log.Result)
    assert entry.ignored == "an old attempt"
    course.run()
    assert course.state.rounds[0].tables[0].games[1].counts


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


def test_T62_a_ruling_is_replaced_once_by_another() -> None:
    course = disputed("rounds = 1")
    refused("bad_message", lambda: disputes.rule(course.state, REFEREE, 1, "confirm", ""))
    refused("not_referee", lambda: disputes.rule(course.state, STRANGER, 1, "confirm", "x"))
    course.add(disputes.rule(course.state, REFEREE, 1, "confirm", "the strip is clear"))
    refused("already_decided", lambda: disputes.rule(course.state, REFEREE, 1, "warn", "x", about=1))
    course.add(disputes.rule(course.state, HOST, 1, "confirm", "I looked too"))
    refused("already_decided", lambda: disputes.rule(course.state, REFEREE, 1, "confirm", "x"))


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


def test_T63_a_correction_without_a_mark_and_never_at_the_own_table() -> None:
    course = decided(2, "officials_play = true", "rounds = 1")
    course.add(officials.appoint(course.state, HOST, "referee", [course.state.numbers[1]]))
    own = course.state.numbers[1]
    refused("own_table", lambda: disputes.correct(course.state, own, 1, 1, 1, (1, 1), "x"))
    course.add(disputes.correct(course.state, HOST, 1, 1, 1, (1, 1), "typed wrong"))
    assert {line[0].points for line in lines_of(course.state).values()} == {840}
    course.add(disputes.correct(course.state, HOST, 1, 1, 1, (2, 1), "typed wrong again"))
    refused("already_decided", lambda: disputes.correct(course.state, HOST, 1, 1, 1, (1, 2), "x"))


# Officials


def test_T8_rebind_once_a_round_keeps_results_and_the_old_key_is_out() -> None:
    course = decided(2, "rounds = 2")
    old, new = course.state.numbers[1], key_of(4242)
    points = lines_of(course.state)[1][0].points
    refused("key_taken", lambda: officials.rebind(course.state, HOST, old, course.state.numbers[2], "lost"))
    course.add(officials.rebind(course.state, HOST, old, new, "lost phone"))
    assert course.state.numbers[1] == new
    assert old not in course.state.entrants
    assert lines_of(course.state)[1][0].points == points
    refused("wrong_state", lambda: officials.rebind(course.state, HOST, new, key_of(4243), "lost again"))
    refused("not_entered", lambda: players.check_in(course.state, old))


def test_the_rights_of_section_1() -> None:
    course = playing(4)
    for made in (
        lambda: officials.cancel(course.state, STRANGER, "x"),
        lambda: officials.remove(course.state, STRANGER, player(1), "x"),
        lambda: officials.appoint(course.state, STRANGER, "referee", [STRANGER]),
        lambda: officials.open_hands(course.state, STRANGER, REFEREE, 1, "x"),
    ):
        refused("not_organiser", made)
    for made in (
        lambda: officials.pause(course.state, STRANGER, "x"),
        lambda: officials.extend(course.state, STRANGER, 1, 60),
        lambda: disputes.forfeit(course.state, STRANGER, 1, 1, 1, "x"),
    ):
        refused("not_referee", made)
    course.add(officials.appoint(course.state, HOST, "referee", [REFEREE]))
    course.add(officials.pause(course.state, REFEREE, "fire alarm"))
    refused("not_allowed", lambda: officials.open_hands(course.state, HOST, REFEREE, 1, "x"))
    refused("bad_message", lambda: officials.appoint(course.state, HOST, "organiser", [HOST], away=True))
    nine = [key_of(number) for number in range(60, 69)]
    refused("bad_message", lambda: officials.appoint(course.state, HOST, "organiser", nine))


def test_extend_moves_the_no_show_clock_of_one_table() -> None:
    course = opened(4).start()
    course.absent = {1, 2, 3, 4}
    course.run(until=lambda state: state.round is not None and state.round.status == "playing")
    refused("bad_message", lambda: officials.extend(course.state, HOST, 1, 901))
    before = [table.games[0].no_show_at for table in course.state.rounds[0].tables]
    course.add(officials.extend(course.state, HOST, 1, 60))
    now = [table.games[0].no_show_at for table in course.state.rounds[0].tables]
    assert [b - a for a, b in zip(before, now, strict=True)] == [60 * SECOND, 0]


def test_sealing_needs_time_and_a_signature_or_24_hours() -> None:
    course = opened(2).start().run()
    head = course.head.hex()

    def seal(at: int, ok: bool):
        return lambda: officials.seal(course.state, HOST, at, head, "sig", lambda *_: ok)

    refused("wrong_state", seal(course.now + 60 * SECOND, True))
    refused("bad_signature", seal(course.now + 121 * SECOND, False))
    course.step(24 * 3600 - 10)
    assert course.state.status == "finished"
    course.step(20)
    assert course.state.status == "sealed"
    (sealed,) = course.of(log.Sealed)
    assert isinstance(sealed, log.Sealed)
    assert sealed.head == head
    refused("wrong_state", seal(course.now, True))


def test_a_clock_set_back_does_not_take_the_log_back() -> None:
    course = opened(2)
    course.now -= 3600 * SECOND
    course.add(players.withdraw(course.state, player(1)))
    times = [it.at for it in course.entries]
    assert times == sorted(times)


def test_an_entry_that_section_3_does_not_allow_is_illegal() -> None:
    course = opened(2)
    for entry in (
        log.Resumed(),
        log.Sealed(head=""),
        log.Opened(commitment="x"),
        log.Finished(secret=""),
        log.RoundClosed(round=1, standings=()),
        log.Paired(round=1, key="", tables=()),
        log.Withdrew(key=STRANGER),
        log.Entered(key=player(1), name="again"),
        log.Rebound(old=STRANGER, new=HOST, reason="x"),
    ):
        with pytest.raises(Illegal):
            after(course.state, entry)
