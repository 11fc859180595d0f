"""§12: exports, and `verify` of them."""

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest

import photofinish
from photofinish.commands.shared.event_check import check_event
from photofinish.engine import Rng
from photofinish.games import all_games
from photofinish.tournament.export.archive import BadArchive, packed, unpacked
from photofinish.tournament.export.cells import cell
from photofinish.tournament.export.feeds import atom, ics, utc
from photofinish.tournament.export.report import report, shown_points
from photofinish.tournament.log import chain
from photofinish.tournament.log import entries as log
from photofinish.tournament.people import disputes, officials
from photofinish.tournament.verify import ExportFinding
from photofinish.tournament.verify.check import is_export
from photofinish.tournament.verify.rights import is_entitled
from tests.tournament.course import HOST, Course, toml
from tests.tournament.real_games import RealCourse
from tests.tournament.stages import decided

SHORT = "[options]\ntarget_points = 1"


@cache
def swiss() -> RealCourse:
    course = RealCourse(toml("cambio", "swiss", "rounds = 2", tail=SHORT)).open(5).start()
    course.run()
    return course


@cache
def single() -> RealCourse:
    course = RealCourse(toml("cambio", "single", tail=SHORT)).open(5).start()
    course.run()
    return course


@cache
def pods() -> RealCourse:
    course = RealCourse(toml("cambio", "swiss", "seats = 3", "rounds = 2", tail=SHORT)).open(7).start()
    course.run()
    return course


@cache
def team() -> RealCourse:
    course = RealCourse(toml("hameln_cave", "roundrobin")).open(4).start()
    course.run()
    return course


def found(raw: bytes) -> tuple[ExportFinding, ...]:
    return check_event(raw, all_games())


@pytest.mark.parametrize("made", [swiss, single, pods, team])
def test_T73_an_event_as_it_was_played_verifies(made) -> None:
    assert found(made().export()) == ()


def test_T73_the_archive_is_a_zip_that_others_can_read() -> None:
    raw = swiss().export()
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        assert archive.testzip() is None
        names = set(archive.namelist())
    assert {
        "event.toml",
        "event.json",
        "log.ndjson",
        "report.html",
        "entrants.csv",
        "entrants.ndjson",
    } <= names
    assert {
        f"{name}.csv" for name in ("pairings", "results", "standings", "races", "reactions", "ratings")
    } <= names
    assert unpacked(raw) == unpacked(packed(unpacked(raw)))
    with pytest.raises(BadArchive):
        unpacked(raw[:-1])


def test_S18_each_of_200_flipped_bytes_is_noticed() -> None:
    raw = single().export()
    rng = Rng(b"flips", 0)
    unnoticed = []
    for _ in range(200):
        at, bit = rng.below(len(raw)), rng.below(8)
        bad = bytearray(raw)
        bad[at] ^= 1 << bit
        if not _is_noticed(bytes(bad)):
            unnoticed.append((at, bit))
    assert unnoticed == []


def _is_noticed(raw: bytes) -> bool:
    return is_export(raw) and bool(found(raw))


def damaged() -> Iterator[tuple[str, str, bytes]]:
    """A change inside one file, with the archive packed anew around it: the file's own checks must see it."""
    files = unpacked(swiss().export())
    replay = next(name for name in files if name.startswith("replays/"))
    lines = files["log.ndjson"].splitlines(keepends=True)
    rows = files["standings.csv"].splitlines(keepends=True)

    def pack(name: str, data: bytes | None) -> bytes:
        return packed({key: value for key, value in (files | {name: data}).items() if value is not None})

    yield "a log entry dropped", "log.ndjson", pack("log.ndjson", b"".join([*lines[:9], *lines[10:]]))
    yield (
        "two log entries exchanged",
        "log.ndjson",
        pack("log.ndjson", b"".join([*lines[:9], lines[10], lines[9], *lines[11:]])),
    )
    yield "the last log entry dropped", "log.ndjson", pack("log.ndjson", b"".join(lines[:-1]))
    yield (
        "rows exchanged",
        "standings.csv",
        pack("standings.csv", b"".join([rows[0], rows[2], rows[1], *rows[3:]])),
    )
    yield "a comment in the event file", "event.toml", pack("event.toml", files["event.toml"] + b"# x\n")
    yield "a replay missing", replay, pack(replay, None)
    yield "a space in a replay", replay, pack(replay, files[replay].replace(b'"head"', b'"head" ', 1))
    yield (
        "a report that says otherwise",
        "report.html",
        pack("report.html", files["report.html"].replace(b"player 1", b"player 2")),
    )
    yield "a file too many", "readme.txt", pack("readme.txt", b"hello")


