"""§8: rounds and their clocks: no-shows, pauses, autopilot, withdrawals."""

import csv
import dataclasses
import io
from collections import Counter

import pytest

from photofinish.games import all_games
from photofinish.tournament.course.due import World, due
from photofinish.tournament.event_file import read_event
from photofinish.tournament.export.files import files_of
from photofinish.tournament.log import entries as log
from photofinish.tournament.people import disputes, officials, players
from photofinish.tournament.scores.scoring import lines_of
from photofinish.tournament.scores.standings import standings
from photofinish.tournament.state import clocks
from tests.tournament.course import HOST, SECOND, SECRET, Course, better_number, toml
from tests.tournament.stages import REFEREE, STRANGER, opened, playing, refused


def test_T23_S12_a_no_show_forfeits_at_180_seconds() -> None:
    course = opened(2).start()
    course.absent = {2}
    while not course.of(log.Forfeited):
        course.step(1)
    (called,), (forfeited,) = course.of(log.TableCalled), course.of(log.Forfeited)
    assert abs(forfeited.at - called.at - 180 * SECOND) <= SECOND
    lines = lines_of(course.state)
    assert (lines[1][0].how, lines[1][0].points) == ("forfeit_win", 1680)
    assert (lines[2][0].how, lines[2][0].points) == ("forfeit", 0)


def test_T21_S12_the_no_show_clock_stops_while_no_director_runs() -> None:
    course = opened(2).start()
    course.absent = {2}
    course.run(until=lambda state: state.round is not None and state.round.status == "playing")
    course.now += 60 * SECOND
    course.add([log.MovedClock(table=0, micros=60 * SECOND, why="no director for 60 s")])
    course.run(until=lambda state: state.round is not None and state.round.tables[0].status == "forfeit")
    (called,), (forfeited,) = course.of(log.TableCalled), course.of(log.Forfeited)
    assert abs(forfeited.at - called.at - 240 * SECOND) <= 6 * SECOND


def test_T23_I12_if_both_are_absent_both_lose_and_two_no_shows_in_a_row_withdraw_an_entrant() -> None:
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


@pytest.mark.parametrize("more", [(), ('fill = "bots"',)], ids=["no bots", "bots fill in"])
def test_I12_a_pod_at_which_nobody_is_present_is_void(more: tuple[str, ...]) -> None:
    course = Course(toml("cambio", "swiss", "seats = 4", "rounds = 1", *more)).open(4).start()
    course.absent = {1, 2, 3, 4}
    course.run()
    assert course.state.rounds[0].tables[0].status == "void"
    assert {row.points for row in standings(course.state)} == {0}
    assert all(course.state.entrant(number).no_shows == 1 for number in (1, 2, 3, 4))


def test_T23_T39_the_only_player_present_at_a_pod_plays_with_bots_that_fill_in() -> None:
    course = Course(toml("cambio", "swiss", "seats = 4", "rounds = 1", 'fill = "bots"')).open(4).start()
    course.absent = {1, 2, 3}
    course.run()
    table = course.state.rounds[0].tables[0]
    assert table.status == "done"
    assert sorted(table.games[0].seats) == [0, 0, 0, 4]
    lines = lines_of(course.state)
    assert [(lines[it][0].how, lines[it][0].points) for it in (1, 4)] == [("forfeit", 0), ("bye", 6 * 840)]


def test_T23_the_only_player_present_at_a_pod_has_a_bye_and_the_others_forfeit() -> None:
    course = Course(toml("cambio", "swiss", "seats = 4", "rounds = 1")).open(4).start()
    course.absent = {1, 2, 3}
    course.run()
    lines = lines_of(course.state)
    assert course.state.rounds[0].tables[0].status == "forfeit"
    assert [lines[number][0].how for number in (1, 2, 3, 4)] == ["forfeit", "forfeit", "forfeit", "bye"]


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
    late = World(SECRET, organiser_seen=course.now)
    made = due(course.state, course.now + 31 * 60 * SECOND, late)
    assert made == (log.HostAway(by="clock", away=True),)
    course.add(made)
    (called,) = due(course.state, course.now + 31 * 60 * SECOND, late)
    assert isinstance(called, log.TableCalled)


