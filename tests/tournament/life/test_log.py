"""T15, T17, T18, T20, T44, T65: the log of an event, checked by hand from its bytes."""

import hashlib
import hmac
import json
from typing import get_args

from photofinish.engine import Rng
from photofinish.tournament.event_file import canonical
from photofinish.tournament.log import chain
from photofinish.tournament.log import entries as log
from photofinish.tournament.people import disputes
from photofinish.tournament.reports import rows
from photofinish.tournament.scores.reactions import race_lines
from photofinish.tournament.state.fold import after
from photofinish.tournament.state.model import Played, RoundTable
from tests.tournament.course import HOST, SECRET, Course, toml

OF_T18 = [
    "created",
    "opened",
    "edited",
    "entered",
    "admitted",
    "checked_in",
    "nonce_revealed",
    "withdrew",
    "removed",
    "rebound",
    "appointed",
    "drawn",
    "paired",
    "called",
    "no_show",
    "forfeited",
    "result",
    "corrected",
    "marked",
    "ruled",
    "replayed",
    "paused",
    "resumed",
    "hands_opened",
    "round_closed",
    "seed_revealed",
    "rated",
    "late_joined",
    "cancelled",
    "finished",
    "sealed",
]


def finished(*more: str, n: int = 5) -> Course:
    return Course(toml("cambio", "swiss", "rounds = 2", *more)).open(n).start().run()


def test_T17_each_hash_is_sha256_of_the_one_before_and_the_body_as_it_is_exported() -> None:
    course = finished()
    head = bytes(32)
    times = []
    for number, line in enumerate(course.lines):
        head = hashlib.sha256(head + line.body.encode()).digest()
        body = json.loads(line.body)
        assert line.hash == head.hex()
        assert body["n"] == number
        assert body["by"] in {"director", "clock"} or len(body["by"]) == 64
        times.append(body["at"])
    assert times == sorted(times)
    assert all(SECRET.hex() not in line.body for line in course.lines[:-1]), (
        "secrets enter only as commitments"
    )


def test_T18_the_state_is_a_fold_over_the_log_and_every_kind_of_entry_is_known() -> None:
    course = finished()
    state = None
    for line in course.lines:
        state = after(state, chain.parse(line.body))
    assert state == course.state
    known = {kind.__struct_config__.tag for kind in get_args(log.AnyEntry)}
    assert set(OF_T18) - {"room_opened"} <= known


def test_T15_the_core_answers_with_entries_and_changes_nothing_by_itself() -> None:
    course = Course(toml()).open(4).start()
    before = course.state
    from photofinish.tournament.course.due import due

    assert due(before, course.now, course.world())
    assert course.state is before, "nothing has happened until the entries are stored"


def test_T20_a_result_pins_the_chain_of_its_room() -> None:
    course = finished()
    for entry in course.of(log.GameResult):
        round_, table, index = course.state.rooms[entry.room]
        game = course.state.rounds[round_ - 1].tables[table - 1].games[index]
        assert entry.head == game.head != ""
        assert entry.outcome == game.outcome
        assert len(entry.outcome.places) == len(entry.outcome.scores) == len(game.seats)
    assert len(course.of(log.GameResult)) == 4


def test_T44_the_key_of_each_pairing_follows_from_the_secret_revealed_at_the_end() -> None:
    course = finished()
    (drawn,), (over,) = course.of(log.Drawn), course.of(log.Finished)
    secret, n = bytes.fromhex(over.secret), bytes.fromhex(drawn.mixed)
    assert hashlib.sha256(secret).hexdigest() == course.of(log.EventOpened)[0].commitment
    for entry in course.of(log.Paired):
        text = b"photofinish pairing" + entry.round.to_bytes(4, "big") + n
        assert entry.key == hmac.new(secret, text, "sha256").hexdigest()


def test_T65_byes_forfeits_and_rehearsals_are_not_rated() -> None:
    course = Course(toml("cambio", "swiss", "rounds = 1")).open(5).start()
    course.absent = {1}
    course.run()
    played = {
        course.state.numbers[number]
        for table in course.state.rounds[0].tables
        if table.status == "done" and not table.bye
        for number in table.seats
    }
    assert 0 < len(played) < 4
    assert {entry.key for entry in course.of(log.Rated)} == played
    assert finished("rehearsal = true").of(log.Rated) == []
    assert finished("rated = false").of(log.Rated) == []


def test_T65_team_games_and_tables_with_one_person_are_not_rated() -> None:
    teams = Course(toml("hameln_cave", "swiss", "rounds = 1")).open(4).start().run()
    assert len(teams.of(log.GameResult)) == 2
    assert teams.of(log.Rated) == []
    alone = Course(toml("cambio", "swiss", "rounds = 1", 'fill = "bots"')).open(3).start().run()
    assert len(alone.of(log.GameResult)) == 2
    (pair,) = (it for it in alone.state.rounds[0].tables if 0 not in it.seats)
    assert {it.key for it in alone.of(log.Rated)} == {alone.state.numbers[number] for number in pair.seats}


def test_T47_T65_a_voided_attempt_is_not_rated_and_its_races_leave_the_board() -> None:
    """Attempt 1: entrant 1 wins with 300 ms. Attempt 2: entrant 2 wins with 400 ms."""

    def first(game: Played) -> int:
        return next(seat for seat, number in enumerate(game.seats) if number == game.attempt)

    def races(game: Played, rng: Rng) -> tuple[log.RaceLine, ...]:
        score = 200_000 + 100_000 * game.attempt
        return (log.RaceLine("r", first(game), "slap", "won", score, counted=True),)

    def decide(table: RoundTable, game: Played, rng: Rng) -> tuple[int, ...]:
        return tuple(1 if seat == first(game) else 2 for seat in range(2))

    course = Course(toml("cambio", "swiss", "rounds = 1"), races=races, decide=decide).open(2).start()
    course.run(until=lambda state: bool(state.round and state.round.status == "settling"))
    assert {number for number, it in race_lines(course.state).items() if it} == {1}
    course.add(disputes.mark(course.state, course.state.numbers[2], course.now, 1, 1, 1, "", "I was first"))
    course.add(disputes.rule(course.state, HOST, 1, "replay", "the server stood still"))
    assert not any(race_lines(course.state).values())
    course.run()
    found = {number: [it.score_us for it in lines] for number, lines in race_lines(course.state).items()}
    assert found == {1: [], 2: [400_000]}
    up = {it.key: it.after[0] > it.before[0] for it in course.of(log.Rated)}
    assert up == {course.state.numbers[1]: False, course.state.numbers[2]: True}


def test_T10_the_first_entry_names_the_rules_by_their_hash() -> None:
    course = Course(toml())
    (created,) = course.entries
    assert isinstance(created, log.Created)
    assert created.rules_hash == hashlib.sha256(canonical(course.state.rules)).hexdigest()
    assert (
        json.loads(course.lines[0].body)["rules_hash"]
        == created.rules_hash
        == rows.info(course.state)["rules_hash"]
    )