ROWS = {"a log entry dropped": 10, "two log entries exchanged": 10, "rows exchanged": 2}
"""The line that the finding names, from 1."""


def test_T73_I18_a_change_names_its_file_and_its_row() -> None:
    seen = 0
    for what, file, raw in damaged():
        findings = found(raw)
        names = {it.file for it in findings}
        rows = {it.file: it.row for it in findings}
        if what in ROWS:
            assert rows[file] == ROWS[what], what
        if what == "the last log entry dropped":  # the log alone is whole; everything made from it differs
            assert names, what
        else:
            assert file in names, what
        seen += 1
    assert seen == 9


def rewritten(course: RealCourse, change) -> bytes:
    """The whole log written anew with one entry changed: only recomputation can see it."""
    made, head = [], chain.GENESIS
    for entry in course.entries:
        body, head = chain.write(change(entry), head)
        made.append(chain.ChainLine(head.hex(), body.decode()))
    other = RealCourse(course.toml)
    other.lines, other.replays = made, course.replays
    return other.export()


def test_T73_a_log_rewritten_with_another_pairing_is_noticed() -> None:
    def swapped(entry):
        if isinstance(entry, log.TableCalled):
            return msgspec.structs.replace(entry, seats=tuple(reversed(entry.seats)))
        if isinstance(entry, log.Paired) and entry.round == 1:
            rows = list(entry.tables)
            rows[0] = msgspec.structs.replace(rows[0], seats=tuple(reversed(rows[0].seats)))
            return msgspec.structs.replace(entry, tables=tuple(rows))
        return entry

    assert any("pairing does not follow" in it.text for it in found(rewritten(swiss(), swapped)))


def test_T73_a_log_rewritten_with_other_places_is_noticed() -> None:
    def better(entry):
        if isinstance(entry, log.GameResult):
            places = tuple(reversed(entry.outcome.places))
            return msgspec.structs.replace(
                entry, outcome=msgspec.structs.replace(entry.outcome, places=places)
            )
        return entry

    texts = [it.text for it in found(rewritten(swiss(), better))]
    assert any("places are not those of the result" in it for it in texts)


def test_T73_an_entry_by_somebody_without_the_right_is_noticed() -> None:
    def by_a_player(entry):
        if isinstance(entry, log.Drawn):
            return msgspec.structs.replace(entry, by="f" * 64)
        return entry

    assert any("may not do this" in it.text for it in found(rewritten(swiss(), by_a_player)))


def test_T73_a_corrected_result_verifies() -> None:
    course = RealCourse(toml("cambio", "swiss", "rounds = 1", tail=SHORT)).open(2).start()
    course.run(until=lambda state: state.round is not None and state.round.status == "settling")
    course.add(disputes.correct(course.state, HOST, 1, 1, 1, (1, 1), "wrong identity"))
    course.run()
    assert found(course.export()) == ()