def test_T2_I8_with_an_organiser_who_left_for_good_the_event_ends_and_seals_by_the_clock() -> None:
    course = opened(4, "rounds = 2", clock='rounds_start = "hand"').start()
    left_at = course.now

    def unseen() -> World:
        return dataclasses.replace(Course.world(course), organiser_seen=left_at)

    course.world = unseen  # type: ignore[method-assign]  # nobody of the officials is connected any more
    course.run()
    assert course.state.status == "finished"
    assert len(course.state.rounds) == 2
    course.step(25 * 3600)
    (sealed,) = course.of(log.Sealed)
    assert sealed.by == "clock"


def test_rounds_by_hand_are_started_by_an_organiser() -> None:
    course = opened(2, clock='rounds_start = "hand"').start()
    course.settle()
    refused("not_organiser", lambda: officials.start_round(course.state, STRANGER, course.now, SECRET))
    course.add(officials.start_round(course.state, HOST, course.now, SECRET))
    refused("wrong_state", lambda: officials.start_round(course.state, HOST, course.now, SECRET))
    course.run()


def test_T40_S17_three_of_nine_withdraw_and_one_joins_late() -> None:
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
    ties = course.state.rules.tiebreaks
    assert ties[:2] == ("buchholz_cut1", "buchholz")
    assert {row.number: (row.points, *map(int, row.ties[:2])) for row in rows} == from_the_files(course)


def from_the_files(course: Course) -> dict[int, tuple[int, ...]]:
    """Points, Buchholz without the lowest, and Buchholz (T40, §6), computed from the CSV files alone."""
    files = {
        name: list(csv.DictReader(io.StringIO(raw.decode())))
        for name, raw in files_of(course.toml.encode(), course.lines, {}).items()
        if name.endswith(".csv")
    }
    last = max(int(row["after_round"]) for row in files["standings.csv"])
    points: Counter[int] = Counter()
    at: dict[tuple[int, str], list[int]] = {}
    """Who played whom: round and table to numbers."""
    for row in files["results.csv"]:
        assert row["how"] in {"played", "forfeit", "bye", "ruled", "void"}, "§12"
        points[int(row["number"])] += int(row["points_840"])
        if row["how"] == "played":
            at.setdefault((int(row["round"]), row["table"]), []).append(int(row["number"]))
    left = {int(row["number"]): int(row["left_round"]) for row in files["entrants.csv"]}
    as_opponent = {it: points[it] + (840 * (last - gone) if gone else 0) for it, gone in left.items()}
    found: dict[int, tuple[int, ...]] = {}
    for number in left:
        met = {round_: pair for (round_, _), pair in at.items() if number in pair}
        parts = [
            as_opponent[sum(met[round_]) - number] if round_ in met else points[number]
            for round_ in range(1, last + 1)
        ]
        found[number] = (points[number], sum(parts) - min(parts), sum(parts))
    rows = [row for row in files["standings.csv"] if row["after_round"] == str(last)]
    assert {int(row["number"]): int(row["points_840"]) for row in rows} == {it: points[it] for it in left}
    assert {int(row["number"]): int(row["buchholz"]) for row in rows} == {
        it: row[2] for it, row in found.items()
    }
    return found


def test_T33_T40_a_late_player_takes_the_free_place_of_an_odd_round_robin_and_there_is_no_other() -> None:
    """Another number of players needs another Berger table. Before, some pairs met twice and others never."""
    course = Course(toml("cambio", "roundrobin", "late_join_until = 3")).open(5).start()
    course.run(until=lambda state: len(state.rounds) == 2 and state.rounds[1].status == "playing")
    course.add(players.enter(course.state, STRANGER, "late", course.now))
    refused("registration_closed", lambda: players.enter(course.state, REFEREE, "later", course.now))
    course.run()
    met = Counter(frozenset(it.seats) for round_ in course.state.rounds for it in round_.tables if not it.bye)
    assert set(met.values()) == {1}
    assert len(course.state.rounds) == 5
    late = course.state.entrants[STRANGER].number
    assert [len(round_.tables) for round_ in course.state.rounds] == [3] * 5
    assert sum(late in pair for pair in met) == 3, "rounds 3 to 5"
    assert len(met) == 5 * 4 // 2 + 3


