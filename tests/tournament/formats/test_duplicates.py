"""T42, T74: all tables of a deal get the same cards, in every hand, whatever they play."""

import json
from typing import Any

import pytest

from photofinish.games import all_games
from photofinish.replay import log as room_log
from photofinish.replay.replay import read_replay
from photofinish.replay.verify import verify
from photofinish.tournament.course.due import seed_of
from photofinish.tournament.director.pages import shown
from photofinish.tournament.export.report import report
from photofinish.tournament.log.entries import GameResult
from photofinish.tournament.people import disputes
from photofinish.tournament.reports import rows
from tests.tournament.course import HOST, SECRET, Course, toml
from tests.tournament.real_games import play_out

OPTIONS: dict[str, dict[str, Any]] = {
    "cambio": {"target_points": 500},
    "kodiak": {},
    "alaska": {},
    "reflex": {},
}


def hands(raw: bytes) -> dict[int, list[int]]:
    """The shuffle of each hand in the replay. The first hand is dealt at step 0."""
    entries = [json.loads(line.body) for line in read_replay(raw).entries]
    first: list[int] = next((it["order"] for it in entries[0]["chance"] if "order" in it), [])
    later = {
        it["hand"]: it["order"]
        for entry in entries[1:]
        for it in entry.get("chance", [])
        if it.get("hand") and "order" in it
    }
    return {1: first, **later}


@pytest.mark.parametrize("key", sorted(OPTIONS))
def test_T74_all_tables_of_a_slap_off_get_the_same_deals(key: str) -> None:
    game = all_games()[key]
    seats = min(4, game.seats[-1])
    course = Course(toml(key, "slapoff", "rounds = 1")).open(2 * seats, check_in=False).start()
    course.run(until=lambda state: bool(state.round and state.round.status == "playing"))
    tables = course.state.rounds[0].tables
    seeds = {seed_of(course.state, SECRET, 1, table.table, 1, 1) for table in tables}
    assert len(tables) == 2
    assert len(seeds) == 1
    (seed,) = seeds
    played = []
    for table in tables:
        dealt = room_log.Dealt(
            key,
            game.version,
            f"ROOM{table.table}",
            1,
            seats,
            ("",) * seats,
            OPTIONS[key],
            ("",) * seats,
            (),
            (),
        )
        raw, _, _ = play_out(game, dealt, seed, moves=b"table %d" % table.table)
        assert verify(read_replay(raw), all_games()).faults == []
        played.append(raw)
    one, other = map(hands, played)
    both = one.keys() & other.keys()

    assert {number: one[number] for number in both} == {number: other[number] for number in both}
    assert read_replay(played[0]).head != read_replay(played[1]).head, "they played alike"
    assert len({json.dumps(json.loads(read_replay(it).entries[0].body)["chance"]) for it in played}) == 1
    if key in {"cambio", "kodiak"}:
        assert len(both) > 1, "no second hand was dealt at both tables"


def test_T43_the_log_stops_before_the_first_result_of_a_sealed_deal() -> None:
    """A result names its races, and a race's key names a card. The tables that still play must not read it."""
    course = Course(toml("cambio", "slapoff", "rounds = 2", "seats = 4")).open(8, check_in=False).start()
    course.run(until=lambda state: bool(state.round and state.round.status == "playing"))
    assert shown(course.state, course.entries) == len(course.entries)
    before = len(course.entries)
    first, second = course.state.rounds[0].tables
    assert first.now is not None
    course.end(first, first.now)
    assert len(course.of(GameResult)) == 1
    assert shown(course.state, course.entries) == before
    assert second.now is not None
    course.end(second, second.now)
    course.run(until=lambda state: state.rounds[0].status == "closed")
    assert shown(course.state, course.entries) > before


def test_T43_a_mark_does_not_tell_other_tables_of_a_sealed_deal_what_was_dealt() -> None:
    """Before, the text and the race of a mark were in the public log at once, and later on the public page."""
    course = Course(toml("cambio", "slapoff", "rounds = 1", "seats = 4")).open(8, check_in=False).start()
    course.run(until=lambda state: bool(state.round and state.round.status == "playing"))
    before = len(course.entries)
    key = course.state.numbers[course.state.rounds[0].tables[0].seats[0]]
    course.add(disputes.mark(course.state, key, course.now, 1, 1, 1, "king:3", "the third card is a king"))
    assert shown(course.state, course.entries) == before
    course.add(disputes.rule(course.state, HOST, 1, "confirm", "as it is"))
    assert shown(course.state, course.entries) == before
    assert rows.disputes(course.state) == []
    assert [it["race"] for it in rows.disputes(course.state, is_official=True)] == ["king:3"]
    assert b"a king" not in report(course.state, "00")
    course.run()
    assert b"a king" in report(course.state, "00")
    assert [it["race"] for it in rows.disputes(course.state)] == ["king:3"]
    assert shown(course.state, course.entries) == len(course.entries)


def test_T43_T60_T61_a_deal_is_open_for_its_referee_and_what_is_played_again_is_sealed() -> None:
    """Before, the round stayed sealed until it was closed, so the referee of a slap-off could not see the race."""
    course = Course(toml("cambio", "slapoff", "rounds = 1", tail="[slapoff]\ndeals = 1")).open(8).start()
    course.run(until=lambda state: bool(state.round and state.round.status == "settling"))
    assert not course.state.is_sealed(1)
    assert shown(course.state, course.entries) == len(course.entries)
    for table in course.state.rounds[0].tables:
        key = course.state.numbers[table.seats[0]]
        course.add(disputes.mark(course.state, key, course.now, 1, table.table, 1, "", "the light hung"))
    public = len(course.entries)
    for number in (1, 2):
        course.add(disputes.rule(course.state, HOST, number, "replay", "the server stood still"))
    course.stuck = {2}
    course.run(
        until=lambda state: state.rounds[0].tables[0].is_over and not state.rounds[0].tables[1].is_over
    )
    first, second = (it.games[-1] for it in course.state.rounds[0].tables)
    assert first.commitment == second.commitment, "both have the second deal"
    assert course.state.is_sealed(1), "the slower table must not read what the faster one was dealt"
    cut = shown(course.state, course.entries)
    assert public <= cut < len(course.entries), "what was public stays public"
    assert not any(isinstance(it, GameResult) for it in course.entries[public:cut])
    course.stuck = set()
    course.run(until=lambda state: state.rounds[0].status == "settling")
    assert shown(course.state, course.entries) == len(course.entries)