def test_T73_a_seal_needs_the_organisers_signature() -> None:
    from nacl.signing import SigningKey

    from photofinish.tournament.people.identity import is_seal, seal_text

    key = SigningKey.generate()
    course = RealCourse(toml("cambio", "swiss", "rounds = 1", tail=SHORT)).open(2).start()
    course.add(officials.appoint(course.state, HOST, "organiser", [key.verify_key.encode().hex()]))
    course.run()
    course.now += 121 * 1_000_000
    head = course.head.hex()
    signature = key.sign(seal_text(head)).signature.hex()
    who = key.verify_key.encode().hex()
    course.add(officials.seal(course.state, who, course.now, head, signature, is_seal))
    assert found(course.export()) == ()
    for changed in ({"signature": signature[::-1]}, {"signature": ""}, {"by": HOST}, {"head": "0" * 64}):
        raw = rewritten(
            course,
            lambda it, changed=changed: (
                msgspec.structs.replace(it, **changed) if isinstance(it, log.Sealed) else it
            ),
        )
        assert [it.row for it in found(raw)] == [len(course.entries)], changed


def test_T73_a_referee_who_forfeits_or_replays_the_own_table_is_noticed() -> None:
    course = decided(2, "rounds = 1", "officials_play = true")
    own = course.state.numbers[1]
    course.add(officials.appoint(course.state, HOST, "referee", [own]))
    for made in (
        log.Forfeited(round=1, table=1, numbers=(2,), why="mine"),
        log.Replayed(round=1, table=1, game=1, attempt=2),
        log.Corrected(round=1, table=1, game=1, places=(1, 1), reason="mine"),
    ):
        by = {who: is_entitled(course.state, msgspec.structs.replace(made, by=who)) for who in (own, HOST)}
        assert by == {own: False, HOST: True}, made


def test_T3_the_report_of_an_older_log_is_unchanged_and_verifies() -> None:
    """Version 4 of the log: the report says whether officials play."""
    old = rewritten(
        swiss(), lambda it: msgspec.structs.replace(it, v=3) if isinstance(it, log.Created) else it
    )
    assert found(old) == ()
    sentence = b"Officials do not play in this event."
    assert sentence not in unpacked(old)["report.html"]
    assert sentence in unpacked(swiss().export())["report.html"]


def test_the_columns_are_those_of_section_12() -> None:
    """The rules of tournaments have the table; CSV and NDJSON have the same columns."""
    text = (Path(photofinish.__file__).parent / "tournament/RULES.md").read_text(encoding="utf-8")
    section = text.partition("## 12.")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (\w+) \| (.*) \|$", section, re.MULTILINE)[1:]
    documented = {name: re.sub(r" ?\([^)]*\)", "", columns).split(", ") for name, columns in rows}
    documented["standings"][-1:] = swiss().state.rules.tiebreaks  # "one column per tie-break"
    files = unpacked(swiss().export())
    assert len(documented) == 7
    for name, columns in documented.items():
        assert files[f"{name}.csv"].decode().splitlines()[0].split(",") == columns
        for line in files[f"{name}.ndjson"].splitlines():
            assert list(json.loads(line)) == columns


def test_T73_a_file_that_is_not_an_export_is_reported_as_such() -> None:
    assert not is_export(b"hello")
    assert not is_export(b"PK\x05\x06" + bytes(18))
    assert is_export(swiss().export()[:-30])


def test_S17_standings_recomputed_from_the_csvs_are_identical() -> None:
    files = unpacked(swiss().export())
    results = list(csv.DictReader(io.StringIO(files["results.csv"].decode())))
    points: dict[str, int] = {}
    for row in results:
        points[row["number"]] = points.get(row["number"], 0) + int(row["points_840"])
    rows = [
        row
        for row in csv.DictReader(io.StringIO(files["standings.csv"].decode()))
        if row["after_round"] == "2"
    ]
    assert {row["number"]: int(row["points_840"]) for row in rows} == points
    rows_of_log = [json.loads(line) for line in files["standings.ndjson"].splitlines()]
    assert [it["rank"] for it in rows_of_log if it["after_round"] == 2] == [int(row["rank"]) for row in rows]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("=1+1", "'=1+1"),
        ("@x", "'@x"),
        ("-5", "-5"),
        ("-5/3", "-5/3"),
        ("-x", "'-x"),
        ("\tx", "'\tx"),
        ('a "b", c', '"a ""b"", c"'),
        ("two\nlines", '"two\nlines"'),
        (None, ""),
        (True, "true"),
        (7, "7"),
    ],
)
def test_T72_a_cell_never_becomes_a_formula_of_a_spreadsheet(value, text: str) -> None:
    assert cell(value) == text