def test_T40_nobody_joins_an_elimination_late() -> None:
    course = Course(toml("cambio", "single", "late_join_until = 1")).open(4).start()
    refused("registration_closed", lambda: players.enter(course.state, STRANGER, "late", course.now))


def test_T26_I9_if_everybody_withdraws_the_event_ends_with_the_current_standings() -> None:
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


def test_T61_a_table_forfeited_between_pairing_and_call_is_not_called() -> None:
    """Before, it was called, the fold refused that entry, and the event stopped."""
    course = opened(4, "rounds = 1").start()
    course.run(until=lambda state: state.round is not None and state.round.status == "paired")
    course.add(disputes.forfeit(course.state, HOST, 1, 1, 1, "hit a referee"))
    course.run()
    assert [it.status for it in course.state.rounds[0].tables] == ["forfeit", "done"]
    assert [it.table for it in course.of(log.TableCalled)] == [2]


def test_T22_a_pause_stops_the_break_and_gives_each_clock_back_what_it_had_left() -> None:
    course = opened(2, clock="break_seconds = 100").start()
    course.settle()
    course.now += 10 * SECOND
    course.add(officials.pause(course.state, HOST, "power cut"))
    course.now += 3600 * SECOND
    course.settle()
    assert not course.of(log.TableCalled), "no round starts in a pause"
    refused("wrong_state", lambda: officials.start_round(course.state, HOST, course.now, SECRET))
    course.add(officials.resume(course.state, HOST))
    assert course.state.rounds[0].starts_at == course.now + 90 * SECOND
    course.now += 90 * SECOND
    course.absent = {1, 2}
    course.settle()
    (called,) = course.of(log.TableCalled)
    course.now += 20 * SECOND
    course.add(officials.pause(course.state, HOST, "again"))
    course.now += 3600 * SECOND
    course.add(officials.resume(course.state, HOST))
    assert course.state.rounds[0].tables[0].games[0].no_show_at == course.now + 160 * SECOND
    assert called.no_show_at < course.now


def test_T24_a_seat_on_autopilot_does_not_forfeit_a_pod() -> None:
    course = Course(toml("cambio", "swiss", "seats = 3", "rounds = 1")).open(3).start()
    course.run(until=lambda state: state.round is not None and state.round.status == "playing")
    course.stuck = {1}
    course.settle()
    away = World(SECRET, away_since={2: course.now}, organiser_seen=course.now)
    assert due(course.state, course.now + 900 * SECOND, away) == ()


@pytest.mark.parametrize("teams", ["", "teams = 2"])
def test_T24_a_seat_on_autopilot_does_not_forfeit_the_game_of_its_partner(teams: str) -> None:
    course = Course(toml("hameln_cave", "swiss", "rounds = 1", teams)).open(4).start()
    course.run(until=lambda state: state.round is not None and state.round.status == "playing")
    course.stuck = {1, 2}
    course.settle()
    away = World(SECRET, away_since=dict.fromkeys(range(1, 5), course.now), organiser_seen=course.now)
    assert due(course.state, course.now + 900 * SECOND, away) == ()


def test_T2_the_file_says_after_how_many_minutes_the_organiser_counts_as_away() -> None:
    course = opened(2, "host_away_minutes = 5", clock='rounds_start = "hand"').start()
    course.settle()
    late = World(SECRET, organiser_seen=course.now)
    assert due(course.state, course.now + 299 * SECOND, late) == ()
    assert due(course.state, course.now + 300 * SECOND, late) == (log.HostAway(by="clock", away=True),)
    course.add([log.HostAway(by="clock", away=True)])
    back = World(SECRET, organiser_seen=course.now + 301 * SECOND)
    assert due(course.state, course.now + 301 * SECOND, back) == (log.HostAway(by="clock", away=False),)


