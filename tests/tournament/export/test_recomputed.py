"""T73: what only a recomputation notices, in a log whose chain is whole; and the tables of §12 round by round."""

import gzip
from functools import cache
from pathlib import Path

import msgspec
import pytest

from photofinish.tournament.log import chain
from photofinish.tournament.log import entries as log
from photofinish.tournament.people import officials
from photofinish.tournament.scores.standings import standings
from tests.tournament.course import HOST, SECRET, Course, better_number, toml
from tests.tournament.export.test_export import SHORT, found, rewritten, swiss, team
from tests.tournament.real_games import RealCourse

LIGHTS = "[options]\nflashes = 1\ngap_ms = 400\nwindow_ms = 400"
PINNED = f"[races]\neps = 3000\nfloor = 90000\n{SHORT}"


def test_T49_T73_races_by_other_parameters_than_the_events_are_noticed() -> None:
    text = toml("cambio", "swiss", "rounds = 1", tail=PINNED)
    honest = RealCourse(text).open(2).start().run()
    assert found(honest.export()) == ()
    other = RealCourse(text, params={"eps": 3_000, "floor": 80_000}).open(2).start().run()
    assert [it.text for it in found(other.export())] == ["other race parameters than the event's (T49)"]


def test_T38_T73_a_team_that_did_not_win_is_noticed() -> None:
    """Places are equal in a team game: who has won is in `winners` alone, and the matchpoints follow from it."""

    def exchanged(entry: log.AnyEntry) -> log.AnyEntry:
        if isinstance(entry, log.GameResult):
            other = () if entry.outcome.winners else (0, 1)
            return msgspec.structs.replace(
                entry, outcome=msgspec.structs.replace(entry.outcome, winners=other)
            )
        return entry

    texts = [it.text for it in found(rewritten(team(), exchanged))]
    assert "the places are not those of the result" in texts


def test_T73_an_event_that_is_finished_before_its_last_round_is_noticed() -> None:
    course = swiss()
    closed = next(at for at, it in enumerate(course.entries) if isinstance(it, log.RoundClosed))
    kept = course.entries[: closed + 1]
    over = log.Finished(secret=SECRET.hex(), why="")
    last = chain.stamped(over, len(kept), kept[-1].at, kept[-1].at)
    made, head = [], chain.GENESIS
    for entry in (*kept, last):
        body, head = chain.write(entry, head)
        made.append(chain.ChainLine(head.hex(), body.decode()))
    short = RealCourse(course.toml)
    rooms = {it.room for it in kept if isinstance(it, log.GameResult)}
    short.lines, short.replays = made, {room: course.replays[room] for room in rooms}
    assert [(it.row, it.text) for it in found(short.export())] == [
        (len(made), "the event is finished before its last round (§3)")
    ]


FORMS = (
    ("swiss", "rounds = 3"),
    ("swiss", "rounds = 2\ncut = 4"),
    ("swiss", "rounds = 2\nseats = 4\ncut = 4"),
    ("roundrobin", ""),
    ("single", ""),
    ("double", ""),
    ("slapoff", "rounds = 2"),
)


@pytest.mark.parametrize(("kind", "more"), FORMS)
def test_T69_the_standings_after_a_round_are_those_of_the_log_when_it_closed(kind: str, more: str) -> None:
    """Before, brackets and cuts were shown as they stood at the end, whichever round was asked for."""
    course = Course(toml("cambio", kind, more), decide=better_number).open(8).start().run()
    closed = course.of(log.RoundClosed)
    assert len(closed) == len(course.state.rounds) > 1
    for it in closed:
        rows = tuple((row.rank, row.number, row.points) for row in standings(course.state, it.round))
        assert rows == it.standings, (kind, it.round)
    if kind == "single":
        assert [row[:2] for row in closed[0].standings] == [(1, n) for n in (1, 2, 3, 4)] + [
            (5, n) for n in (5, 6, 7, 8)
        ]


@cache
def arena() -> RealCourse:
    text = toml("reflex", "arena", clock="arena_minutes = 5\nbreak_seconds = 0", tail=LIGHTS)
    course = RealCourse(text, lasts=lambda rng: 10 + rng.below(40)).open(5).start()
    for _ in range(30):
        course.step()
    course.add(officials.pause(course.state, HOST, "fire alarm"))
    for _ in range(12):
        course.step()
    course.add(officials.resume(course.state, HOST))
    return course.run()


def test_T34_T73_each_tick_of_an_arena_is_paired_again_from_who_waited() -> None:
    course = arena()
    ticks = [it for it in course.of(log.Paired) if it.tick]
    assert len(ticks) > 10
    assert found(course.export()) == ()

    def exchanged(entry: log.AnyEntry) -> log.AnyEntry:
        """In the first tick the other one sits first."""
        if isinstance(entry, log.Paired) and entry.n == ticks[0].n:
            rows = [msgspec.structs.replace(it, seats=it.seats[::-1]) for it in entry.tables]
            return msgspec.structs.replace(entry, tables=tuple(rows))
        if isinstance(entry, log.TableCalled) and entry.table <= len(ticks[0].tables):
            return msgspec.structs.replace(entry, seats=entry.seats[::-1])
        return entry

    def rested(entry: log.AnyEntry) -> log.AnyEntry:
        """The log says that a player waited, although this player sat at a table."""
        if isinstance(entry, log.Paired) and entry.n == ticks[1].n:
            return msgspec.structs.replace(entry, waiting=(1, 2, 3, 4, 5))
        return entry

    def untold(entry: log.AnyEntry) -> log.AnyEntry:
        if isinstance(entry, log.Paired) and entry.n == ticks[0].n:
            return msgspec.structs.replace(entry, waiting=msgspec.UNSET)
        return entry

    for change, row in ((exchanged, ticks[0].n), (rested, ticks[1].n), (untold, ticks[0].n)):
        faults = [(it.row, it.text) for it in found(rewritten(course, change))]
        assert (row + 1, "the pairing of the tick does not follow (T34)") in faults, change.__name__


EARLIER = Path(__file__).parent / "earlier"
"""Exports of earlier releases, made on another machine: a file for each version of the log since 4."""


@pytest.mark.parametrize("file", sorted(EARLIER.glob("*.zip.gz")), ids=lambda it: it.name)
def test_S18_an_export_of_an_earlier_release_and_of_another_machine_verifies(file: Path) -> None:
    """Single elimination of Reflex with a corrected result: version 4 of the log, with Python 3.11. An arena with a
    pause: version 5, in which the arena began anew.
    """
    raw = gzip.decompress(file.read_bytes())
    assert found(raw) == ()
    assert found(raw[:9000] + bytes([raw[9000] ^ 1]) + raw[9001:]) != ()
