"""§3: the steps of an event that the clock alone causes, and decisions that later steps do not change."""

import datetime as dt
import hashlib

from photofinish.tournament.director.calls import _called_room
from photofinish.tournament.director.loaded_events import LoadedEvent
from photofinish.tournament.log import entries as log
from photofinish.tournament.people import disputes, players
from photofinish.tournament.scores.scoring import lines_of
from photofinish.tournament.scores.standings import standings
from tests.tournament.course import HOST, SECOND, SECRET, Course, better_number, key_of, toml
from tests.tournament.stages import playing, refused


def at(seconds: int) -> str:
    """In RFC 3339; a course begins at second 1,000,000."""
    return dt.datetime.fromtimestamp(1_000_000 + seconds, tz=dt.UTC).isoformat()


def test_registration_opens_and_closes_by_the_clock_and_the_event_starts_by_it() -> None:
    times = f'[registration]\nopens = "{at(100)}"\ncloses = "{at(200)}"\n'
    course = Course(toml("cambio", "swiss", "rounds = 1", clock=f'starts = "{at(300)}"', tail=times))
    began = course.now

    def enter(number: int) -> None:
        course.add(players.enter(course.state, key_of(number), f"player {number}", course.now))

    course.step(95)
    assert course.state.status == "draft"
    refused("registration_closed", lambda: enter(101))
    course.step(5)
    (opened,) = course.of(log.EventOpened)
    assert (course.state.status, opened.by) == ("open", "clock")
    assert opened.commitment == hashlib.sha256(SECRET).hexdigest()
    enter(101)
    enter(102)
    course.step(99)
    enter(103)
    course.step(1)
    refused("registration_closed", lambda: enter(104))
    course.step(99)
    assert course.state.status == "open"
    course.step(1)
    (drawn,) = course.of(log.Drawn)
    assert (drawn.by, drawn.at - began, len(drawn.numbers)) == ("clock", 300 * SECOND, 3)


def test_T61_a_correction_of_a_game_before_a_forfeit_leaves_the_forfeit_as_it_is() -> None:
    course = playing(2, "rounds = 1", "best_of = 3")
    course.decide = better_number
    course.run(until=lambda state: len(state.rounds[0].tables[0].games) == 2)
    course.add(disputes.forfeit(course.state, HOST, 1, 1, 1, "hit the referee"))
    first = course.state.rounds[0].tables[0].games[0]
    draw = tuple(1 for _ in first.seats)
    course.add(disputes.correct(course.state, HOST, 1, 1, 1, draw, "typed wrong"))
    table = course.state.rounds[0].tables[0]
    assert (table.status, table.winner, table.forfeits) == ("forfeit", 2, (1,))
    course.run()
    assert {number: row[0].points for number, row in lines_of(course.state).items()} == {1: 0, 2: 1680}


def test_T28_a_cut_is_played_by_the_two_who_are_left() -> None:
    course = Course(toml("cambio", "swiss", "rounds = 1", "cut = 2"), decide=better_number).open(4).start()
    course.run(until=lambda state: bool(state.round and state.round.status == "settling"))
    for number in (3, 4):
        course.add(players.withdraw(course.state, course.state.numbers[number]))
    course.run()
    assert [it.phase for it in course.state.rounds] == ["main", "cut"]
    assert set(course.state.rounds[1].tables[0].seats) == {1, 2}


def test_the_tie_break_wins_counts_first_places_alone_that_were_played() -> None:
    """§6. A draw, a bye and a forfeit win are no win of this kind."""

    def drawn(table, game, rng):
        return (1, 1) if 1 in game.seats else better_number(table, game, rng)

    course = Course(toml("cambio", "roundrobin", 'tiebreaks = ["wins"]'), decide=drawn).open(5).start()
    course.run(until=lambda state: len(state.rounds) == 3)
    course.absent = {5}
    course.run()
    wins = dict.fromkeys(range(1, 6), 0)
    for it in course.state.rounds:
        for table in it.tables:
            if table.status == "done" and not table.bye and table.winner:
                wins[table.winner] += 1
    rows = standings(course.state)
    assert course.state.rules.tiebreaks == ("wins", "lot")
    assert {row.number: int(row.ties[0]) for row in rows} == wins
    assert wins[1] == 0
    assert len(course.of(log.Forfeited)) > 0
    assert max(wins.values()) > 1


def test_T68_nobody_is_called_to_a_table_that_was_forfeited_meanwhile() -> None:
    course = Course(toml()).open(2).start()
    course.absent = {1, 2}
    course.run(until=lambda state: bool(state.round and state.round.status == "playing"))
    keys = [course.state.numbers[number] for number in (1, 2)]

    def rooms() -> list[str]:
        held = LoadedEvent("E1", SECRET, b"", course.state)
        found = [_called_room(held, key) for key in keys]
        return [it[1] for it in found if it is not None]

    (called,) = course.of(log.TableCalled)
    assert rooms() == [called.room] * 2
    course.add(disputes.forfeit(course.state, HOST, 1, 1, 1, "left the hall"))
    assert rooms() == []


def test_T28_of_three_who_are_left_for_a_cut_of_four_the_best_has_the_bye() -> None:
    course = Course(toml("cambio", "swiss", "rounds = 3", "cut = 4"), decide=better_number).open(6).start()
    course.run(until=lambda state: len(state.rounds) == 3 and state.rounds[2].status == "settling")
    order = [row.number for row in standings(course.state)]
    for number in order[3:]:
        course.add(players.withdraw(course.state, course.state.numbers[number]))
    course.run(until=lambda state: len(state.rounds) == 4)
    seated = [(set(it.seats), it.bye) for it in course.state.rounds[3].tables]
    assert seated == [({order[0]}, True), ({order[1], order[2]}, False)]