def test_T26_the_last_entrant_left_is_first_and_a_lowered_minimum_lets_the_event_start() -> None:
    course = playing(3, "rounds = 3")
    for number in (1, 3):
        course.add(players.withdraw(course.state, course.state.numbers[number]))
    course.run()
    assert (course.state.status, len(course.state.rounds)) == ("finished", 1)
    assert "fewer than two" in course.state.reason
    assert standings(course.state)[0].number == 2
    course = opened(3, "min_entrants = 4")
    refused("too_few", lambda: officials.start_event(course.state, HOST, SECRET))
    text = toml("cambio", "swiss", "min_entrants = 3").encode()
    course.add(officials.edit(course.state, HOST, read_event(text, all_games()), text))
    course.add(officials.open_event(course.state, HOST, SECRET))
    course.start()
    assert course.state.status == "running"


def test_T22_T25_a_pause_stops_the_time_of_a_round() -> None:
    """Before, the time ran on: after a pause longer than the rest of it, no further game of a best-of was played."""
    course = Course(toml("cambio", "swiss", "best_of = 5", "rounds = 1", clock="round_minutes = 10"))
    course.lasts = lambda rng: 200
    course.open(2).start()
    course.run(until=lambda state: bool(state.round and state.round.tables[0].status == "playing"))
    began = course.state.rounds[0].began_at
    course.now = began + 100 * SECOND
    course.add(officials.pause(course.state, HOST, "fire alarm"))
    for _ in range(4):
        course.step(300)
    course.add(officials.resume(course.state, HOST))
    assert clocks.ends_at(course.state, course.state.rounds[0]) == course.now + 500 * SECOND
    course.run()
    games = course.state.rounds[0].tables[0].games
    assert 3 <= len(games) <= 4, "one in the pause, and as many as begin in the 500 s that were left"


@pytest.mark.parametrize(("paused_after", "left"), [(580, 30), (700, 0)])
def test_T22_a_round_has_at_least_30_seconds_left_after_a_pause_unless_its_time_was_over(
    paused_after: int, left: int
) -> None:
    course = Course(toml("cambio", "swiss", "rounds = 1", clock="round_minutes = 10"), stuck={1}).open(2)
    course.start().run(until=lambda state: bool(state.round and state.round.tables[0].status == "playing"))
    over = course.state.rounds[0].began_at + 600 * SECOND
    course.now = course.state.rounds[0].began_at + paused_after * SECOND
    course.add(officials.pause(course.state, HOST, "fire alarm"))
    course.now += 3600 * SECOND
    course.add(officials.resume(course.state, HOST))
    ends = clocks.ends_at(course.state, course.state.rounds[0])
    assert ends == (course.now + left * SECOND if left else over)


def test_T22_T34_a_pause_stops_the_time_of_an_arena_and_then_it_pairs_at_once() -> None:
    """Before, the arena's time started again from the beginning, and for some minutes nobody was paired."""
    text = toml("cambio", "arena", clock="arena_minutes = 10\nbreak_seconds = 0")
    course = Course(text, lasts=lambda rng: 20 + rng.below(20)).open(8).start()
    for _ in range(60):
        course.step()
    before = len(course.state.rounds[0].tables)
    starts = course.state.rounds[0].starts_at
    course.add(officials.pause(course.state, HOST, "fire alarm"))
    paused_at = course.now
    for _ in range(100):
        course.step()
    assert len(course.state.rounds[0].tables) == before, "nobody is paired in a pause"
    course.add(officials.resume(course.state, HOST))
    resumed_at = course.now
    course.step(5)  # the games that ended in the pause are counted
    course.step(5)
    assert len(course.state.rounds[0].tables) == before + 4, "all eight have waited"
    course.run()
    (finished,) = course.of(log.Finished)
    assert starts is not None
    assert 0 <= finished.at - (resumed_at + starts + 600 * SECOND - paused_at) <= 5 * SECOND