def test_T72_a_name_is_escaped_in_html_atom_and_ics() -> None:
    course = Course(toml().replace("Test", "<b>&"))
    page = report(course.state, "00").decode()
    assert "<b>&" not in page
    assert "&lt;b&gt;&amp;" in page
    assert b"<b>" not in atom(course.state, course.entries, "http://x/?a&b")
    course = Course(
        toml(clock='starts = "2030-01-01T12:00:00+00:00"').replace("Test", "a, b; c\\\\nEND:VCALENDAR")
    )
    lines = ics(course.state, "http://x/").decode().replace("\r\n ", "").split("\r\n")
    assert r"SUMMARY:a\, b\; c\\nEND:VCALENDAR: start" in lines, lines
    assert lines.count("END:VCALENDAR") == 1


def test_T37_points_are_shown_with_at_most_two_decimals() -> None:
    assert [shown_points(it) for it in (1680, 840, 420, 280, 0, 2100)] == [
        "2",
        "1",
        "0.5",
        "0.33",
        "0",
        "2.5",
    ]


def test_T69_the_calendar_and_the_feed_are_readable() -> None:
    import datetime as dt
    import xml.etree.ElementTree as ET

    course = swiss()
    text = ics(course.state, "http://localhost/events/E1").decode()
    assert text.count("BEGIN:VEVENT") == 2
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    for micros in (0, course.now, 1_709_164_800_000_000, 4_102_444_799_000_000):
        expected = dt.datetime.fromtimestamp(micros // 1_000_000, tz=dt.UTC)
        assert utc(micros) == expected.timetuple()[:6]
    feed = ET.fromstring(atom(course.state, course.entries, "http://localhost/events/E1"))
    titles = [it.text for it in feed.iter("{http://www.w3.org/2005/Atom}title")]
    assert "The event is finished" in titles
    assert {f"Round {n} is closed" for n in (1, 2)} <= {*titles}
    assert {f"Round {n}: the pairings are up" for n in (1, 2)} <= {*titles}


def test_T69_rulings_and_corrections_are_in_the_feed() -> None:
    course = decided(2, "rounds = 1")
    course.add(disputes.mark(course.state, course.state.numbers[1], course.now, 1, 1, 1, "", "<x>"))
    course.add(disputes.rule(course.state, HOST, 1, "confirm", "the strip is clear"))
    course.add(disputes.correct(course.state, HOST, 1, 1, 1, (1, 1), "typed wrong"))
    feed = atom(course.state, course.entries, "http://localhost/events/E1")
    assert b"Round 1, table 1: confirm" in feed
    assert b"Round 1, table 1: corrected" in feed


def test_T73_the_command_exits_with_0_1_or_2(tmp_path) -> None:
    from photofinish.commands.replay import verify
    from photofinish.commands.shared.base import BadUse

    good, bad, other = tmp_path / "good.zip", tmp_path / "bad.zip", tmp_path / "other.zip"
    raw = swiss().export()
    good.write_bytes(raw)
    bad.write_bytes(raw[:500] + bytes([raw[500] ^ 1]) + raw[501:])
    other.write_bytes(b"PK hello")
    assert [verify(it) for it in (good, bad)] == [0, 1]
    for it in (other, tmp_path / "none.zip"):
        with pytest.raises(BadUse):  # `photofinish` exits with 2
            verify(it)
